import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { needsSomebody } from '../../../shared/domain/run-condition.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import type { LiveCluster, LiveState } from '../../stores/views.ts'
import { isOld } from '../source-age.tsx'

/** What a cluster's line is coloured by: it waits for somebody, something moves, it cannot be read, or nothing of these. */
type ClusterTone = 'waits' | 'moving' | 'failed' | 'rest'

/** How a cluster stands in one line, for the rail and the fleet: who is needed first, then what moves, then how its picture stands. */
interface ClusterStatus {
  readonly tone: ClusterTone
  readonly text: string
  /** More about it, for a tooltip; null: the text says it all. */
  readonly why: string | null
}

/** How a cluster stands; `runs`: its open ones, newest first; `connected`: to the console itself. */
export function clusterStatus(
  runs: readonly RunSummary[],
  state: LiveState | undefined,
  connected: boolean,
): ClusterStatus {
  const waiting = runs.find(run => needsSomebody(run.condition))
  if (waiting !== undefined) {
    return { tone: 'waits', text: `${planSubject(waiting)} waits for somebody`, why: waiting.summary }
  }
  const picture = pictureStatus(state, connected)
  if (picture.tone === 'failed') return picture
  const [run, ...others] = runs
  if (run === undefined) return picture
  if (run.condition.kind === 'unheard')
    return { tone: 'rest', text: `${planSubject(run)}: not connected`, why: run.summary }
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other run')}`
  return { tone: 'moving', text: `${planSubject(run)} is worked on${more}`, why: run.summary }
}

const NEEDS: Readonly<Record<ClusterTone, number>> = { waits: 3, failed: 2, moving: 1, rest: 0 }

/** How much a cluster needs somebody: the more, the further up it stands. */
export function needOf(tone: ClusterTone): number {
  return NEEDS[tone]
}

/** How the picture of a cluster stands: not looked at yet, live, old, or why not to be had. `live` only when every source is. */
function pictureStatus(state: LiveState | undefined, connected: boolean): ClusterStatus {
  if (state === undefined) return { tone: 'rest', text: 'not opened', why: null }
  if (!connected) return { tone: 'failed', text: 'not kept current', why: 'The connection to the console broke.' }
  if (state.kind === 'opening') return { tone: 'rest', text: 'opening', why: null }
  if (state.kind === 'failed') return { tone: 'failed', text: 'not reached', why: state.failure.message }
  const sources = [...state.live.sources.values()].map(source => source.state)
  const cut = sources.find(source => source.kind === 'offline')
  if (cut?.kind === 'offline') return { tone: 'failed', text: 'partly old', why: cut.why }
  const forbidden = sources.find(source => source.kind === 'not-permitted')
  if (forbidden?.kind === 'not-permitted') return { tone: 'failed', text: 'partly not permitted', why: forbidden.why }
  return { tone: 'rest', text: sources.some(source => source.kind === 'catching-up') ? 'reading' : 'live', why: null }
}

/** How many nodes of a cluster stand where; null before anything was heard of its nodes. */
export interface NodeCounts {
  readonly all: number
  readonly inService: number
  /** On their way out or back, by whoever drives that: this console, or one elsewhere. */
  readonly moving: number
  /** On their way out or back, and nobody drives that any more. */
  readonly left: number
  readonly inMaintenance: number
  /** Partly in maintenance, unknown or decommissioned. */
  readonly other: number
}

/** The nodes of a cluster by where they stand, as its last picture has them; `runs`: its open ones. */
export function nodeCounts(live: LiveCluster | null, runs: readonly RunSummary[]): NodeCounts | null {
  const reported = live?.sources.get('nodes')?.state.kind
  if (live === null || reported === undefined || (live.nodes.size === 0 && reported !== 'live')) return null
  const undriven = new Set(runs.filter(({ condition }) => condition.kind === 'interrupted').map(({ id }) => id))
  const counts = { all: live.nodes.size, inService: 0, moving: 0, left: 0, inMaintenance: 0, other: 0 }
  for (const node of live.nodes.values()) counts[statusOf(node, undriven)] += 1
  return counts
}

/** Whether what is shown of a cluster's nodes may no longer be so. */
export function areNodesOld(state: LiveState | undefined): boolean {
  return state?.kind !== 'open' || isOld(state.live.sources.get('nodes')?.state)
}

function statusOf({ state, heldBy, runId }: NodeView, undriven: ReadonlySet<string>): Exclude<keyof NodeCounts, 'all'> {
  switch (state) {
    case 'active':
      return 'inService'
    case 'maintenance':
      return 'inMaintenance'
    case 'entering':
    case 'leaving':
      return heldBy?.gone === true || (runId !== null && undriven.has(runId)) ? 'left' : 'moving'
    case 'partial':
      // Between in and out of service: somebody's Lease tells whether that goes on.
      return heldBy === null ? 'other' : heldBy.gone ? 'left' : 'moving'
    case 'unknown':
    case 'decommissioned':
      return 'other'
  }
}
