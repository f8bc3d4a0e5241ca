import { leavesItThere } from './instance-choice.ts'
import type { InstanceHistory } from './instance-history.ts'

/**
 * What became of an instance in a run so far. `untouched`: nothing was done to it. `running`: it moves or stops now. `again`: the last attempt failed, and another
 * one follows. `given-up`: none follows. `left`: it was decided that it stays. `settled`: it needs no move any more. `started`: it was stopped, and runs again.
 */
export type InstanceState =
  | 'untouched'
  | 'running'
  | 'moved'
  | 'stopped'
  | 'started'
  | 'settled'
  | 'left'
  | 'again'
  | 'given-up'

/** The one answer to what became of an instance: every list, count and report asks here. */
export function stateOf(instance: InstanceHistory): InstanceState {
  const last = instance.attempts.at(-1)
  if (last === undefined)
    return isLeftHere(instance) ? 'left' : seenElsewhere(instance) === null ? 'untouched' : 'moved'
  switch (last.end?.kind) {
    case undefined:
      return 'running'
    case 'moved':
      return 'moved'
    case 'stopped':
      return instance.down?.to == null ? 'stopped' : 'started'
    case 'failed':
      return isLeftHere(instance) ? 'left' : 'again'
    case 'settled':
      return last.end.became === null && isLeftHere(instance) ? 'left' : 'settled'
    case 'given-up':
      return isLeftHere(instance) ? 'left' : last.end.kind
  }
}

/** The host to which an instance went; null: it did not, or nobody told. */
export function wentTo(instance: InstanceHistory): string | null {
  return instance.attempts.at(-1)?.end?.to ?? seenElsewhere(instance)
}

/** The host on which an instance was seen that nobody in this run moved: controllers or its owner did. Null: it was not seen elsewhere. */
function seenElsewhere({ attempts, effectHost, looks }: InstanceHistory): string | null {
  if (attempts.length > 0 || effectHost === null) return null
  const host = looks.at(-1)?.host ?? null
  return host === effectHost ? null : host
}

/** Whether it was decided last that an instance stays on its host, and it did not move since: it goes down with that host. */
export function isLeftHere({ decision, lastWord }: Pick<InstanceHistory, 'decision' | 'lastWord'>): boolean {
  return decision?.choice != null && leavesItThere(decision.choice) && lastWord !== 'moved'
}

/** Whether a run has nothing more to do about an instance. */
export function isOutOfTheWay(state: InstanceState): boolean {
  return state === 'moved' || state === 'stopped' || state === 'started' || state === 'settled' || state === 'left'
}

/** How many instances of a run came to what. */
export interface MovesTally {
  /** With those that have nothing more to be done about them: what a bar shows. */
  readonly done: number
  /** All that were planned to leave or to stop, and all that were asked to. */
  readonly total: number
  /** Those of {@link total} that were to be stopped where they are; the others were to move. */
  readonly toStop: number
  readonly moved: number
  /** Stopped by the run, and not seen to run since. */
  readonly stopped: number
  readonly started: number
  readonly settled: number
  readonly left: number
  /** Given up: all attempts failed. */
  readonly failed: number
}

/** What a plan does to an instance that a run has to see through: the one list of what counts as planned. */
function isToLeave({ effect }: Pick<InstanceHistory, 'effect'>): boolean {
  switch (effect?.action) {
    case 'live_migrate':
    case 'cold_migrate':
    case 'evacuate':
    case 'stop':
      return true
    default:
      return false
  }
}

/** The instances that a run has to see through: planned to leave or to stop, asked to, left here by a person, or gone from its node by others' hands. */
export function seenThrough(instances: Iterable<InstanceHistory>): readonly InstanceHistory[] {
  return [...instances].filter(instance => isToLeave(instance) || stateOf(instance) !== 'untouched')
}

/** Counts what became of the instances that a run has to see through. */
export function tallyMoves(instances: Iterable<InstanceHistory>): MovesTally {
  const own = seenThrough(instances)
  const states = own.map(stateOf)
  const count = (...of: readonly InstanceState[]) => states.filter(state => of.includes(state)).length
  return {
    done: states.filter(isOutOfTheWay).length,
    total: own.length,
    toStop: own.filter(isToStop).length,
    moved: count('moved'),
    stopped: count('stopped'),
    started: count('started'),
    settled: count('settled'),
    left: count('left'),
    failed: count('given-up'),
  }
}

function isToStop(instance: InstanceHistory): boolean {
  if (isToLeave(instance)) return instance.effect?.action === 'stop'
  const first = instance.attempts[0]
  return first?.asked?.how === 'stop' || first?.watcherType === 'stop'
}
