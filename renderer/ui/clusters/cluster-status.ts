import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView, SourceName } from '../../../shared/domain/cluster-view.ts'
import { minutes } from '../../../shared/domain/durations.ts'
import { planSubject, type RunKind } from '../../../shared/domain/plan.ts'
import { needsSomebody } from '../../../shared/domain/run-condition.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { ageWords } from '../../../shared/grammar/durations.ts'
import { SOURCE_NAMES } from '../../../shared/words/sources.ts'
import { type LiveCluster, type LiveState, lastOf } from '../../stores/views.ts'
import { isOld } from '../old-source.ts'

/** The colour of a cloud's note: it needs you, something moves, it does not answer, or nothing of these. */
type ClusterTone = 'waits' | 'moving' | 'failed' | 'rest'

/** What is worth saying about a cloud in a few words, for the rail and Home; nothing while all is well. */
interface ClusterNote {
  readonly tone: ClusterTone
  /** Null if there is nothing to say. */
  readonly text: string | null
  /** Details for a tooltip; null if the text says everything. */
  readonly why: string | null
}

const NOTHING: ClusterNote = { tone: 'rest', text: null, why: null }

/** `runs`: the cloud's unfinished runs, newest first; `connected`: to the console itself. */
export function clusterNote(
  runs: readonly RunSummary[],
  state: LiveState | undefined,
  connected: boolean,
  nowMs: number,
): ClusterNote {
  const waiting = runs.find(run => needsSomebody(run.condition))
  if (waiting !== undefined) return { tone: 'waits', text: `${whoWaits(waiting)} needs you`, why: waiting.summary }
  const silence = silenceOf(state, connected, nowMs)
  if (silence !== null) return silence
  const [run, ...others] = runs
  if (run === undefined) return NOTHING
  if (run.condition.kind === 'unheard')
    return { tone: 'rest', text: `${planSubject(run)}: not connected`, why: run.summary }
  return {
    tone: 'moving',
    text: others.length > 0 ? counted(runs.length, 'run') : RUNNING_WORDS[run.kind](planSubject(run)),
    why: run.summary,
  }
}

const RUNNING_WORDS: Readonly<Record<RunKind, (subject: string) => string>> = {
  enter: node => `${node} is going out`,
  leave: node => `${node} is coming back`,
  maintain: node => `${node} is maintained`,
  rescue: node => `${node} is rescued`,
  home: node => `${node} gets its instances`,
  undo: node => `${node} is undone`,
  update: () => 'updating',
  'rolling-maintenance': () => 'one node after another',
  'take-out': () => 'nodes are going out',
}

/** The one instance that waits, else the node or the cloud. */
function whoWaits(run: RunSummary): string {
  const [wait] = run.condition.kind === 'waiting' ? run.condition.waits : []
  const [instance, ...others] = wait?.instances ?? []
  return instance !== undefined && others.length === 0 ? instance.name : planSubject(run)
}

/** Why and since when a cloud, or a part of it, cannot be seen; null while everything answers or is still being asked. */
export function silenceOf(state: LiveState | undefined, connected: boolean, nowMs: number): ClusterNote | null {
  const silent = (text: string, why: string | null): ClusterNote => ({ tone: 'failed', text, why })
  if (state === undefined) return null
  if (!connected) return silent('as last seen', 'The connection to the console broke.')
  if (state.kind === 'opening') return null
  if (state.kind === 'failed') return silent('no answer', state.failure.message)
  const sources = [...state.live.sources.values()]
  const cut = sources.find(({ state: { kind } }) => kind === 'offline')
  if (cut?.state.kind === 'offline') {
    const since = ageWords(Math.max(0, nowMs - Date.parse(cut.state.since)))
    const part = sources.every(({ state: { kind } }) => kind === 'offline' || kind === 'absent') || cut.name === 'nodes'
    return silent(`${part ? '' : `${SOURCE_NAMES[cut.name]}: `}no answer for ${since}`, cut.state.why)
  }
  const forbidden = sources.find(({ state: { kind } }) => kind === 'not-permitted')
  if (forbidden?.state.kind === 'not-permitted')
    return silent(`${SOURCE_NAMES[forbidden.name]}: not permitted`, forbidden.state.why)
  const readAt = sources.flatMap(({ state: source, everyMs }) =>
    source.kind === 'live' && everyMs !== null && everyMs < OLD_MS ? [Date.parse(source.lastAnswerAt)] : [],
  )
  const oldMs = readAt.length === 0 ? 0 : nowMs - Math.min(...readAt)
  return oldMs < OLD_MS ? null : { tone: 'rest', text: `as of ${ageWords(oldMs)} ago`, why: null }
}

/** What a node's card is drawn from. */
const OF_A_CARD: readonly SourceName[] = ['nodes', 'instances']

/** `as of 5 min ago`: how old a node's card is, by its oldest source that does not answer; null while it is current. */
export function ageOfPicture(state: LiveState | undefined, connected: boolean, nowMs: number): string | null {
  const sources = lastOf(state)?.sources
  const cut = OF_A_CARD.flatMap(name => {
    const source = sources?.get(name)?.state
    return source?.kind === 'offline' ? [Date.parse(source.since)] : []
  })
  if (cut.length > 0) return `as of ${ageWords(Math.max(0, nowMs - Math.min(...cut)))} ago`
  return connected && state?.kind === 'open' ? null : 'last seen'
}

/** A cloud that no page shows is read less often, the more clouds there are. */
const OLD_MS = minutes(2)

/** How many nodes of a cloud are in each state. */
export interface NodeCounts {
  readonly all: number
  readonly inService: number
  readonly goingOut: number
  readonly comingBack: number
  /** Nodes going out or coming back whose run no console drives. */
  readonly left: number
  /** In maintenance, or partly out, without a run. */
  readonly out: number
  /** Nodes that do not answer, or are no longer nodes. */
  readonly silent: number
}

/** Counts nodes by state in the last picture, null before they are read; `runs`: the cloud's unfinished runs. */
export function nodeCounts(live: LiveCluster | null, runs: readonly RunSummary[]): NodeCounts | null {
  const reported = live?.sources.get('nodes')?.state.kind
  if (live === null || reported === undefined || (live.nodes.size === 0 && reported !== 'live')) return null
  const undriven = new Set(runs.filter(({ condition }) => condition.kind === 'interrupted').map(({ id }) => id))
  const counts = { all: live.nodes.size, inService: 0, goingOut: 0, comingBack: 0, left: 0, out: 0, silent: 0 }
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
      return 'out'
    case 'entering':
    case 'leaving':
      if (heldBy?.gone === true || (runId !== null && undriven.has(runId))) return 'left'
      return state === 'entering' ? 'goingOut' : 'comingBack'
    case 'partial':
      // Between in and out of service: the Lease says whether a console works on it.
      return heldBy === null ? 'out' : heldBy.gone ? 'left' : 'goingOut'
    case 'unknown':
    case 'decommissioned':
      return 'silent'
  }
}
