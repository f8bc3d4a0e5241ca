import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { needsSomebody } from '../../../shared/domain/run-condition.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import type { LiveCluster, LiveState } from '../../stores/views.ts'
import { isOld } from '../source-age.tsx'

/** The colour of a cluster's line: it needs you, something moves, it cannot be read, or nothing of these. */
type ClusterTone = 'waits' | 'moving' | 'failed' | 'rest'

/** The status of a cluster in one line, for the rail and Home: what needs you first, then what moves, then the state of its picture. */
interface ClusterStatus {
  readonly tone: ClusterTone
  readonly text: string
  /** Details for a tooltip; null if the text says everything. */
  readonly why: string | null
}

/** `runs`: the cluster's unfinished runs, newest first; `connected`: to the console itself. */
export function clusterStatus(
  runs: readonly RunSummary[],
  state: LiveState | undefined,
  connected: boolean,
): ClusterStatus {
  const waiting = runs.find(run => needsSomebody(run.condition))
  if (waiting !== undefined) {
    return { tone: 'waits', text: `${planSubject(waiting)} needs you`, why: waiting.summary }
  }
  const picture = pictureStatus(state, connected)
  if (picture.tone === 'failed') return picture
  const [run, ...others] = runs
  if (run === undefined) return picture
  if (run.condition.kind === 'unheard')
    return { tone: 'rest', text: `${planSubject(run)}: not connected`, why: run.summary }
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other run')}`
  return { tone: 'moving', text: `${planSubject(run)}: running${more}`, why: run.summary }
}

const NEEDS: Readonly<Record<ClusterTone, number>> = { waits: 3, failed: 2, moving: 1, rest: 0 }

/** How urgent a cluster is: higher numbers come first. */
export function needOf(tone: ClusterTone): number {
  return NEEDS[tone]
}

/** The state of a cluster's picture: not opened, live, old, or why it cannot be read. `live` only if every source is. */
function pictureStatus(state: LiveState | undefined, connected: boolean): ClusterStatus {
  if (state === undefined) return { tone: 'rest', text: 'not opened', why: null }
  if (!connected) return { tone: 'failed', text: 'old', why: 'The connection to the console broke.' }
  if (state.kind === 'opening') return { tone: 'rest', text: 'opening', why: null }
  if (state.kind === 'failed') return { tone: 'failed', text: 'no answer', why: state.failure.message }
  const sources = [...state.live.sources.values()].map(source => source.state)
  const cut = sources.find(source => source.kind === 'offline')
  if (cut?.kind === 'offline') return { tone: 'failed', text: 'partly old', why: cut.why }
  const forbidden = sources.find(source => source.kind === 'not-permitted')
  if (forbidden?.kind === 'not-permitted') return { tone: 'failed', text: 'partly not permitted', why: forbidden.why }
  return { tone: 'rest', text: sources.some(source => source.kind === 'catching-up') ? 'reading' : 'live', why: null }
}

/** How many nodes of a cluster are in each state; null before its nodes are read. */
export interface NodeCounts {
  readonly all: number
  readonly inService: number
  /** Nodes going out or coming back in a run of this or another console. */
  readonly moving: number
  /** Nodes going out or coming back whose run no console drives. */
  readonly left: number
  readonly inMaintenance: number
  /** Partly in maintenance, unknown or decommissioned. */
  readonly other: number
}

/** Counts nodes by state in the last picture; `runs`: the cluster's unfinished runs. */
export function nodeCounts(live: LiveCluster | null, runs: readonly RunSummary[]): NodeCounts | null {
  const reported = live?.sources.get('nodes')?.state.kind
  if (live === null || reported === undefined || (live.nodes.size === 0 && reported !== 'live')) return null
  const undriven = new Set(runs.filter(({ condition }) => condition.kind === 'interrupted').map(({ id }) => id))
  const counts = { all: live.nodes.size, inService: 0, moving: 0, left: 0, inMaintenance: 0, other: 0 }
  for (const node of live.nodes.values()) counts[statusOf(node, undriven)] += 1
  return counts
}

/** Whether the shown nodes of a cluster may be out of date. */
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
      // Between in and out of service: the Lease says whether a console works on it.
      return heldBy === null ? 'other' : heldBy.gone ? 'left' : 'moving'
    case 'unknown':
    case 'decommissioned':
      return 'other'
  }
}
