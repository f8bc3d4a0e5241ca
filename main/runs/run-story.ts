import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { failure } from '../../shared/domain/failure.ts'
import { jsonOf } from '../../shared/domain/json.ts'
import type { HandedOver } from '../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { RunEvent } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'

/** The most bytes of a story as lines: who sends one may not fill the memory of a runner with a few of them. */
const LONGEST_STORY_BYTES = 128 * 1024 * 1024

/** The events of a run that is handed over: all that were told before it was announced. */
function eventsHandedOver(events: readonly RunEvent[]): readonly RunEvent[] {
  const announced = events.findLastIndex(({ body: { kind } }) => kind === 'hand-over-announced')
  const isOpen = announced >= 0 && !events.slice(announced).some(({ body: { kind } }) => CLOSES.has(kind))
  return isOpen ? events.slice(0, announced) : events
}

const CLOSES: ReadonlySet<string> = new Set(['hand-over-failed', 'run-driven'])

/** A run as it is handed over (docs/runner.md): its events as lines, compressed, and the hash of those lines. */
export function storyOf(events: readonly RunEvent[]): HandedOver {
  const lines = Buffer.from(
    eventsHandedOver(events)
      .map(event => JSON.stringify(event))
      .join('\n'),
  )
  const compressed = brotliCompressSync(lines, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 7,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: lines.length,
    },
  })
  return { run: events[0]?.runId ?? '', story: compressed.toString('base64'), storyHash: hashOf(lines) }
}

/**
 * Reads a run that is handed over, whose plan is this one. What its events tell is the word of the console that sends them; that they are the events of one run of
 * that plan, which is not over and was begun by no runner, is looked at here. A failure (`bad-input`) says in a sentence or two what they are not.
 */
export function readStory(given: HandedOver, plan: Plan): Result<readonly RunEvent[]> {
  const lines = linesOf(given)
  if (lines === null) return unfit('its story cannot be unpacked, or is too long')
  if (hashOf(lines) !== given.storyHash) return unfit('its story is not the one whose hash it names')
  const events: RunEvent[] = []
  for (const line of lines.toString('utf8').split('\n')) {
    const event = RunEvent.safeParse(jsonOf(line))
    if (!event.success) {
      return unfit(`event ${events.length + 1} of its story cannot be read by this version`)
    }
    events.push(event.data)
  }
  const [first] = events
  if (first?.body.kind !== 'run-created') return unfit('its story does not begin with the beginning of a run')
  if (first.body.asked !== undefined) return unfit('it was begun by a runner')
  if (JSON.stringify(first.body.plan) !== JSON.stringify(plan)) return unfit('its story is of another plan')
  const isOneRun = events.every(({ runId, seq }, index) => runId === given.run && seq > (events[index - 1]?.seq ?? 0))
  if (!isOneRun) return unfit('its story is not that of one run, in order')
  if (events.slice(1).some(({ body: { kind } }) => kind === 'run-created' || kind === 'run-taken-over')) {
    return unfit('its story has a second beginning')
  }
  const steps = new Set(plan.steps.map(({ id }) => id))
  if (events.some(({ body }) => 'stepId' in body && !steps.has(body.stepId))) {
    return unfit('its story tells of steps that its plan has not')
  }
  const { state } = foldRun(events)
  return state.kind === 'finished' ? unfit(`the run is over: ${state.outcome}`) : ok(events)
}

function linesOf({ story }: HandedOver): Buffer | null {
  try {
    return brotliDecompressSync(Buffer.from(story, 'base64'), { maxOutputLength: LONGEST_STORY_BYTES })
  } catch {
    return null
  }
}

function unfit(why: string): Result<never> {
  return failed(
    failure(
      'bad-input',
      `The run that is handed over cannot be gone on with: ${why}. Take it back where it was driven (\`lockkeeper run resume\`).`,
    ),
  )
}

function hashOf(lines: Buffer): string {
  return createHash('sha256').update(lines).digest('hex')
}
