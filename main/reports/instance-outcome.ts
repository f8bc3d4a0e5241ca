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
import { hasBegun, hasBegunAt, isOver, type ReportedRun } from './material.ts'

type Outcome = Pick<ReportInstance, 'outcome' | 'words'>
type Known = {
  readonly instance: InstanceHistory
  /** The last one last. */
  readonly looks: readonly InstanceLook[]
  readonly before: ReportInstance['before']
  readonly after: ReportInstance['after']
  /** In which times are told. */
  readonly timeZone: string
}

/** What became of an instance, by the last thing that was told of it; where nothing was, by where it was seen and what was decided. */
export function instanceOutcome(known: Known, run: ReportedRun): Outcome {
  const { instance } = known
  const state = stateOf(instance)
  if (state === 'left') return { outcome: 'left-here', words: stillHere(instance) }
  const last = instance.reported.at(-1)
  const reported = last === undefined ? null : fromFact(last, run)
  if (reported === null) return withoutFacts(known, run)
  return { outcome: OUTCOMES[state] ?? reported.outcome, words: `${reported.words}${movedOn(known)}` }
}

/** What the report calls what every other face says of an instance; what nothing was done to is told by the last fact. */
const OUTCOMES: Readonly<Partial<Record<InstanceState, Outcome['outcome']>>> = {
  running: 'not-reached',
  moved: 'moved',
  stopped: 'stopped',
  started: 'stayed',
  settled: 'settled',
  again: 'failed',
  'given-up': 'failed',
}

/** Who left an instance on its host, and why. */
function stillHere({ decision }: InstanceHistory): string {
  const by = decision?.isByRule === true ? null : (decision?.by ?? 'somebody')
  return `Still here, ${asPhrase(leftHereWords({ by, reason: decision?.reason ?? '' }))}.`
}

/** An instance may be moved on by the next node's work, or by its owner. */
function movedOn({ looks, after, timeZone }: Known): string {
  const seen = looks.at(-1) ?? null
  if (seen === null || after === null || seen.host === null || seen.host === after.host) return ''
  return ` Seen on ${seen.host} later, at ${momentWords(seen.at, timeZone)}.`
}

function fromFact(last: RunFact, run: ReportedRun): Outcome | null {
  const why = factText(last, 'why')
  switch (last.fact) {
    case INSTANCE_MOVED:
      return { outcome: 'moved', words: `Moved to ${factText(last, 'to') ?? 'another host'}.` }
    case INSTANCE_STOPPED:
      return { outcome: 'stopped', words: 'Stopped where it is; its owner starts it again.' }
    case INSTANCE_STARTED:
      return { outcome: 'stayed', words: 'Was down, and was started again.' }
    case START_REQUESTED:
      return { outcome: 'stopped', words: `Its start was asked for; whether it runs is ${pending(run)}.` }
    case INSTANCE_SETTLED:
      return { outcome: 'settled', words: `Needed no move any more: ${why ?? 'no reason given'}.` }
    case ATTEMPTS_EXHAUSTED:
      return { outcome: 'failed', words: `Given up: ${why ?? 'all attempts failed'}.` }
    case MIGRATION_FAILED:
      return { outcome: 'failed', words: `The last attempt failed: ${why ?? 'no reason given'}.` }
    case MIGRATION_REQUESTED:
      return { outcome: 'not-reached', words: `A migration was asked for; whether it arrived is ${pending(run)}.` }
    case STOP_REQUESTED:
      return { outcome: 'not-reached', words: `Its stop was asked for; whether it stopped is ${pending(run)}.` }
    case WATCHER_ACTION:
      return fromWatcher(last, run)
    default:
      return null
  }
}

function pending(run: ReportedRun): string {
  return isOver(run) || run.interrupted ? 'not in the journal' : 'not known yet'
}

function fromWatcher(last: RunFact, run: ReportedRun): Outcome {
  const type = factText(last, 'type') ?? 'action'
  const state = factText(last, 'state') ?? 'in an unknown state'
  const why = factText(last, 'why') ?? ''
  const because = why === '' ? '' : `: ${why}`
  switch (state) {
    case 'SUCCEEDED':
      return type === 'stop'
        ? { outcome: 'stopped', words: 'Stopped by Watcher; its owner starts it again.' }
        : { outcome: 'moved', words: `Moved by Watcher to ${factText(last, 'to') ?? 'another host'}.` }
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
    return { outcome: 'not-reached', words: `${instance.node} was not begun: the run did not touch it.${where}` }
  }
  if (after?.host != null && before.host !== null && after.host !== before.host) {
    const by = isDoneByControllers(run) ? ' by the OpenStack Controller' : ''
    return { outcome: 'moved', words: `Moved to ${after.host}${by}${seen}.` }
  }
  const stands = after === null ? null : `${after.status ?? 'in an unknown state'}${seen}`
  // It ran, and does not any more: whoever stopped it, its users were without it.
  if (isUp(before.power) && after?.power != null && !isUp(after.power)) {
    return { outcome: 'stopped', words: `It is down: ${stands}. Its owner starts it again.` }
  }
  if (plan.kind !== 'leave' && !hasBegun(run)) {
    return { outcome: 'not-reached', words: 'Nothing was begun: it was not touched.' }
  }
  const isLeft = after === null && isDoneByControllers(run)
  const left = {
    outcome: 'not-reached',
    words: 'Left to the OpenStack Controller; where it went is not in this journal.',
  } as const
  switch (effect?.action) {
    case 'live_migrate':
    case 'cold_migrate':
    case 'evacuate':
    case 'stop':
      return isLeft
        ? left
        : { outcome: 'not-reached', words: `Was to move and did not${stands === null ? '' : `: ${stands}`}.` }
    case 'poweroff':
      return {
        outcome: 'stayed',
        words: `Stays and goes down with the node if that is rebooted${stands === null ? '' : `; ${stands}`}.`,
      }
    case 'notify':
      return { outcome: 'left-to-owner', words: `Its owner was to act${stands === null ? '' : `: ${stands}`}.` }
    case 'blocked':
      // A plan may block what the controller moves after all.
      return isLeft
        ? left
        : { outcome: 'not-reached', words: `Could not be decided or moved${stands === null ? '' : `: ${stands}`}.` }
    default:
      return { outcome: 'stayed', words: `Stays where it is${stands === null ? '' : `: ${stands}`}.` }
  }
}

/** Whether the hypervisor has it: a paused one is lost with its host's memory too. */
function isUp(power: string | null): boolean {
  return power === 'Running' || power === 'Paused'
}

/** On `mosk` the OpenStack Controller moves instances; Lockkeeper only waits for its lock. */
function isDoneByControllers({ view }: ReportedRun): boolean {
  return view.plan.flavour === 'mosk'
}
