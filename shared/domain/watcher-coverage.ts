import type { Instance } from './openstack.ts'
import type { DisabledMigration } from './plan.ts'
import type { WatcherAction } from './watcher.ts'
import { isPossible, moveOf, novaMovesLive, vmStateOf, type WatcherMove, watcherMove } from './watcher-moves.ts'

/** The operator's choices about instances under Watcher's plan. */
export interface CoverageChoices {
  readonly disableMigration: DisabledMigration
  /** Instances that Watcher would handle wrongly move through Nova. */
  readonly novaForRest: boolean
  readonly excluded: ReadonlySet<string>
  readonly canSkip: boolean
}

type InstanceMove = Exclude<WatcherMove, 'stays'>

/** `state`: Nova's vm_state. */
export type InstanceFate =
  | {
      readonly kind: 'by-watcher'
      readonly action: WatcherAction
      readonly move: InstanceMove
      readonly state: string
    }
  /** Watcher would fail (`refused`) or has no action for it (null); Nova moves it live after Watcher's plan. */
  | {
      readonly kind: 'by-nova'
      readonly action: WatcherAction | null
      readonly refused: { readonly move: InstanceMove; readonly state: string } | null
    }
  | {
      readonly kind: 'stays'
      readonly action: WatcherAction | null
      readonly why: StayReason
      readonly state: string
    }
  | { readonly kind: 'blocked'; readonly action: WatcherAction | null; readonly why: InstanceObstacle }

/** Already stopped, left out, or migration is excluded for instances that are not active. */
type StayReason = 'StoppedAlready' | 'LeftOut' | 'RuledOut'

/** Why Watcher's plan cannot run with an instance in this state. */
export type InstanceObstacle =
  /** The plan was made for another state of the instance. */
  | {
      readonly code: 'InstanceChangedSincePlan'
      readonly move: InstanceMove
      readonly state: string
      readonly expected: WatcherMove
    }
  | { readonly code: 'InstanceCannotBeLeftOut' }
  /** The plan does not contain it; `isMovable`: Nova itself would move it live. */
  | { readonly code: 'InstanceNotInPlan'; readonly state: string; readonly isMovable: boolean }
  /** Nova refuses the planned action; `isMovable`: Nova itself would move it live, unless that is excluded. */
  | {
      readonly code: 'InstanceMoveImpossible'
      readonly move: InstanceMove
      readonly state: string
      readonly isMovable: boolean
      readonly liveRuledOut: boolean
    }

/** By Nova's rules, not Watcher's (docs/domain.md B.2, C.4); a plan for another state of the instance never runs. */
export function instanceFate(
  instance: Pick<Instance, 'id' | 'status' | 'vmState' | 'taskState'>,
  action: WatcherAction | null,
  choices: CoverageChoices,
): InstanceFate {
  const state = vmStateOf(instance)
  if (choices.excluded.has(instance.id)) return excludedFate(state, action, choices)
  const expected = watcherMove(instance, choices.disableMigration)
  if (action === null) return uncoveredFate(instance, expected, choices)
  const move = moveOf(action)
  if (move === null || action.state === 'SKIPPED') return uncoveredFate(instance, expected, choices)
  if (move === 'stop' && state === 'stopped') return { kind: 'stays', action, why: 'StoppedAlready', state }
  if (move !== expected) return blocked(action, { code: 'InstanceChangedSincePlan', move, state, expected })
  if (isPossible(move, instance)) return { kind: 'by-watcher', action, move, state }
  return impossibleFate(instance, action, move, choices)
}

function excludedFate(state: string, action: WatcherAction | null, { canSkip }: CoverageChoices): InstanceFate {
  if (action !== null && action.state === 'PENDING' && !canSkip) {
    return blocked(action, { code: 'InstanceCannotBeLeftOut' })
  }
  return { kind: 'stays', action, why: 'LeftOut', state }
}

function uncoveredFate(
  instance: Pick<Instance, 'status' | 'vmState' | 'taskState'>,
  expected: WatcherMove,
  choices: CoverageChoices,
): InstanceFate {
  const state = vmStateOf(instance)
  if (mayMoveByNova(instance, choices)) return { kind: 'by-nova', action: null, refused: null }
  if (expected === 'stays') return { kind: 'stays', action: null, why: 'RuledOut', state }
  return blocked(null, { code: 'InstanceNotInPlan', state, isMovable: novaMovesLive(instance) })
}

function impossibleFate(
  instance: Pick<Instance, 'status' | 'vmState' | 'taskState'>,
  action: WatcherAction,
  move: InstanceMove,
  choices: CoverageChoices,
): InstanceFate {
  const state = vmStateOf(instance)
  if (mayMoveByNova(instance, choices)) return { kind: 'by-nova', action, refused: { move, state } }
  return blocked(action, {
    code: 'InstanceMoveImpossible',
    move,
    state,
    isMovable: novaMovesLive(instance),
    liveRuledOut: liveRuledOut(choices),
  })
}

function mayMoveByNova(
  instance: Pick<Instance, 'status' | 'vmState' | 'taskState'>,
  choices: CoverageChoices,
): boolean {
  return choices.novaForRest && novaMovesLive(instance) && !liveRuledOut(choices)
}

function liveRuledOut({ disableMigration }: CoverageChoices): boolean {
  return disableMigration === 'live' || disableMigration === 'both'
}

function blocked(action: WatcherAction | null, why: InstanceObstacle): InstanceFate {
  return { kind: 'blocked', action, why }
}
