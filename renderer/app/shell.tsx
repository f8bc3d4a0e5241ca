import { type ReactNode, useEffect } from 'react'
import { assertNever } from '../../shared/domain/must.ts'
import { startBridge } from '../bridge/start.ts'
import { showCluster } from '../bridge/views.ts'
import { AddClusterScreen } from '../features/clusters/add-cluster-screen.tsx'
import { ClusterScreen } from '../features/clusters/cluster-screen.tsx'
import { InstancesScreen } from '../features/instances/instances-screen.tsx'
import { PlanSheet } from '../features/plan/plan-sheet.tsx'
import { RunsScreen } from '../features/runs/runs-screen.tsx'
import { SettingsScreen } from '../features/settings/settings-screen.tsx'
import { TopologyScreen } from '../features/topology/topology-screen.tsx'
import { type Place, usePlace } from '../stores/place.ts'
import { useTheme } from './theme.ts'

/** The frame around every screen: who we are, which cluster is acted on, whether main is there, and the screen itself. */
export function Shell(): ReactNode {
  useEffect(startBridge, [])
  useTheme()
  const place = usePlace(store => store.place)
  const cluster = place.kind === 'cluster' ? place.cluster : null
  useEffect(() => {
    if (cluster !== null) showCluster(cluster)
  }, [cluster])
  return (
    <>
      <a className="skip-link" href="#screen">
        Skip to the screen
      </a>
      <main id="screen" tabIndex={-1}>
        {screenOf(place)}
      </main>
      <PlanSheet />
    </>
  )
}

function screenOf(place: Place): ReactNode {
  switch (place.kind) {
    case 'clusters':
      return <ClusterScreen />
    case 'add-cluster':
      return <AddClusterScreen />
    case 'cluster':
      switch (place.screen) {
        case 'topology':
          return <TopologyScreen key={place.cluster} cluster={place.cluster} />
        case 'instances':
          return <InstancesScreen key={place.cluster} cluster={place.cluster} />
        case 'runs':
          return <RunsScreen key={place.cluster} cluster={place.cluster} />
        case 'settings':
          return <SettingsScreen key={place.cluster} cluster={place.cluster} />
        default:
          return assertNever(place.screen, 'screen of a cluster')
      }
    default:
      return assertNever(place, 'place')
  }
}
