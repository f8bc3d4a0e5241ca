import { clockWords, isApart } from '../../shared/domain/clock-skew.ts'
import { atMostWords, durationWords } from '../../shared/domain/duration-words.ts'
import { assertNever } from '../../shared/domain/must.ts'
import type { RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  CONFIRM_REQUESTED,
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  factName,
  factNumber,
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  INSTANCES_NOTED,
  LOCK_SETTLED,
  LOCK_WAITING,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  MIGRATION_STALLED,
  NOT_VERIFIED_YET,
  notVerifiedYetWords,
  OPERATOR_ANSWERED,
  OPERATOR_RESUMED,
  OUTLASTED,
  OUTLASTING,
  outlastingWords,
  POD_FAILED,
  POD_LEFT,
  percentOf,
  REQUEST_CREATED,
  REQUEST_REMOVED,
  START_REQUESTED,
  STOP_REQUESTED,
  subjectName,
  subjectNameWithId,
  TRY_AGAIN,
  WAITS_FOR,
  WATCHER_ACTION,
  WATCHER_ACTION_SKIPPED,
  WATCHER_LEFT,
  WATCHER_PLAN_CANCELLED,
  WATCHER_PLAN_MADE,
  WATCHER_PLAN_OVER,
  WATCHER_PLAN_STARTED,
} from '../../shared/domain/run-facts.ts'

/** How an event is to be looked at. */
export type EventTone = 'plain' | 'good' | 'caution' | 'bad' | 'quiet'

/** One line of a run's log. */
export interface EventLine {
  readonly seq: number
  readonly at: string
  readonly tone: EventTone
  readonly text: string
}

type Said = readonly [EventTone, string]

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
    case 'fact':
      return factWords(body, title)
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

function factWords(fact: Extract<RunEventBody, { kind: 'fact' }>, title: string): Said {
  const name = subjectName(fact)
  const value = (key: string) => String(fact.values[key] ?? '')
  switch (factName(fact)) {
    case MIGRATION_REQUESTED:
      return [
        'plain',
        `${name}: ${fact.values.how === 'cold' ? 'cold' : 'live'} migration asked for, attempt ${value('attempt')}.`,
      ]
    case CONFIRM_REQUESTED:
      return ['quiet', `${name}: arrived, its cold migration is being confirmed.`]
    case START_REQUESTED:
      return ['plain', `${name}: start asked for.`]
    case INSTANCE_STARTED:
      return ['good', `${name}: runs again.`]
    case STOP_REQUESTED:
      return ['plain', `${name}: stop asked for, attempt ${value('attempt')}.`]
    case INSTANCE_STOPPED:
      return ['good', `${name}: stopped.`]
    case MIGRATION_PROGRESS: {
      const percent = percentOf(fact)
      return [
        'quiet',
        percent === null ? `${name}: ${value('migrationStatus')}.` : `${name}: ${percent} % of its memory copied.`,
      ]
    }
    case MIGRATION_STALLED:
      return ['caution', `${name}: the migration stands still. ${value('remedy')}`]
    case MIGRATION_FAILED:
      return ['caution', `${name}: attempt ${value('attempt')} failed: ${value('why')}`]
    case ATTEMPTS_EXHAUSTED:
      return ['bad', `${name}: given up: ${value('why')}`]
    case INSTANCE_MOVED:
      return ['good', `${name}: moved to ${value('to')}, ${value('status')}.`]
    case INSTANCE_SETTLED:
      return ['plain', `${name}: need not move: ${value('why')}.`]
    case INSTANCES_NOTED:
      return ['quiet', `${name}: its instances are noted, to tell where they go.`]
    case INSTANCE_SEEN:
      return ['quiet', `${name}: is ${value('status')} on ${value('host')}.`]
    case EVICTION_REQUESTED:
      return ['quiet', `${name}: eviction asked for, attempt ${value('attempt')}.`]
    case EVICTION_ACCEPTED:
      return ['quiet', `${name}: is leaving.`]
    case EVICTION_REFUSED:
      return ['caution', `${name}: waits. ${value('sentence')}`]
    case POD_LEFT:
      return ['plain', `${name}: left.`]
    case POD_FAILED:
      return ['bad', `${name}: could not be evicted: ${value('message')}`]
    case OUTLASTING:
      return [
        'caution',
        `${title}: ${outlastingWords(fact, `after ${durationWords(Date.parse(value('until')) - Date.parse(value('since')))}`)}`,
      ]
    case OUTLASTED:
      return fact.values.passed === true
        ? ['good', `${title}: goes on.`]
        : ['quiet', `${title}: it did not pass by itself.`]
    case NOT_VERIFIED_YET:
      return [
        'caution',
        `${title}: ${notVerifiedYetWords(fact, `for ${durationWords(factNumber(fact, 'leftMs') ?? 0)}`)}`,
      ]
    case WAITS_FOR:
      return fact.values.what === null
        ? ['quiet', `${name}: need not be waited for any more.`]
        : ['plain', `${name}: waits for ${value('what')}`]
    case LOCK_WAITING:
      return [
        value('kind') === 'blocked' || value('kind') === 'trouble' ? 'caution' : 'plain',
        `${name}: its lock is ${value('state')}${value('message') === '' ? '.' : `: ${value('message')}`}`,
      ]
    case LOCK_SETTLED:
      return ['good', `${name}: its lock is ${value('state')}.`]
    case REQUEST_CREATED:
      return ['plain', `${name}: maintenance requested, scope ${value('scope')}.`]
    case REQUEST_REMOVED:
      return ['plain', `${name}: maintenance request removed; the controllers bring their applications back.`]
    case OPERATOR_ANSWERED:
      return ['quiet', `Answered: ${value('choice')}.`]
    case TRY_AGAIN:
      return ['quiet', `${name}: its attempts are counted anew.`]
    case OPERATOR_RESUMED:
      return ['quiet', `${name}: what used up its attempts gets one more.`]
    case WATCHER_PLAN_MADE:
      return ['plain', `${watcherPlan(fact)} of audit ${value('auditUuid')} recommends ${value('actions')} actions.`]
    case WATCHER_PLAN_STARTED:
      return ['plain', `${watcherPlan(fact)} of audit ${value('auditUuid')} is started for ${value('host')}.`]
    case WATCHER_ACTION_SKIPPED:
      return ['plain', `${subjectNameWithId(fact)}: left out of Watcher's plan: ${value('why')}`]
    case WATCHER_ACTION:
      return watcherActionWords(subjectNameWithId(fact), value)
    case WATCHER_PLAN_CANCELLED:
      return ['caution', `${watcherPlan(fact)} is cancelled: ${value('why')}`]
    case WATCHER_LEFT:
      return ['caution', `${watcherPlan(fact)} left instances on the host.`]
    case WATCHER_PLAN_OVER:
      return [
        value('failed') === '0' && value('notRun') === '0' ? 'good' : 'caution',
        `${watcherPlan(fact)} is over: ${value('succeeded')} done, ${value('skipped')} skipped, ${value('failed')} failed, ${value('notRun')} not run.`,
      ]
    case null:
      return ['quiet', `${name}: ${fact.fact}`]
  }
}

/** Which plan it is, so that it can be looked up in Watcher. */
function watcherPlan({ subject }: Extract<RunEventBody, { kind: 'fact' }>): string {
  return `Watcher's action plan ${subject.replace(/^watcher-plan\//, '')}`
}

function watcherActionWords(name: string, value: (key: string) => string): Said {
  const why = value('why') === '' ? '' : `: ${value('why')}`
  const said = `${name}: Watcher's ${value('type')} is ${value('state')}${why}`
  switch (value('state')) {
    case 'SUCCEEDED':
      return ['good', said]
    case 'FAILED':
    case 'CANCELLED':
      return ['bad', said]
    case 'SKIPPED':
      return ['caution', said]
    default:
      return ['plain', said]
  }
}
