import { clockWords, isApart } from '../../../shared/domain/clock-skew.ts'
import { atMostWords, durationWords } from '../../../shared/domain/duration-words.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import type { RunEvent, RunEventBody, RunFact } from '../../../shared/domain/run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  CONFIRM_REQUESTED,
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  factName,
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
} from '../../../shared/domain/run-facts.ts'
import { oneLine } from '../words/clean-text.ts'
import { timeOfDay } from '../words/format-time.ts'
import type { Look } from '../words/look.ts'

/** Turns a run's events into lines with time stamps, one an event that matters; keeps the titles of steps and what was said already. */
export interface EventLines {
  linesOf(event: RunEvent): readonly string[]
}

/** `verbose` tells every event; else what an operator watching a log wants to know. */
export function createEventLines(look: Look, verbose: boolean): EventLines {
  const titles = new Map<string, string>()
  const lastRefusals = new Map<string, string>()
  const { palette } = look

  const sayOf = (body: RunEventBody): string | null => {
    const title = 'stepId' in body ? (titles.get(body.stepId) ?? body.stepId) : ''
    switch (body.kind) {
      case 'run-created':
        for (const step of body.plan.steps) titles.set(step.id, step.title)
        return verbose ? `confirmed by ${body.driver.operator} on ${body.driver.machine}` : null
      case 'run-driven':
        return body.resumed ? `resumed by ${body.driver.operator} on ${body.driver.machine}` : null
      case 'lease-acquired':
        return verbose ? `holds the lease of ${body.node}` : null
      case 'lease-watched':
        return palette.warn(`${body.message} Watching whether it still is renewed: up to ${atMostWords(body.forMs)}.`)
      case 'lease-away':
        return palette.warn(`nothing is done without the lease of ${body.node}. ${body.why} Trying to take it back.`)
      case 'lease-back':
        return `took the lease of ${body.node} back after ${durationWords(body.awayMs)}; looking at everything afresh`
      case 'lease-lost':
        return palette.bad(`lost the lease of ${body.node}: ${body.why}`)
      case 'machine-slept':
        return palette.warn(`the machine slept for ${durationWords(body.ms)}; everything is looked at afresh`)
      case 'clocks-measured': {
        const apart = body.clocks.filter(isApart)
        if (apart.length > 0) return palette.warn(apart.map(clockWords).join(' '))
        return verbose ? body.clocks.map(clockWords).join(' ') : null
      }
      case 'step-checked':
        if (body.answer.kind === 'blocked') {
          return palette.bad(`${title}: blocked. ${body.answer.blockers.map(blocker => blocker.message).join(' ')}`)
        }
        return verbose ? `${title}: ${body.answer.reason}` : null
      case 'blocker-overridden':
        return palette.warn(`${title}: overridden by --${body.flag} (${body.reason}): ${body.message}`)
      case 'step-started':
        return `${title}${body.attempt > 1 ? ` (attempt ${body.attempt})` : ''}`
      case 'fact':
        return factLine(body)
      case 'step-applied':
        return `${title}: ${body.note}`
      case 'step-failed':
        return palette.bad(`${title}: failed. ${body.failure.message}`)
      case 'step-skipped':
        if (body.by === 'operator') return palette.warn(`${title}: skipped. ${body.reason}`)
        return verbose ? `${title}: nothing to do. ${body.reason}` : null
      case 'step-verified':
        if (body.answer.kind === 'fails')
          return palette.bad(`${title}: does not hold. ${body.answer.reason} ${body.answer.remedy}`)
        if (body.answer.kind === 'cannot-tell')
          return palette.bad(`${title}: cannot tell whether it is so. ${body.answer.reason} ${body.answer.remedy}`)
        return body.round === 'final' || verbose ? palette.good(`${title}: verified. ${body.answer.reason}`) : null
      case 'gate-opened':
        return palette.warn(`waits for an answer: ${body.question}`)
      case 'gate-answered':
        return `answered by ${body.by}: ${body.choice}${body.reason === '' ? '' : ` (${body.reason})`}`
      case 'pause-after-node-requested':
        return `${body.by} asked to stop after what is under way`
      case 'pause-requested':
        return `${body.by} asked to pause`
      case 'paused':
        return palette.warn('paused')
      case 'resume-requested':
        return `${body.by} asked to go on`
      case 'abort-requested':
        return palette.warn(`${body.by} asked to abort${body.reason === '' ? '' : `: ${body.reason}`}`)
      case 'driver-left':
        return palette.warn(`left: ${body.why}`)
      case 'run-finished':
        return body.outcome === 'done'
          ? palette.good(`done: ${body.summary}`)
          : palette.bad(`${body.outcome}: ${body.summary}`)
      default:
        return assertNever(body, 'run event')
    }
  }

  const factLine = (fact: Extract<RunEventBody, { kind: 'fact' }>): string | null => {
    const name = subjectName(fact)
    const value = (key: string) => String(fact.values[key] ?? '')
    switch (factName(fact)) {
      case MIGRATION_REQUESTED:
        return `${name}: ${fact.values.how === 'cold' ? 'cold' : 'live'} migration asked for, attempt ${value('attempt')}`
      case CONFIRM_REQUESTED:
        return verbose ? `${name}: arrived, its cold migration is being confirmed` : null
      case STOP_REQUESTED:
        return `${name}: stop asked for, attempt ${value('attempt')}`
      case INSTANCE_STOPPED:
        return `${name}: stopped`
      case MIGRATION_PROGRESS: {
        const percent = percentOf(fact)
        return verbose && percent !== null ? `${name}: ${percent} % of its memory copied` : null
      }
      case MIGRATION_STALLED:
        return palette.warn(`${name}: the migration stands still. ${value('remedy')}`)
      case MIGRATION_FAILED:
        return palette.warn(`${name}: attempt ${value('attempt')} failed: ${value('why')}`)
      case ATTEMPTS_EXHAUSTED:
        return palette.bad(`${name}: given up: ${value('why')}`)
      case INSTANCE_MOVED:
        return `${name}: moved to ${value('to')}, ${value('status')}`
      case INSTANCE_SETTLED:
        return `${name}: need not move: ${value('why')}`
      case START_REQUESTED:
        return `${name}: start asked for`
      case INSTANCE_STARTED:
        return palette.good(`${name}: runs again`)
      case INSTANCES_NOTED:
        return verbose ? `${name}: its instances are noted, to tell where they go` : null
      case INSTANCE_SEEN:
        return verbose ? `${name}: is ${value('status')} on ${value('host')}` : null
      case EVICTION_REQUESTED:
        return verbose ? `${name}: eviction asked for, attempt ${value('attempt')}` : null
      case EVICTION_ACCEPTED:
        return verbose ? `${name}: is leaving` : null
      case EVICTION_REFUSED: {
        const sentence = value('sentence')
        // A budget refuses every few seconds in the same words; once is enough.
        const known = lastRefusals.get(fact.subject) === sentence
        lastRefusals.set(fact.subject, sentence)
        return known && !verbose ? null : palette.warn(`${name}: waits. ${sentence}`)
      }
      case POD_LEFT:
        return `${name}: left`
      case POD_FAILED:
        return palette.bad(`${name}: could not be evicted: ${value('message')}`)
      case OUTLASTING:
        return palette.warn(
          `${titles.get(fact.stepId) ?? fact.stepId}: ${outlastingWords(fact, `at ${timeOfDay(value('until'), look.offsetMinutes)}`)}`,
        )
      case OUTLASTED:
        return `${titles.get(fact.stepId) ?? fact.stepId}: ${fact.values.passed === true ? 'goes on' : 'it did not pass by itself'}`
      case NOT_VERIFIED_YET:
        return palette.warn(
          `${titles.get(fact.stepId) ?? fact.stepId}: ${notVerifiedYetWords(fact, `until ${timeOfDay(value('until'), look.offsetMinutes)}`)}`,
        )
      case WAITS_FOR:
        return fact.values.what === null ? null : `${name}: waits: ${value('what')}`
      case LOCK_WAITING: {
        const line = `${name}: its lock is ${value('state')}${value('message') === '' ? '' : `: ${value('message')}`}`
        return value('kind') === 'blocked' || value('kind') === 'trouble' ? palette.warn(line) : line
      }
      case LOCK_SETTLED:
        return palette.good(`${name}: its lock is ${value('state')}`)
      case REQUEST_CREATED:
        return `${name}: maintenance requested, scope ${value('scope')}`
      case REQUEST_REMOVED:
        return `${name}: maintenance request removed`
      case OPERATOR_ANSWERED:
        // The gate's own line says who and why.
        return verbose ? `${name}: answered ${value('choice')}` : null
      case TRY_AGAIN:
        return verbose ? `${name}: answered ${value('choice')}, its attempts are counted anew` : null
      case OPERATOR_RESUMED:
        return verbose ? `${name}: what used up its attempts gets one more` : null
      case WATCHER_LEFT:
        return palette.warn(`${watcherPlan(fact)} left instances on the host`)
      case WATCHER_PLAN_MADE:
        return `${watcherPlan(fact)} of audit ${value('auditUuid')} recommends ${value('actions')} actions`
      case WATCHER_PLAN_STARTED:
        return `${watcherPlan(fact)} of audit ${value('auditUuid')} is started for ${value('host')}`
      case WATCHER_ACTION_SKIPPED:
        return `${subjectNameWithId(fact)}: left out of Watcher's plan: ${value('why')}`
      case WATCHER_ACTION: {
        const line = `${subjectNameWithId(fact)}: Watcher's ${value('type')} is ${value('state')}${value('why') === '' ? '' : `: ${value('why')}`}`
        if (value('state') === 'FAILED' || value('state') === 'CANCELLED') return palette.bad(line)
        return value('state') === 'SUCCEEDED' ? palette.good(line) : line
      }
      case WATCHER_PLAN_CANCELLED:
        return palette.warn(`${watcherPlan(fact)} is cancelled: ${value('why')}`)
      case WATCHER_PLAN_OVER:
        return `${watcherPlan(fact)} is over: ${value('succeeded')} done, ${value('skipped')} skipped, ${value('failed')} failed, ${value('notRun')} not run`
      default:
        return verbose ? `${name}: ${fact.fact}` : null
    }
  }

  return {
    linesOf: event => {
      const text = sayOf(event.body)
      // Painted text holds our own sequences; what came from the cloud is clean already, only its line breaks are left to mend.
      return text === null
        ? []
        : [
            `${palette.faint(timeOfDay(event.at, look.offsetMinutes))}  ${look.ansi ? text.replace(/\s+/g, ' ') : oneLine(text)}`,
          ]
    },
  }
}

/** Which plan it is, so that it can be looked up in Watcher. */
function watcherPlan({ subject }: Pick<RunFact, 'subject'>): string {
  return `Watcher's action plan ${subject.replace(/^watcher-plan\//, '')}`
}
