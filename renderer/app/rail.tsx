import { AnchorButton } from '@blueprintjs/core'
import { CalendarIcon, HistoryIcon, PlusIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { type Cluster, colourOf } from '../../shared/domain/cluster.ts'
import { needsSomebody } from '../../shared/domain/run-condition.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { useClusters } from '../stores/clusters.ts'
import { useConnection } from '../stores/connection.ts'
import { clusterRoute, hashOf, type Route, useRoute } from '../stores/route.ts'
import { openRunsOf, useRuns } from '../stores/runs.ts'
import { useTicks } from '../stores/ticks.ts'
import { type LiveState, useViews } from '../stores/views.ts'
import { standingAt, useWindows } from '../stores/windows.ts'
import mark from './mark.svg'

/** The clusters this console knows, always at hand: what each is, whether it is kept live, what works on it. */
export function Rail(): ReactNode {
  const list = useClusters(store => store.list)
  const place = useRoute(store => store.place)
  const clusters = list.kind === 'listed' ? [...list.byName.values()] : []
  return (
    <nav className="rail column" aria-label="Clusters">
      <a className="rail-home" href={hashOf({ kind: 'clusters' })}>
        <img src={mark} alt="" width="24" height="24" />
        <span>Lockkeeper</span>
      </a>
      <RailWindows place={place} />
      <a
        className="rail-place"
        href={hashOf({ kind: 'history', part: 'log', cluster: null })}
        aria-current={place.kind === 'history' ? 'page' : undefined}
      >
        <HistoryIcon />
        <span className="rail-name cut strong block">History</span>
      </a>
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
          text="Add a cluster"
          aria-label="Add a cluster"
          href={hashOf({ kind: 'add-cluster' })}
        />
      </div>
    </nav>
  )
}

/** The way to the windows of all clusters, with how many are open now. */
function RailWindows({ place }: { readonly place: Route }): ReactNode {
  const list = useWindows(store => store.list)
  const standings = useTicks(({ nowMs }) => {
    const now = (list ?? []).map(each => standingAt(each, nowMs))
    return `${now.filter(each => each === 'open').length} ${now.filter(each => each === 'overrunning').length}`
  })
  const [open = 0, overrunning = 0] = standings.split(' ').map(Number)
  const here = place.kind === 'windows' || place.kind === 'window' || place.kind === 'new-window'
  return (
    <a className="rail-place" href={hashOf({ kind: 'windows' })} aria-current={here ? 'page' : undefined}>
      <CalendarIcon />
      <span className="rail-name cut strong block">Windows</span>
      {open + overrunning === 0 ? null : (
        <span
          className="rail-count"
          data-waiting={overrunning > 0}
          title={`${counted(open + overrunning, 'window')} open${overrunning > 0 ? ', one is past its end' : ''}`}
        >
          {open + overrunning}
        </span>
      )}
    </a>
  )
}

function RailCluster({ cluster, place }: { readonly cluster: Cluster; readonly place: Route }): ReactNode {
  const state = useViews(store => store.byCluster.get(cluster.name))
  const runs = useRuns(store => store.list)
  const open = openRunsOf(runs, cluster.name)
  const waiting = open.some(run => needsSomebody(run.condition))
  const here = place.kind === 'cluster' && place.cluster === cluster.name
  // The screen one looks at stays the same when clusters are switched.
  const target = clusterRoute(cluster.name, place.kind === 'cluster' ? place.screen : 'topology')
  const connected = useConnection(({ connection }) => connection.kind === 'connected')
  const words = connectionWords(state, connected)
  return (
    <a className="rail-cluster" href={hashOf(target)} aria-current={here ? 'page' : undefined}>
      <span className="cluster-stripe" style={{ background: `var(--cluster-${colourOf(cluster)})` }} />
      <span className="rail-label">
        <span className="rail-name cut strong block">{cluster.name}</span>
        <span className="rail-state cut" data-trouble={words.trouble} title={words.why ?? undefined}>
          {cluster.flavour}
          {cluster.production ? ', production' : ''} · {words.text}
        </span>
      </span>
      {open.length === 0 ? null : (
        <span
          className="rail-count"
          data-waiting={waiting}
          title={`${counted(open.length, 'run')} under way${waiting ? ', one waits for somebody' : ''}`}
        >
          {open.length}
        </span>
      )}
    </a>
  )
}

interface ConnectionWords {
  readonly text: string
  readonly trouble: boolean
  readonly why: string | null
}

/** How a cluster's picture stands: not looked at yet, live, old, or why not to be had. `live` only when every source is. */
function connectionWords(state: LiveState | undefined, connected: boolean): ConnectionWords {
  if (state === undefined) return { text: 'not opened', trouble: false, why: null }
  if (!connected) return { text: 'not kept current', trouble: true, why: 'The connection to the console broke.' }
  if (state.kind === 'opening') return { text: 'opening', trouble: false, why: null }
  if (state.kind === 'failed') return { text: 'not reached', trouble: true, why: state.failure.message }
  const sources = [...state.live.sources.values()].map(source => source.state)
  const cut = sources.find(source => source.kind === 'offline')
  if (cut?.kind === 'offline') return { text: 'partly old', trouble: true, why: cut.why }
  const forbidden = sources.find(source => source.kind === 'not-permitted')
  if (forbidden?.kind === 'not-permitted') return { text: 'partly not permitted', trouble: true, why: forbidden.why }
  return sources.some(source => source.kind === 'catching-up')
    ? { text: 'reading', trouble: false, why: null }
    : { text: 'live', trouble: false, why: null }
}
