import type { ReactNode } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { upperFirst } from '../../../shared/grammar/counts.ts'
import { FLAVOUR_NAMES } from '../../../shared/words/flavours.ts'
import { useClusterColour } from '../../stores/clusters.ts'
import { useConnection } from '../../stores/connection.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { openRunsOf, useRuns } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { areNodesOld, type NodeCounts, nodeCounts, silenceOf } from '../../ui/clusters/cluster-status.ts'

interface Props {
  readonly clusters: readonly Cluster[]
  /** What a page adds to each row. */
  readonly more?: (cluster: Cluster) => ReactNode
}

/** The clouds with their nodes by state. A row has its height before its cloud answers. */
export function CloudRows({ clusters, more }: Props): ReactNode {
  return (
    <ul className="home-list plain-list">
      {clusters.map(cluster => (
        <li key={cluster.name} className="home-cloud">
          <CloudRow cluster={cluster} />
          {more?.(cluster)}
        </li>
      ))}
    </ul>
  )
}

const PARTS = [
  { of: 'inService', tone: 'verified' },
  { of: 'goingOut', tone: 'moving' },
  { of: 'comingBack', tone: 'moving' },
  { of: 'left', tone: 'waits' },
  { of: 'out', tone: 'maintenance' },
  { of: 'silent', tone: 'failed' },
] as const

function CloudRow({ cluster: { name, production, flavour } }: { readonly cluster: Cluster }): ReactNode {
  const state = useViews(store => store.byCluster.get(name))
  const connected = useConnection(({ connection }) => connection.kind === 'connected')
  const open = openRunsOf(
    useRuns(store => store.list),
    name,
  )
  const colour = useClusterColour(name)
  const minute = useTicks(({ nowMs }) => Math.floor(nowMs / 60_000))
  const counts = nodeCounts(lastOf(state), open)
  const silence = silenceOf(state, connected, minute * 60_000)
  const isOld = !connected || areNodesOld(state)
  return (
    <article aria-label={name}>
      <header className="row">
        <span className="cluster-dot" style={{ background: colour }} />
        <a className="strong cut grow" href={hashOf(clusterRoute(name, 'topology'))}>
          {name}
        </a>
        <b className="nowrap" title="Nodes in service">
          {counts === null ? '–' : `${counts.inService} of ${counts.all}`}
        </b>
      </header>
      <div className={`home-health${isOld ? ' stale' : ''}`} aria-hidden="true">
        {PARTS.map(({ of, tone }) =>
          counts === null || counts[of] === 0 ? null : (
            <span key={of} data-tone={tone} style={{ flexGrow: counts[of] }} />
          ),
        )}
      </div>
      <small className="spread">
        {silence === null ? (
          <span className="quiet">{counts === null ? 'Connecting…' : stateWords(counts)}</span>
        ) : (
          <span className="caution" title={silence.why ?? undefined}>
            {upperFirst(silence.text ?? '')}
          </span>
        )}
        {production ? (
          <b className="word-production">Production</b>
        ) : (
          <span className="quiet nowrap">{FLAVOUR_NAMES[flavour]}</span>
        )}
      </small>
    </article>
  )
}

/** `2 out, 1 going out`; the normal in three words. */
function stateWords({ all, inService, goingOut, comingBack, left, out, silent }: NodeCounts): string {
  if (all === 0) return 'No nodes'
  if (inService === all) return 'All in service'
  const parts: readonly (readonly [number, string])[] = [
    [out, 'out'],
    [goingOut, 'going out'],
    [comingBack, 'coming back'],
    [left, 'without a console'],
    [silent, 'silent'],
  ]
  return parts.flatMap(([amount, words]) => (amount === 0 ? [] : [`${amount} ${words}`])).join(', ')
}
