import { clockWords, isApart } from '../../shared/domain/clock-skew.ts'
import { atMostWords, durationWords } from '../../shared/domain/duration-words.ts'
import { type FactTone, factLine, factSaying } from '../../shared/domain/fact-words.ts'
import { assertNever } from '../../shared/domain/must.ts'
import type { RunEvent, RunEventBody } from '../../shared/domain/run.ts'

/** One line of a run's log. */
interface EventLine {
  readonly seq: number
  readonly at: string
  readonly tone: FactTone
  readonly text: string
}

type Said = readonly [FactTone, string]

/** What happened, in a sentence; `titles` names the steps of the run's plan. */
export function eventLine(event: RunEvent, titles: ReadonlyMap<string, string>): EventLine {
  const [tone, text] = saying(event.body, titles)
  return { seq: event.seq, at: event.at, tone, text }
}

function saying(body: RunEventBody, titles: ReadonlyMap<string, string>): Said {
  const title = 'stepId' in body ? (titles.get(body.stepId) ?? body.stepId) : ''
  switch (body.kind) {
    case 'run-created':
      return ['plain', `Confirmed by ${body.driver.operator} on ${body.driver.machine}.`]
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
        ? ['bad', `${title}: blocked. ${body.answer.blockers.map(({ message }) => message).join(' ')}`]
        : ['quiet', `${title}: ${body.answer.reason}`]
    case 'blocker-overridden':
      return ['caution', `${title}: overridden with ${body.flag} (${body.reason}): ${body.message}`]
    case 'step-started':
      return ['plain', `${title} begins${body.attempt > 1 ? `, attempt ${body.attempt}` : ''}.`]
    case 'fact': {
      const said = factSaying(body, title)
      return [said.tone, factLine(said)]
    }
    case 'step-applied':
      return ['plain', `${title}: ${body.note}`]
    case 'step-failed':
      return ['bad', `${title}: failed. ${body.failure.message}`]
    case 'step-skipped':
      return body.by === 'operator'
        ? ['caution', `${title}: skipped by the operator. ${body.reason}`]
        : ['quiet', `${title}: nothing to do. ${body.reason}`]
    case 'step-verified':
      return body.answer.kind === 'holds'
        ? ['good', `${title}: verified${body.round === 'final' ? ' at the end' : ''}. ${body.answer.reason}`]
        : body.answer.kind === 'cannot-tell'
          ? ['bad', `${title}: cannot tell whether it is so. ${body.answer.reason} ${body.answer.remedy}`]
          : ['bad', `${title}: does not hold. ${body.answer.reason} ${body.answer.remedy}`]
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
      return ['caution', `${body.by} asked to abort${body.reason === '' ? '.' : `: ${body.reason}`}`]
    case 'driver-left':
      return ['caution', `Its driver left: ${body.why}`]
    case 'run-finished':
      return body.outcome === 'done' ? ['good', body.summary] : ['bad', `${OUTCOMES[body.outcome]}: ${body.summary}`]
    default:
      return assertNever(body, 'run event')
  }
}

const OUTCOMES = { done: 'Done', failed: 'Failed', aborted: 'Aborted', 'checks-failed': 'Checks did not hold' } as const
