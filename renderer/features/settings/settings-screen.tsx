import { NonIdealState } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useClusters } from '../../stores/clusters.ts'
import { ForeignEndpoints } from '../../ui/clusters/foreign-endpoints.tsx'
import { DefinitionsCard } from '../../ui/maintenance-api/definitions-card.tsx'
import { LimitSettings } from './limit-settings.tsx'
import { LookSettings } from './look-settings.tsx'
import { MaintenanceApiSettingsForm } from './maintenance-api-settings.tsx'
import { ReachSettings } from './reach-settings.tsx'
import { RemoveCluster } from './remove-cluster.tsx'
import { RoleMaintenanceSettingsForm } from './role-maintenance-settings.tsx'
import { RoleSettings } from './role-settings.tsx'
import '../../ui/settings.css'
import '../../ui/clusters/clusters.css'

interface Props {
  readonly cluster: string
}

/** Settings of one cluster on this console: how it looks, how it is reached, what labels mean, how much may happen at once. */
export function SettingsScreen({ cluster: name }: Props): ReactNode {
  const cluster = useClusters(store => (store.list.kind === 'listed' ? store.list.byName.get(name) : undefined))
  if (cluster === undefined) {
    return <NonIdealState title={`No cluster named ${name} is registered`} description="Choose one on the left." />
  }
  return (
    <div className="set">
      <h1>Settings of {name}</h1>
      <p className="quiet">They live on this console. Changing them touches nothing in the cluster.</p>
      <LookSettings cluster={cluster} />
      <ReachSettings cluster={cluster} />
      {cluster.cloud === null ? null : <ForeignEndpoints key={JSON.stringify(cluster.cloud)} cluster={cluster.name} />}
      <RoleSettings key={JSON.stringify(cluster.roleLabels)} cluster={cluster} />
      <RoleMaintenanceSettingsForm
        key={`${cluster.flavour} ${JSON.stringify(cluster.roleMaintenance)}`}
        cluster={cluster}
      />
      <LimitSettings key={JSON.stringify(cluster.limits)} cluster={cluster} />
      {cluster.flavour === 'mosk' ? (
        <>
          <MaintenanceApiSettingsForm key={JSON.stringify(cluster.maintenanceApi)} cluster={cluster} />
          <DefinitionsCard cluster={cluster.name} />
        </>
      ) : null}
      <RemoveCluster cluster={cluster} />
    </div>
  )
}
