import type { Instance } from './openstack.ts'
import type { DisabledMigration } from './plan.ts'
import type { WatcherAction } from './watcher.ts'
import { isPossible, moveOf, novaMovesLive, vmStateOf, watcherMove } from './watcher-moves.ts'

/** What the operator chose that decides what becomes of an instance under Watcher's plan. */
export interface CoverageChoices {
  readonly disableMigration: DisabledMigration
  /** What Watcher would get wrong is moved through Nova. */
  readonly novaForRest: boolean
  /** Ids of instances left out of the plan. */
  readonly excluded: ReadonlySet<string>
  /** Whether this Watcher leaves out single actions. */
  readonly canSkip: boolean
}

/** What becomes of one instance of the host, and why. Reasons are phrases without a full stop. */
export type InstanceFate =
  /** Watcher's action is right for it. */
  | {
      readonly kind: 'by-watcher'
      readonly action: WatcherAction
      readonly move: 'live' | 'cold' | 'stop'
      readonly reason: string
    }
  /** Watcher would fail or does not know it; it is live-migrated through Nova after Watcher's plan. */
  | { readonly kind: 'by-nova'; readonly action: WatcherAction | null; readonly reason: string }
  /** It stays because the operator said so. */
  | {
      readonly kind: 'stays'
      readonly action: WatcherAction | null
      readonly reason: string
      readonly warnings: readonly string[]
    }
  | {
      readonly kind: 'blocked'
      readonly action: WatcherAction | null
      readonly code: 'instance-not-covered' | 'watcher-cannot-move' | 'plan-stale' | 'cannot-exclude'
      readonly reason: string
      readonly remedy: string
      /** Null: it may stay on the host when the operator forces it. */
      readonly neverBecause: string | null
    }

/** What has to be done instead of running a plan that is not true any more. */
export const MAKE_ANEW = 'Make the plan anew.'

const MODEL_AGES =
  'Make the plan anew. When Watcher recommends the same again, its picture of the cloud is old (it is rebuilt every hour by default): wait, or choose --strategy nova.'

/**
 * Decides what becomes of an instance that is on the host now, under the action Watcher planned for it, if any. Nova's rules count, not
 * Watcher's (docs/domain.md B.2, C.4); a plan made for another state of the instance is never run.
 */
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
  if (move === 'stop' && state === 'stopped') return stays(state, action, 'it is stopped already')
  if (move !== expected) {
    const wish = expected === 'stays' ? 'it would stay' : `it has to be ${MOVES[expected]}`
    return blocked(
      action,
      'plan-stale',
      `Watcher planned that it is ${MOVES[move]}, but it is ${state} now and ${wish}`,
      {
        remedy: MODEL_AGES,
        neverBecause: 'the plan was made for another state of the instance',
      },
    )
  }
  if (isPossible(move, instance)) return { kind: 'by-watcher', action, move, reason: REASONS[move](state) }
  return impossibleFate(instance, action, move, choices)
}

const MOVES = { live: 'live-migrated', cold: 'cold-migrated', stop: 'stopped' } as const

const REASONS: Readonly<Record<'live' | 'cold' | 'stop', (state: string) => string>> = {
  live: () => 'moves to another host by live migration',
  cold: state =>
    state === 'stopped'
      ? 'moves to another host by cold migration and stays stopped'
      : 'moves to another host by cold migration: it is down while it moves',
  stop: () => 'is stopped and stays: live and cold migration are ruled out',
}

function excludedFate(state: string, action: WatcherAction | null, { canSkip }: CoverageChoices): InstanceFate {
  if (action !== null && action.state === 'PENDING' && !canSkip) {
    return blocked(action, 'cannot-exclude', 'it is left out, but this Watcher cannot leave out single actions', {
      remedy: 'Do not leave it out, choose --strategy nova, or update Watcher (API 1.5 on).',
      neverBecause: 'Watcher would move what you left out',
    })
  }
  return stays(state, action, 'left out by the operator')
}

function uncoveredFate(
  instance: Pick<Instance, 'status' | 'vmState' | 'taskState'>,
  expected: ReturnType<typeof watcherMove>,
  choices: CoverageChoices,
): InstanceFate {
  const state = vmStateOf(instance)
  if (mayMoveByNova(instance, choices))
    return {
      kind: 'by-nova',
      action: null,
      reason: "Watcher's plan does not have it: it is live-migrated through Nova",
    }
  if (expected === 'stays') return stays(state, null, 'migration is ruled out for instances that are not active')
  return blocked(null, 'instance-not-covered', `Watcher's plan does not have it, and it is ${state} on the host`, {
    remedy: novaMovesLive(instance)
      ? `${MAKE_ANEW} When Watcher still does not know it, move it through Nova with --nova-for-rest.`
      : `${MAKE_ANEW} When Watcher still does not know it, ask its owner to stop or delete it.`,
    neverBecause: null,
  })
}

function impossibleFate(
  instance: Pick<Instance, 'status' | 'vmState' | 'taskState'>,
  action: WatcherAction,
  move: 'live' | 'cold' | 'stop',
  choices: CoverageChoices,
): InstanceFate {
  const state = vmStateOf(instance)
  const refused = `Watcher plans that it is ${MOVES[move]}, which Nova refuses while it is ${state === 'error' ? 'in ERROR' : state}`
  if (mayMoveByNova(instance, choices))
    return { kind: 'by-nova', action, reason: `${refused}: it is live-migrated through Nova` }
  return blocked(action, 'watcher-cannot-move', refused, {
    remedy: novaMovesLive(instance)
      ? liveRuledOut(choices)
        ? 'Ask its owner to unpause or stop it, or allow live migration.'
        : 'Move it through Nova with --nova-for-rest, or choose --strategy nova.'
      : (REMEDIES.get(state) ?? 'Ask its owner to bring it to ACTIVE or SHUTOFF; forced, it stays on the host.'),
    neverBecause: null,
  })
}

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['suspended', 'Nova migrates no suspended instance: ask its owner to resume it; forced, it stays on the host.'],
  ['error', 'Mend or delete it first; forced, it stays on the host.'],
  ['rescued', 'Ask its owner to unrescue it; forced, it stays on the host.'],
  ['resized', 'Confirm or revert its resize (`openstack server resize confirm`); forced, it stays on the host.'],
])

function mayMoveByNova(
  instance: Pick<Instance, 'status' | 'vmState' | 'taskState'>,
  choices: CoverageChoices,
): boolean {
  return choices.novaForRest && novaMovesLive(instance) && !liveRuledOut(choices)
}

function liveRuledOut({ disableMigration }: CoverageChoices): boolean {
  return disableMigration === 'live' || disableMigration === 'both'
}

/** Whether anything of an instance in this state is lost when its host reboots. */
const LOSES: ReadonlyMap<string, string> = new Map([
  ['active', 'it goes down with the host'],
  ['paused', 'its memory is lost when the host reboots'],
])

function stays(state: string, action: WatcherAction | null, reason: string): InstanceFate {
  const loss = LOSES.get(state)
  return { kind: 'stays', action, reason: `stays on the host: ${reason}`, warnings: loss === undefined ? [] : [loss] }
}

function blocked(
  action: WatcherAction | null,
  code: Extract<InstanceFate, { kind: 'blocked' }>['code'],
  reason: string,
  more: { readonly remedy: string; readonly neverBecause: string | null },
): InstanceFate {
  return { kind: 'blocked', action, code, reason, ...more }
}
