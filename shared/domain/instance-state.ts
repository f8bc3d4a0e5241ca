import { leavesItThere } from './instance-choice.ts'
import type { InstanceHistory } from './instance-history.ts'

/**
 * `again`: the last attempt failed, and another follows. `given-up`: none follows. `left`: a decision keeps it here. `settled`: no move is needed.
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

/** Every list, count and report uses this function. */
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

/** Null if it did not move, or its host is unknown. */
export function wentTo(instance: InstanceHistory): string | null {
  return instance.attempts.at(-1)?.end?.to ?? seenElsewhere(instance)
}

/** Where the run saw an instance that controllers or its owner moved; null if not on another host. */
function seenElsewhere({ attempts, effectHost, looks }: InstanceHistory): string | null {
  if (attempts.length > 0 || effectHost === null) return null
  const host = looks.at(-1)?.host ?? null
  return host === effectHost ? null : host
}

/** A decision keeps it on its host, and it did not move since: it goes down with that host. */
export function isLeftHere({ decision, lastWord }: Pick<InstanceHistory, 'decision' | 'lastWord'>): boolean {
  return decision?.choice != null && leavesItThere(decision.choice) && lastWord !== 'moved'
}

export function isOutOfTheWay(state: InstanceState): boolean {
  return state === 'moved' || state === 'stopped' || state === 'started' || state === 'settled' || state === 'left'
}

export interface MovesTally {
  /** All finished instances, also those that need no action: the value of progress bars. */
  readonly done: number
  readonly total: number
  readonly toStop: number
  readonly moved: number
  readonly stopped: number
  readonly started: number
  readonly settled: number
  readonly left: number
  readonly failed: number
}

/** Every count of planned instances uses this. */
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

/** Planned or asked to leave or stop, left here by a person, or moved off the node by others. */
export function instancesConcerned(instances: Iterable<InstanceHistory>): readonly InstanceHistory[] {
  return [...instances].filter(instance => isToLeave(instance) || stateOf(instance) !== 'untouched')
}

export function tallyMoves(instances: Iterable<InstanceHistory>): MovesTally {
  const own = instancesConcerned(instances)
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
