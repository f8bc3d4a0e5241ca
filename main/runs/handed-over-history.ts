import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { minutes } from '../../shared/domain/durations.ts'
import { isSameJson } from '../../shared/domain/is-same-json.ts'
import { jsonIn } from '../../shared/domain/json.ts'
import type { HandedOver } from '../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { RunEvent } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'

/** Limit of a history's lines in bytes: senders must not fill a runner's memory with a few of them. */
const LONGEST_HISTORY_BYTES = 16 * 1024 * 1024
/** Limit of events: they are read and written in one go, which blocks everything else. */
const MOST_EVENTS = 40_000
/** Limit of blockers that an operator lifted: each is compared with all others. */
const MOST_LIFTED_BLOCKERS = 1_000
/** Clocks may differ by this much; an event that is later is invalid. */
const CLOCKS_DIFFER_MS = minutes(60)

/** The events of a run that is handed over: all before the announcement. */
function eventsHandedOver(events: readonly RunEvent[]): readonly RunEvent[] {
  const closed = events.findLastIndex(({ body: { kind } }) => ENDS_HAND_OVER.has(kind))
  const announced = events.findIndex(({ body: { kind } }, at) => at > closed && kind === 'hand-over-announced')
  return announced < 0 ? events : events.slice(0, announced)
}

const ENDS_HAND_OVER: ReadonlySet<string> = new Set(['hand-over-failed', 'run-driven'])

/** A run as it is handed over (docs/runner.md): its events as compressed lines, and their hash. Fails if it is too long for a runner. */
export function packHistory(events: readonly RunEvent[]): Result<HandedOver> {
  const lines = Buffer.from(
    eventsHandedOver(events)
      .map(event => JSON.stringify(event))
      .join('\n'),
  )
  if (events.length > MOST_EVENTS || lines.length > LONGEST_HISTORY_BYTES) {
    const why = because('StoryTooLongForRunner', { events: events.length, bytes: lines.length })
    return failed(refusal('bad-input', why))
  }
  const compressed = brotliCompressSync(lines, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 7,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: lines.length,
    },
  })
  return ok({ run: events[0]?.runId ?? '', story: compressed.toString('base64'), storyHash: hashOf(lines) })
}

/** Reads a run that is handed over with this plan: its events must belong to one unfinished run of that plan, which no runner started. */
export function readHistory(given: HandedOver, plan: Plan, nowMs: number): Result<readonly RunEvent[]> {
  try {
    return readEvents(given, plan, nowMs)
  } catch {
    // Nested deeper than the reader allows: its content is invalid.
    return rejected(because('StoryUnread'))
  }
}

function readEvents(given: HandedOver, plan: Plan, nowMs: number): Result<readonly RunEvent[]> {
  const lines = linesOf(given)
  if (lines === null) return rejected(because('StoryNotUnpacked'))
  if (hashOf(lines) !== given.storyHash) return rejected(because('StoryOfOtherHash'))
  const events: RunEvent[] = []
  const texts = lines.toString('utf8').split('\n')
  if (texts.length > MOST_EVENTS) return rejected(because('StoryTooLong'))
  for (const line of texts) {
    const event = RunEvent.safeParse(jsonIn(line))
    if (!event.success) {
      return rejected(because('StoryEventUnread', { event: events.length + 1 }))
    }
    if (!isTime(event.data.at, nowMs)) return rejected(because('StoryEventWithoutTime', { event: events.length + 1 }))
    events.push(event.data)
  }
  const [first] = events
  if (first?.body.kind !== 'run-created') return rejected(because('StoryWithoutBeginning'))
  if (first.body.asked !== undefined) return rejected(because('StoryBegunByRunner'))
  if (!isSameJson(first.body.plan, plan)) return rejected(because('StoryOfOtherPlan'))
  const isOneRun = events.every(({ runId, seq }, index) => runId === given.run && seq > (events[index - 1]?.seq ?? 0))
  if (!isOneRun) return rejected(because('StoryOfSeveralRuns'))
  if (events.slice(1).some(({ body: { kind } }) => kind === 'run-created' || kind === 'run-taken-over')) {
    return rejected(because('StoryBegunTwice'))
  }
  const flags = new Set<string>(plan.options.overrides.map(({ flag }) => flag))
  const lifted = events.filter(({ body }) => body.kind === 'blocker-overridden')
  if (lifted.length > MOST_LIFTED_BLOCKERS || lifted.some(({ body }) => 'flag' in body && !flags.has(body.flag))) {
    return rejected(because('StoryLiftsMore'))
  }
  const steps = new Set(plan.steps.map(({ id }) => id))
  if (events.some(({ body }) => 'stepId' in body && !steps.has(body.stepId))) {
    return rejected(because('StoryOfOtherSteps'))
  }
  const { state } = foldRun(events)
  return state.kind === 'finished' ? rejected(because('StoryIsOver', { outcome: state.outcome })) : ok(events)
}

/** An instant in the journal's format, not in the future. */
function isTime(at: string, nowMs: number): boolean {
  const ms = Date.parse(at)
  return ms <= nowMs + CLOCKS_DIFFER_MS && new Date(ms).toISOString() === at
}

function linesOf({ story }: HandedOver): Buffer | null {
  try {
    return brotliDecompressSync(Buffer.from(story, 'base64'), { maxOutputLength: LONGEST_HISTORY_BYTES })
  } catch {
    return null
  }
}

function rejected(why: Finding): Result<never> {
  return failed(refusal('bad-input', because('StoryUnfit', { why })))
}

function hashOf(lines: Buffer): string {
  return createHash('sha256').update(lines).digest('hex')
}
