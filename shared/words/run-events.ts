import { isApart } from '../domain/clock-skew.ts'
import { assertNever } from '../domain/must.ts'
import type { RunEvent, RunEventBody } from '../domain/run.ts'
import type { RunEnding } from '../domain/run-ending.ts'
import { asSentence } from '../grammar/counts.ts'
import { atMostWords, durationWords } from '../grammar/durations.ts'
import { clockWords } from './clocks.ts'
import { type FactTone, factLine, factSaying } from './facts.ts'
import { type EndingTone, endingTone } from './run-ending.ts'

/** One line of a run's log. */
interface EventLine {
  readonly seq: number
  readonly at: string
  readonly tone: FactTone
  readonly text: string
}

/** What an event says by itself does not tell. */
interface EventContext {
  /** Writes a time that a server told. */
  readonly timeOf?: (at: string) => string
  /** How its run ended, for the colour of its last line; absent: it goes on. */
  readonly ending?: RunEnding | null
}

/** What happened, in a sentence; `titles` names the steps of the run's plan. */
export function eventLine(
  { seq, at, body }: RunEvent,
  titles: ReadonlyMap<string, string>,
  context?: EventContext,
): EventLine {
  const title = 'stepId' in body ? (titles.get(body.stepId) ?? body.stepId) : ''
  const [tone, text] = eventWords(body, title, context)
  return { seq, at, tone, text: title === '' || body.kind === 'fact' ? text : `${title}: ${text}` }
}

/** The same of what happened alone; a fact has its step's title in its own words. Screen, terminal and report have no other words for an event. */
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
        `${body.resumed ? 'Resumed' : 'Driven'} by ${body.driver.operator} on ${body.driver.machine} (process ${body.driver.pid}).`,
      ]
    case 'lease-acquired':
      return ['quiet', `Holds the lease of ${body.node}.`]
    case 'lease-watched':
      return ['caution', `${body.message} Watching whether it still is renewed: up to ${atMostWords(body.forMs)}.`]
    case 'lease-away':
      return ['caution', `Nothing is done without the lease of ${body.node}. ${body.why} Trying to take it back.`]
    case 'lease-back':
      return [
        'plain',
        `Took the lease of ${body.node} back after ${durationWords(body.awayMs)}; looking at everything afresh.`,
      ]
    case 'machine-slept':
      return ['caution', `The machine slept for ${durationWords(body.ms)}; everything is looked at afresh.`]
    case 'clocks-measured': {
      const apart = body.clocks.filter(isApart)
      return apart.length > 0
        ? ['caution', apart.map(clockWords).join(' ')]
        : ['quiet', body.clocks.map(clockWords).join(' ') || 'No server told its time.']
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
      return ['plain', body.attempt > 1 ? `begins, attempt ${body.attempt}.` : 'begins.']
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
          ? ['bad', `cannot tell whether it is so. ${body.answer.reason} ${body.answer.remedy}`]
          : ['bad', `does not hold. ${body.answer.reason} ${body.answer.remedy}`]
    case 'gate-opened':
      return ['caution', `Waits for an answer: ${body.question}`]
    case 'gate-answered':
      return ['plain', `Answered by ${body.by}: ${body.choice}${body.reason === '' ? '.' : ` (${body.reason}).`}`]
    case 'pause-after-node-requested':
      return ['plain', `${body.by} asked to stop after what is under way.`]
    case 'pause-requested':
      return ['plain', `${body.by} asked to pause.`]
    case 'paused':
      return ['caution', 'Paused.']
    case 'resume-requested':
      return ['plain', `${body.by} asked to go on.`]
    case 'abort-requested':
      return ['caution', `${body.by} asked to abort${body.reason === '' ? '.' : `: ${asSentence(body.reason)}`}`]
    case 'driver-left':
      return ['caution', `Its driver left: ${asSentence(body.why)}`]
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
        `Taken over from a console for MaintenanceRun ${body.asked.name}, as ${body.driver.operator} asked. What is told before is that console's word (SHA-256 ${body.storyHash.slice(0, 12)}…).`,
      ]
    case 'run-finished':
      if (body.outcome === 'handed-over') return ['plain', body.summary]
      // Who stopped it says its summary.
      if (body.outcome === 'aborted') return ['caution', body.summary]
      if (body.outcome !== 'done') return ['bad', `${OUTCOMES[body.outcome]}: ${body.summary}`]
      // That it went through says nothing yet of its node.
      return [ending === null ? 'plain' : ENDING_TONES[endingTone(ending)], body.summary]
    default:
      return assertNever(body, 'run event')
  }
}

const OUTCOMES = { failed: 'Failed', 'checks-failed': 'Checks did not hold' } as const

const ENDING_TONES: Readonly<Record<EndingTone, FactTone>> = {
  good: 'good',
  attention: 'caution',
  bad: 'bad',
  rest: 'plain',
}

/** Who confirmed a run: whoever started it, asked a runner for it, or agreed that its window starts by itself. */
function createdWords(
  { driver, plan: { window }, asked }: Extract<RunEventBody, { kind: 'run-created' }>,
  timeOf: (at: string) => string = at => at,
): string {
  const agreed = window?.kind === 'in' ? window.agreed : undefined
  if (asked !== undefined) {
    return `Confirmed by ${driver.operator}, as MaintenanceRun ${asked.name} that ${driver.machine} took up.`
  }
  return agreed === undefined
    ? `Confirmed by ${driver.operator} on ${driver.machine}.`
    : `Started by itself on ${driver.machine} at the window's beginning, as ${agreed.by} agreed at ${timeOf(agreed.at)}.`
}
