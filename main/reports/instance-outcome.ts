import type { InstanceHistory, InstanceLook } from '../../shared/domain/instance-history.ts'
import { type InstanceState, stateOf } from '../../shared/domain/instance-state.ts'
import { isNodeRun } from '../../shared/domain/plan.ts'
import type { ReportInstance } from '../../shared/domain/report.ts'
import type { RunFact } from '../../shared/domain/run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factText,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  INSTANCE_STARTED,
  INSTANCE_STOPPED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  START_REQUESTED,
  STOP_REQUESTED,
  WATCHER_ACTION,
} from '../../shared/domain/run-facts.ts'
import { asPhrase } from '../../shared/grammar/counts.ts'
import { momentWords } from '../../shared/grammar/times.ts'
import { leftHereWords } from '../../shared/words/node-verdict.ts'
import { hasBegun, hasBegunAt, hasEnded, type ReportedRun } from './material.ts'

type Outcome = Pick<ReportInstance, 'outcome' | 'words'>
type Known = {
  readonly instance: InstanceHistory
  /** The latest one is last. */
  readonly looks: readonly InstanceLook[]
  readonly before: ReportInstance['before']
  readonly after: ReportInstance['after']
  readonly timeZone: string
}

/** What happened to an instance: by its last fact, else by its place and the plan. */
export function instanceOutcome(known: Known, run: ReportedRun): Outcome {
  const { instance } = known
  const state = stateOf(instance)
  if (state === 'left') return { outcome: 'left-here', words: stillHere(instance) }
  const last = instance.reported.at(-1)
  const fromLast = last === undefined ? null : fromFact(last, run)
  if (fromLast === null) return withoutFacts(known, run)
  return { outcome: OUTCOMES[state] ?? fromLast.outcome, words: `${fromLast.words}${movedOn(known)}` }
}

/** The outcome for each state of an instance. For other states the last fact decides. */
const OUTCOMES: Readonly<Partial<Record<InstanceState, Outcome['outcome']>>> = {
  running: 'not-reached',
  moved: 'moved',
  stopped: 'stopped',
  started: 'stayed',
  settled: 'settled',
  again: 'failed',
  'given-up': 'failed',
}

/** The person who left an instance on its node, and the reason. */
function stillHere({ decision }: InstanceHistory): string {
  const by = decision?.isByRule === true ? null : (decision?.by ?? 'somebody')
  return `Still here, ${asPhrase(leftHereWords({ by, reason: decision?.reason ?? '' }))}.`
}

/** Another run or its owner may have moved it later. */
function movedOn({ looks, after, timeZone }: Known): string {
  const seen = looks.at(-1) ?? null
  if (seen === null || after === null || seen.host === null || seen.host === after.host) return ''
  return ` It was on ${seen.host} at ${momentWords(seen.at, timeZone)}.`
}

function fromFact(last: RunFact, run: ReportedRun): Outcome | null {
  const why = factText(last, 'why')
  switch (last.fact) {
    case INSTANCE_MOVED:
      return { outcome: 'moved', words: `Moved to ${factText(last, 'to') ?? 'another host'}.` }
    case INSTANCE_STOPPED:
      return { outcome: 'stopped', words: 'Stopped. Its owner starts it again.' }
    case INSTANCE_STARTED:
      return { outcome: 'stayed', words: 'It was down and was started again.' }
    case START_REQUESTED:
      // An earlier run stopped it; one that this run stopped is counted by its state.
      return { outcome: 'not-reached', words: `The run asked Nova to start it; whether it runs is ${pending(run)}.` }
    case INSTANCE_SETTLED:
      return { outcome: 'settled', words: `It needed no move: ${why ?? 'no reason given'}.` }
    case ATTEMPTS_EXHAUSTED:
      return { outcome: 'failed', words: `The run gave up: ${why ?? 'all attempts failed'}.` }
    case MIGRATION_FAILED:
      return { outcome: 'failed', words: `The last attempt failed: ${why ?? 'no reason given'}.` }
    case MIGRATION_REQUESTED:
      return { outcome: 'not-reached', words: `The run asked Nova to move it; whether it arrived is ${pending(run)}.` }
    case STOP_REQUESTED:
      return { outcome: 'not-reached', words: `The run asked Nova to stop it; whether it stopped is ${pending(run)}.` }
    case WATCHER_ACTION:
      return fromWatcher(last, run)
    default:
      return null
  }
}

function pending(run: ReportedRun): string {
  return hasEnded(run) || run.interrupted ? 'not in the journal' : 'still unknown'
}

function fromWatcher(last: RunFact, run: ReportedRun): Outcome {
  const type = factText(last, 'type') ?? 'action'
  const state = factText(last, 'state') ?? 'in an unknown state'
  const why = factText(last, 'why') ?? ''
  const because = why === '' ? '' : `: ${why}`
  switch (state) {
    case 'SUCCEEDED':
      return type === 'stop'
        ? { outcome: 'stopped', words: 'Watcher stopped it. Its owner starts it again.' }
        : { outcome: 'moved', words: `Watcher moved it to ${factText(last, 'to') ?? 'another host'}.` }
    case 'FAILED':
    case 'CANCELLED':
      return { outcome: 'failed', words: `Watcher's ${type} is ${state}${because}.` }
    case 'SKIPPED':
      return { outcome: 'stayed', words: `Watcher left it out${because}.` }
    default:
      return { outcome: 'not-reached', words: `Watcher's ${type} was ${state}; how it ended is ${pending(run)}.` }
  }
}

function withoutFacts({ instance, looks, before, after, timeZone }: Known, run: ReportedRun): Outcome {
  const { effect } = instance
  const look = looks.at(-1)
  const seen = look === undefined ? '' : `, seen at ${momentWords(look.at, timeZone)}`
  const { plan } = run.view
  if (!isNodeRun(plan.kind) && !hasBegunAt(run, instance.node)) {
    const where = after?.host == null || after.host === before.host ? '' : ` It was on ${after.host}${seen}.`
    return { outcome: 'not-reached', words: `The run did not start on ${instance.node}.${where}` }
  }
  if (after?.host != null && before.host !== null && after.host !== before.host) {
    const by = isDoneByControllers(run) ? ' by the OpenStack Controller' : ''
    return { outcome: 'moved', words: `Moved to ${after.host}${by}${seen}.` }
  }
  const seenAs = after === null ? null : `${after.status ?? 'in an unknown state'}${seen}`
  // It ran before and is down now: its users were without it, whatever stopped it.
  if (isUp(before.power) && after?.power != null && !isUp(after.power)) {
    return { outcome: 'stopped', words: `It is down: ${seenAs}. Its owner starts it again.` }
  }
  if (plan.kind !== 'leave' && !hasBegun(run)) {
    return { outcome: 'not-reached', words: 'The run started nothing.' }
  }
  const isLeft = after === null && isDoneByControllers(run)
  const left = {
    outcome: 'not-reached',
    words: 'The OpenStack Controller moves it; where to is not in this journal.',
  } as const
  switch (effect?.action) {
    case 'live_migrate':
    case 'cold_migrate':
    case 'evacuate':
    case 'stop':
      return isLeft
        ? left
        : { outcome: 'not-reached', words: `It did not move${seenAs === null ? '' : `: ${seenAs}`}.` }
    case 'poweroff':
      return {
        outcome: 'stayed',
        words: `It stays, and stops if the node reboots${seenAs === null ? '' : `; ${seenAs}`}.`,
      }
    case 'notify':
      return { outcome: 'left-to-owner', words: `It waits for its owner${seenAs === null ? '' : `: ${seenAs}`}.` }
    case 'blocked':
      // The controller may move what the plan could not.
      return isLeft
        ? left
        : { outcome: 'not-reached', words: `The plan had no way to move it${seenAs === null ? '' : `: ${seenAs}`}.` }
    default:
      return { outcome: 'stayed', words: `It stays where it is${seenAs === null ? '' : `: ${seenAs}`}.` }
  }
}

/** Whether its memory is on its host. A paused instance loses it too. */
function isUp(power: string | null): boolean {
  return power === 'Running' || power === 'Paused'
}

/** On `mosk` the OpenStack Controller moves instances, and Lockkeeper waits for its lock. */
function isDoneByControllers({ view }: ReportedRun): boolean {
  return view.plan.flavour === 'mosk'
}
