import { isApart } from '../domain/clock-skew.ts'
import { assertNever } from '../domain/must.ts'
import type { RunEvent, RunEventBody } from '../domain/run.ts'
import type { RunEnding } from '../domain/run-ending.ts'
import { asSentence } from '../grammar/counts.ts'
import { atMostWords, durationWords } from '../grammar/durations.ts'
import { clockWords } from './clocks.ts'
import { type FactTone, factLine, factSaying } from './facts.ts'
import { type EndingTone, endingTone } from './run-ending.ts'

interface EventLine {
  readonly seq: number
  readonly at: string
  readonly tone: FactTone
  readonly text: string
}

/** What the text of an event needs besides the event. */
interface EventContext {
  /** Formats the time of a server. */
  readonly timeOf?: (at: string) => string
  /** The end of its run, for the colour of its last line; absent if the run continues. */
  readonly ending?: RunEnding | null
}

/** An event in a sentence; `titles` names the steps of the run's plan. */
export function eventLine(
  { seq, at, body }: RunEvent,
  titles: ReadonlyMap<string, string>,
  context?: EventContext,
): EventLine {
  const title = 'stepId' in body ? (titles.get(body.stepId) ?? body.stepId) : ''
  const [tone, text] = eventWords(body, title, context)
  return { seq, at, tone, text: title === '' || body.kind === 'fact' ? text : `${title}: ${text}` }
}

/** The text of an event without its step; a fact contains the title of its step. Screen, terminal and report share this text. Over 80 lines: one case for each kind of event. */
export function eventWords(
  body: RunEventBody,
  title: string,
  { timeOf, ending = null }: EventContext = {},
): readonly [FactTone, string] {
  switch (body.kind) {
    case 'run-created':
      return ['plain', createdWords(body, timeOf)]
    case 'run-driven':
      return [
        'plain',
        `${body.resumed ? 'Resumed' : 'Started'} by ${body.driver.operator} on ${body.driver.machine} (process ${body.driver.pid}).`,
      ]
    case 'lease-acquired':
      return ['quiet', `Took the lease of ${body.node}.`]
    case 'lease-watched':
      return ['caution', `${body.message} Watching for a renewal for up to ${atMostWords(body.forMs)}.`]
    case 'lease-away':
      return [
        'caution',
        `Lost contact with the lease of ${body.node}, so nothing more is done there. ${body.why} Trying to take it back.`,
      ]
    case 'lease-back':
      return [
        'plain',
        `Took back the lease of ${body.node} after ${durationWords(body.awayMs)}. Lockkeeper checks everything again.`,
      ]
    case 'machine-slept':
      return ['caution', `This computer slept for ${durationWords(body.ms)}. Lockkeeper checks everything again.`]
    case 'clocks-measured': {
      const apart = body.clocks.filter(isApart)
      return apart.length > 0
        ? ['caution', apart.map(clockWords).join(' ')]
        : ['quiet', body.clocks.map(clockWords).join(' ') || 'No server sent its time.']
    }
    case 'lease-lost':
      return ['bad', `Lost the lease of ${body.node}: ${body.why}`]
    case 'step-checked':
      return body.answer.kind === 'blocked'
        ? ['bad', `blocked. ${body.answer.blockers.map(({ message }) => message).join(' ')}`]
        : ['quiet', body.answer.reason]
    case 'blocker-overridden':
      return ['caution', `overridden with --${body.flag} (${body.reason}): ${body.message}`]
    case 'step-started':
      return ['plain', body.attempt > 1 ? `starts, attempt ${body.attempt}.` : 'starts.']
    case 'fact': {
      const said = factSaying(body, title, timeOf)
      return [said.tone, factLine(said)]
    }
    case 'step-applied':
      return ['plain', body.note]
    case 'step-failed':
      return ['bad', `failed. ${body.failure.message}`]
    case 'step-skipped':
      return body.by === 'operator'
        ? ['caution', `skipped by the operator${body.reason === '' ? '.' : `: ${asSentence(body.reason)}`}`]
        : ['quiet', `nothing to do. ${body.reason}`]
    case 'step-verified':
      return body.answer.kind === 'holds'
        ? ['good', `verified${body.round === 'final' ? ' at the end' : ''}. ${body.answer.reason}`]
        : body.answer.kind === 'cannot-tell'
          ? ['bad', `could not verify this. ${body.answer.reason} ${body.answer.remedy}`]
          : ['bad', `verification failed. ${body.answer.reason} ${body.answer.remedy}`]
    case 'gate-opened':
      return ['caution', `Waits for an answer: ${body.question}`]
    case 'gate-answered':
      return ['plain', `Answered by ${body.by}: ${body.choice}${body.reason === '' ? '.' : ` (${body.reason}).`}`]
    case 'pause-after-node-requested':
      return ['plain', `${body.by} asked to stop after the current node.`]
    case 'pause-requested':
      return ['plain', `${body.by} asked to pause.`]
    case 'paused':
      return ['caution', 'Paused.']
    case 'resume-requested':
      return ['plain', `${body.by} resumed it.`]
    case 'abort-requested':
      return ['caution', `${body.by} asked to stop it${body.reason === '' ? '.' : `: ${asSentence(body.reason)}`}`]
    case 'driver-left':
      return ['caution', `Its console left it: ${asSentence(body.why)}`]
    case 'hand-over-announced': {
      const { namespace, by, object } = body.to
      return [
        'plain',
        `${body.by} hands it over to the runner in namespace ${namespace} of ${by}: MaintenanceRun ${object}.`,
      ]
    }
    case 'hand-over-failed':
      return ['caution', `It was not handed over. ${body.why}`]
    case 'run-taken-over':
      return [
        'plain',
        `Taken over from a console for MaintenanceRun ${body.asked.name}, as ${body.driver.operator} requested. Earlier events come from that console (SHA-256 ${body.storyHash.slice(0, 12)}…).`,
      ]
    case 'run-finished':
      if (body.outcome === 'handed-over') return ['plain', body.summary]
      // The summary names who stopped it.
      if (body.outcome === 'aborted') return ['caution', body.summary]
      if (body.outcome !== 'done') return ['bad', `${OUTCOMES[body.outcome]}: ${body.summary}`]
      // A completed run may still leave its node in the wrong state.
      return [ending === null ? 'plain' : ENDING_TONES[endingTone(ending)], body.summary]
    default:
      return assertNever(body, 'run event')
  }
}

const OUTCOMES = { failed: 'Failed', 'checks-failed': 'Checks failed' } as const

const ENDING_TONES: Readonly<Record<EndingTone, FactTone>> = {
  good: 'good',
  attention: 'caution',
  bad: 'bad',
  rest: 'plain',
}

/** The operator who confirmed a run: the one who started it, submitted it to a runner, or agreed to the automatic start of its window. */
function createdWords(
  { driver, plan: { window }, asked }: Extract<RunEventBody, { kind: 'run-created' }>,
  timeOf: (at: string) => string = at => at,
): string {
  const agreed = window?.kind === 'in' ? window.agreed : undefined
  if (asked !== undefined) {
    return `Confirmed by ${driver.operator}, as MaintenanceRun ${asked.name}, which ${driver.machine} accepted.`
  }
  return agreed === undefined
    ? `Confirmed by ${driver.operator} on ${driver.machine}.`
    : `Started automatically on ${driver.machine} when the window began, as ${agreed.by} agreed at ${timeOf(agreed.at)}.`
}
