import type { RunSummary } from '../contract/run.ts'
import type { TimeVerdict } from '../domain/estimate.ts'
import type { LeftNode, MaintenanceWindow } from '../domain/window.ts'
import { instanceOfBlock, isUnread, type PlanBlock, type WindowJudgement } from '../domain/window-judgement.ts'
import { counted, listed } from '../grammar/counts.ts'
import { durationWords, estimateWords } from '../grammar/durations.ts'
import { planWords } from './windows.ts'

/** A window in one line: what it will do, or did, and whether it fits. */
export interface WindowLine {
  readonly tone: 'good' | 'caution' | 'bad' | 'quiet'
  readonly words: string
}

type Times = Pick<MaintenanceWindow, 'startsAt' | 'endsAt'>

type Block = Pick<PlanBlock, 'code' | 'values' | 'message'>

/** What blocks a node: the words for one instance, and for several. */
const SHORT: Readonly<Record<string, readonly [one: string, several: string]>> = {
  InstanceInError: ['is in ERROR', 'are in ERROR'],
  InstanceErrorButRunning: ['is in ERROR', 'are in ERROR'],
  InstanceMigrating: ['is migrating', 'are migrating'],
  OwnerMustAct: ['waits for its owner', 'wait for their owners'],
  NoDestination: ['has nowhere to go', 'have nowhere to go'],
}
const CANNOT_MOVE = ['cannot move', 'cannot move'] as const

/** Why a node cannot go out, in the fewest words: `gpu-02 cannot move`. */
export function shortBlocks(blocks: readonly Block[]): string {
  const groups = Map.groupBy(blocks, block => (instanceOfBlock(block) === null ? block.message : block.code))
  return [...groups.values()]
    .map(group => {
      const names = [...new Set(group.flatMap(block => instanceOfBlock(block) ?? []))]
      const [first] = group
      if (first === undefined || names.length === 0) return first?.message.replace(/\.$/, '') ?? ''
      return `${listed(names)} ${(SHORT[first.code] ?? CANNOT_MOVE)[names.length === 1 ? 0 : 1]}`
    })
    .join(', ')
}

/** Why a node was left out of a plan; empty if the operator left it out. */
export function leftWords({ reasons, why }: LeftNode): string {
  const blocks = (reasons ?? []).map(reason => ({ ...reason, message: why }))
  return blocks.length > 0 && blocks.every(block => instanceOfBlock(block) !== null) ? `${shortBlocks(blocks)}.` : why
}

/** What blocks whatever time the window has, or is unread, so that nobody can tell: a temporary condition does not. */
export function lastingBlocks({ blocks }: Pick<WindowJudgement, 'blocks'>): readonly PlanBlock[] {
  return blocks.filter(block => !block.passes || isUnread(block))
}

/** The line of a window that has not begun its work; an open one has only the rest of its time. */
export function judgementLine(judgement: WindowJudgement, { startsAt, endsAt }: Times, nowMs: number): WindowLine {
  const { nodes, left, span } = judgement
  if (nodes === 0) return { tone: 'quiet', words: planWords({ kind: 'open' }) }
  const lasting = lastingBlocks(judgement)
  const blocked = blockedLine(lasting.filter(block => !isUnread(block)))
  if (blocked !== null) return { tone: 'bad', words: blocked }
  const [unread] = lasting
  if (unread !== undefined) return { tone: 'caution', words: `Cannot tell yet: ${shortBlocks([unread])}` }
  const many = left === 0 ? counted(nodes, 'node') : `${nodes} of ${nodes + left} nodes`
  if (span === null) {
    return { tone: left === 0 ? 'quiet' : 'caution', words: `${many}, nothing blocks, time unknown` }
  }
  const lengthMs = Date.parse(endsAt) - Math.max(Date.parse(startsAt), nowMs)
  const takes = `about ${estimateWords(span.lowMs, span.lowMs)}`
  if (span.lowMs > lengthMs) return { tone: 'bad', words: `${many}, ends ${lateWords(span.lowMs - lengthMs)}` }
  if (span.highMs > lengthMs) {
    return { tone: 'caution', words: `${many}, ${takes}, may end ${lateWords(span.highMs - lengthMs)}` }
  }
  if (left > 0) return { tone: 'caution', words: `${many}, ${left} left out, ${takes}` }
  return { tone: 'good', words: `${many} ${nodes === 1 ? 'fits' : 'fit'}, ${takes}` }
}

/** `cmp-04 cannot go out: gpu-02 cannot move`; null if nothing blocks. */
function blockedLine(blocks: readonly PlanBlock[]): string | null {
  const nodes = [...new Set(blocks.flatMap(block => block.node ?? []))]
  const [node] = nodes
  if (node === undefined) return blocks.length === 0 ? null : shortBlocks(blocks)
  return nodes.length === 1
    ? `${node} cannot go out: ${shortBlocks(blocks.filter(block => block.node === node))}`
    : `${nodes.length} nodes cannot go out: ${listed(nodes)}`
}

function tookWords(ms: number): string {
  return estimateWords(ms, ms)
}

/** `4 min late`, in whole minutes. */
function lateWords(ms: number): string {
  return `${durationWords(Math.max(1, Math.round(ms / 60_000)) * 60_000)} late`
}

const HEADING: Readonly<Record<TimeVerdict, WindowLine['tone']>> = {
  'in-time': 'good',
  'may-overrun': 'caution',
  overruns: 'bad',
  'not-known': 'quiet',
}

/** The line of a window whose work is under way, by when it ends. */
export function headingLine(forecast: {
  readonly verdict: TimeVerdict
  readonly endsAt: string
  readonly eta: { readonly highAt: string; readonly lowAt: string } | null
}): WindowLine {
  const tone = HEADING[forecast.verdict]
  if (forecast.eta === null) return { tone: 'quiet', words: 'Running, end unknown' }
  const late = (at: string) => lateWords(Date.parse(at) - Date.parse(forecast.endsAt))
  switch (forecast.verdict) {
    case 'in-time': {
      const spareMs = Date.parse(forecast.endsAt) - Date.parse(forecast.eta.highAt)
      return { tone, words: `Running, ${estimateWords(spareMs, spareMs)} to spare` }
    }
    case 'may-overrun':
      return { tone, words: `Running, may end ${late(forecast.eta.highAt)}` }
    case 'overruns':
      return { tone, words: `Running, ends ${late(forecast.eta.lowAt)}` }
    case 'not-known':
      return { tone, words: 'Running, end unknown' }
  }
}

/** The line of a window that has ended, by its recorded runs alone: today's cloud says nothing about it. */
export function pastLine(
  window: Times & Pick<MaintenanceWindow, 'cancelled'>,
  runs: readonly RunSummary[],
): WindowLine {
  if (window.cancelled !== null) return { tone: 'quiet', words: 'Cancelled' }
  if (runs.length === 0) return { tone: 'quiet', words: 'Nothing ran' }
  const done = runs.filter(({ state }) => state === 'done')
  const nodes = new Set(done.flatMap(run => run.nodes ?? run.node ?? []))
  const ended = runs
    .flatMap(({ endedAt }) => endedAt ?? [])
    .toSorted()
    .at(-1)
  const begun = runs.map(({ createdAt }) => createdAt).toSorted()[0]
  const took =
    ended === undefined || begun === undefined ? '' : ` in ${tookWords(Date.parse(ended) - Date.parse(begun))}`
  const lateMs = ended === undefined ? 0 : Date.parse(ended) - Date.parse(window.endsAt)
  const late = lateMs < 60_000 ? '' : `, ended ${lateWords(lateMs)}`
  if (done.length < runs.length) {
    return { tone: 'caution', words: `${done.length} of ${counted(runs.length, 'run')} done${took}${late}` }
  }
  const what = nodes.size === 0 ? counted(runs.length, 'run') : counted(nodes.size, 'node')
  return { tone: late === '' ? 'good' : 'caution', words: `${what} done${took}${late}` }
}
