import { AnchorButton } from '@blueprintjs/core'
import { CalendarIcon, GridViewIcon, HistoryIcon, PlusIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { useClusterColour, useClusters } from '../stores/clusters.ts'
import { useConnection } from '../stores/connection.ts'
import { clusterRoute, hashOf, type Route, useRoute } from '../stores/route.ts'
import { openRunsOf, useRuns } from '../stores/runs.ts'
import { useTicks } from '../stores/ticks.ts'
import { lastOf, useViews } from '../stores/views.ts'
import { statusAt, useWindows } from '../stores/windows.ts'
import { clusterStatus, nodeCounts } from '../ui/clusters/cluster-status.ts'
import mark from './mark.svg'
import { RailLinksOfWings } from './wings.tsx'

/** The links at the left: Home, schedule, campaigns, history, and each cluster with its state. */
export function Rail(): ReactNode {
  const list = useClusters(store => store.list)
  const place = useRoute(store => store.place)
  const clusters = list.kind === 'listed' ? [...list.byName.values()] : []
  return (
    <nav className="rail column" aria-label="Clouds">
      <a className="rail-home" href={hashOf({ kind: 'home' })} title="Lockkeeper">
        <img src={mark} alt="" width="22" height="22" />
        <span>Lockkeeper</span>
      </a>
      <a
        className="rail-place"
        href={hashOf({ kind: 'home' })}
        aria-current={place.kind === 'home' ? 'page' : undefined}
        title="Home"
      >
        <GridViewIcon />
        <span className="rail-name cut">Home</span>
      </a>
      <RailWindows place={place} />
      <RailLinksOfWings place={place} />
      <a
        className="rail-place"
        href={hashOf({ kind: 'history', part: 'log', cluster: null })}
        aria-current={place.kind === 'history' ? 'page' : undefined}
        title="History"
      >
        <HistoryIcon />
        <span className="rail-name cut">History</span>
      </a>
      <h2 className="rail-title">Clouds</h2>
      <ul className="rail-clusters">
        {clusters.map(cluster => (
          <li key={cluster.name}>
            <RailCluster cluster={cluster} place={place} />
          </li>
        ))}
      </ul>
      <div className="rail-foot column">
        <AnchorButton
          variant="minimal"
          icon={<PlusIcon />}
          text="Add a cloud"
          aria-label="Add a cloud"
          title="Add a cloud"
          href={hashOf({ kind: 'add-cluster' })}
        />
      </div>
    </nav>
  )
}

/** The link to the schedule, with the number of open windows. */
function RailWindows({ place }: { readonly place: Route }): ReactNode {
  const list = useWindows(store => store.list)
  const statuses = useTicks(({ nowMs }) => {
    const now = (list ?? []).map(each => statusAt(each, nowMs))
    return `${now.filter(each => each === 'open').length} ${now.filter(each => each === 'overrunning').length}`
  })
  const [open = 0, overrunning = 0] = statuses.split(' ').map(Number)
  const here = place.kind === 'windows' || place.kind === 'window' || place.kind === 'new-window'
  const words =
    open + overrunning === 0
      ? null
      : `${counted(open + overrunning, 'window')} open${overrunning > 0 ? ', one is past its end' : ''}`
  return (
    <a
      className="rail-place"
      href={hashOf({ kind: 'windows' })}
      aria-current={here ? 'page' : undefined}
      title={words === null ? 'Schedule' : `Schedule: ${words}`}
    >
      <CalendarIcon />
      <span className="rail-name cut">Schedule</span>
      {words === null ? null : (
        <span className="rail-count" data-waiting={overrunning > 0}>
          {open + overrunning} open
        </span>
      )}
    </a>
  )
}

function RailCluster({ cluster, place }: { readonly cluster: Cluster; readonly place: Route }): ReactNode {
  const state = useViews(store => store.byCluster.get(cluster.name))
  const open = openRunsOf(
    useRuns(store => store.list),
    cluster.name,
  )
  const colour = useClusterColour(cluster.name)
  const connected = useConnection(({ connection }) => connection.kind === 'connected')
  const here = place.kind === 'cluster' && place.cluster === cluster.name
  // Switching clusters keeps the current screen.
  const target = clusterRoute(cluster.name, place.kind === 'cluster' ? place.screen : 'topology')
  const status = clusterStatus(open, state, connected)
  const counts = nodeCounts(lastOf(state), open)
  const whole = `${cluster.name}${cluster.production ? ', production' : ''}: ${status.text}`
  return (
    <a
      className="rail-cluster"
      href={hashOf(target)}
      aria-current={here ? 'page' : undefined}
      title={status.why === null ? whole : `${whole}. ${status.why}`}
      data-tone={status.tone}
    >
      <span className="cluster-dot" style={{ background: colour }} />
      <span className="rail-name cut strong">{cluster.name}</span>
      {counts === null ? null : <span className="rail-count">{inServiceWords(counts)}</span>}
      <span className="rail-state cut" data-tone={status.tone}>
        {cluster.production ? 'production · ' : ''}
        {status.text}
      </span>
    </a>
  )
}

/** `22` when all nodes are in service, `21/22` when some are not. */
function inServiceWords({ all, inService }: { readonly all: number; readonly inService: number }): string {
  return inService === all ? `${all}` : `${inService}/${all}`
}
