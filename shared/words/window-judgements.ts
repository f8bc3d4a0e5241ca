import type { RunSummary } from '../contract/run.ts'
import type { TimeVerdict } from '../domain/estimate.ts'
import type { MaintenanceWindow } from '../domain/window.ts'
import type { PlanBlock, WindowJudgement } from '../domain/window-judgement.ts'
import { counted, listed } from '../grammar/counts.ts'
import { durationWords, estimateWords } from '../grammar/durations.ts'

/** A window in one line: what it will do, or did, and whether it fits. */
export interface WindowLine {
  readonly tone: 'good' | 'caution' | 'bad' | 'quiet'
  readonly words: string
}

type Times = Pick<MaintenanceWindow, 'startsAt' | 'endsAt'>

const SHORT: Readonly<Record<string, string>> = {
  InstanceInError: 'is in ERROR',
  InstanceMigrating: 'is migrating',
  InstanceErrorButRunning: 'is in ERROR',
  OwnerMustAct: 'waits for its owner',
}

/** Why a node cannot go out, as short as it can be said: `gpu-02 cannot move`. */
function shortBlock({ code, values, message }: Pick<PlanBlock, 'code' | 'values' | 'message'>): string {
  const { name, id } = values
  if (typeof name === 'string' && typeof id === 'string') return `${name} ${SHORT[code] ?? 'cannot move'}`
  return message.replace(/\.$/, '')
}

/** What blocks whatever time the window has: a temporary condition does not. */
export function lastingBlocks({ blocks }: Pick<WindowJudgement, 'blocks'>): readonly PlanBlock[] {
  return blocks.filter(({ passes }) => !passes)
}

/** The line of a window that has not begun its work. */
export function judgementLine(judgement: WindowJudgement, { startsAt, endsAt }: Times): WindowLine {
  const { nodes, span } = judgement
  if (nodes === 0) return { tone: 'quiet', words: 'You start nodes yourself' }
  const blocked = blockedLine(lastingBlocks(judgement))
  if (blocked !== null) return { tone: 'bad', words: blocked }
  const many = counted(nodes, 'node')
  if (span === null) return { tone: 'quiet', words: `${many}, nothing blocks, time unknown` }
  const lengthMs = Date.parse(endsAt) - Date.parse(startsAt)
  const takes = `about ${estimateWords(span.lowMs, span.lowMs)}`
  if (span.lowMs > lengthMs) return { tone: 'bad', words: `${many}, ends ${lateWords(span.lowMs - lengthMs)}` }
  if (span.highMs > lengthMs) {
    return { tone: 'caution', words: `${many}, ${takes}, may end ${lateWords(span.highMs - lengthMs)}` }
  }
  return { tone: 'good', words: `${many} ${nodes === 1 ? 'fits' : 'fit'}, ${takes}` }
}

/** `cmp-04 cannot go out: gpu-02 cannot move`; null if nothing blocks. */
function blockedLine(blocks: readonly PlanBlock[]): string | null {
  const first = blocks.find(({ node }) => node !== null) ?? blocks[0]
  if (first === undefined) return null
  if (first.node === null) return shortBlock(first)
  const nodes = new Set(blocks.flatMap(({ node }) => node ?? []))
  return nodes.size === 1
    ? `${first.node} cannot go out: ${shortBlock(first)}`
    : `${nodes.size} nodes cannot go out: ${listed([...nodes])}`
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

/** The line of a window that is over, by its recorded runs alone: today's cloud says nothing about it. */
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
    ended === undefined || begun === undefined ? '' : ` in ${durationWords(Date.parse(ended) - Date.parse(begun))}`
  const lateMs = ended === undefined ? 0 : Date.parse(ended) - Date.parse(window.endsAt)
  const late = lateMs < 60_000 ? '' : `, ended ${lateWords(lateMs)}`
  if (done.length < runs.length) {
    return { tone: 'caution', words: `${done.length} of ${counted(runs.length, 'run')} done${took}${late}` }
  }
  const what = nodes.size === 0 ? counted(runs.length, 'run') : counted(nodes.size, 'node')
  return { tone: late === '' ? 'good' : 'caution', words: `${what} done${took}${late}` }
}
