import { type MaintenanceAction, taggedAction } from './instance-tags.ts'

/** Node annotation that says what happens to untagged instances of the host (domain.md A.5). */
export const HOST_MODE_ANNOTATION = 'openstack.lcm.mirantis.com/instance_migration_mode'
/** Node annotation that says how often a live migration is tried (domain.md A.5). */
export const ATTEMPTS_ANNOTATION = 'openstack.lcm.mirantis.com/instance_migration_attempts'

/** The modes a host may be in; `live` when it says nothing (domain.md A.5). */
export const HOST_MODES = ['live', 'manual', 'skip'] as const
export type HostMode = (typeof HOST_MODES)[number]

/** What is known of an instance and its host when its fate is decided. */
export interface InstancePolicyInput {
  /** Value of {@link HOST_MODE_ANNOTATION}; null when the node does not carry it. */
  readonly hostMode: string | null
  readonly tags: readonly string[]
  /** Null where Nova could not tell (2.69 partial results). */
  readonly vmState: string | null
  readonly powerState: number | null
  readonly taskState: string | null
  readonly status: string
  readonly locked?: boolean
}

/** Stable name of why an instance is treated so. */
type InstancePolicyCode =
  | 'instance-moves'
  | 'instance-stops-with-host'
  | 'instance-owner-acts'
  | 'instance-at-rest'
  | 'instance-migrating'
  | 'instance-busy'
  | 'instance-in-error'
  | 'instance-resize-unconfirmed'
  | 'instance-not-movable'
  | 'instance-unknown'

/** What the maintenance of its host does to one instance, and why. `reason` and `warnings` are phrases without a full stop. */
export interface InstancePolicy {
  /**
   * `live_migrate`: moves. `poweroff`: stays and goes down with the host, as asked. `notify`: waits for its owner. `ignore`: stays,
   * nothing of it runs. `blocked`: cannot be decided or done now.
   */
  readonly action: 'live_migrate' | 'poweroff' | 'notify' | 'ignore' | 'blocked'
  readonly source: 'tag' | 'host-mode' | 'state'
  readonly reason: string
  /** What an operator can do so that it no longer stands in the way; null where nothing needs doing. */
  readonly remedy: string | null
  readonly warnings: readonly string[]
  readonly code: InstancePolicyCode
}

/** What a view shows of an instance: what a maintenance would do to it, or that it is on its way to another host already. */
export type ShownAction = InstancePolicy['action'] | 'migrating'

/** What Nova does with an instance while it moves it stopped: a cold migration, or a resize, which is one. */
const COLD_MOVES: ReadonlySet<string> = new Set(['resize_prep', 'resize_migrating', 'resize_migrated', 'resize_finish'])

/**
 * An instance that migrates, live or with downtime, stands in the way of a plan made now, but nothing is wrong with it: a view shows that it
 * moves.
 */
export function shownAction(
  action: InstancePolicy['action'],
  { status, taskState }: Pick<InstancePolicyInput, 'status' | 'taskState'>,
): ShownAction {
  const isMigrating =
    taskState === null ? status === 'MIGRATING' : taskState === 'migrating' || COLD_MOVES.has(taskState)
  return action === 'blocked' && isMigrating ? 'migrating' : action
}

/** States in which nothing of an instance runs, whatever Nova is doing with it (domain.md A.6: not blocking). */
const UNBORN_OR_GONE: ReadonlySet<string> = new Set(['building', 'deleted', 'soft-delete', 'soft_deleted'])

/** States in which an instance rests; Nova spells them both ways in its versions and documents (domain.md A.6: not blocking). */
const AT_REST: ReadonlySet<string> = new Set([
  'stopped',
  'suspended',
  'shelved',
  'shelved_offloaded',
  'shelve_offloaded',
])

/** Power states in which nothing runs (domain.md A.6: not blocking). */
const POWER_AT_REST: ReadonlyMap<number, string> = new Map([
  [4, 'shut down'],
  [6, 'crashed'],
  [7, 'suspended'],
])

/** The states from which Nova live-migrates (domain.md C.4, nova/compute/api.py live_migrate). */
const MOVABLE: ReadonlySet<string> = new Set(['active', 'paused'])

/**
 * Decides what happens to an instance when its host goes into maintenance with scope `os` (domain.md A.5, A.6, C.4). Its state comes
 * first, then its owner's tag, then the host's mode. Stricter than Rockoon in one thing: while Nova works on an instance (any task
 * state) it is waited for, also when the instance rests, because a move half done does not survive a reboot.
 */
export function instancePolicy(input: InstancePolicyInput): InstancePolicy {
  const wish = wishOf(input)
  const state = byState(input, wish)
  if (state !== null) return { ...state, source: 'state', warnings: [...(state.warnings ?? []), ...wish.tagWarnings] }
  const locked =
    wish.action === 'live_migrate' && input.locked === true
      ? ['it is locked: Nova moves it only for an administrator, others have to unlock it first']
      : []
  const by = wish.source === 'tag' ? 'a tag of the instance says so' : wish.modeWords
  return {
    ...WISHES[wish.action](by),
    source: wish.source,
    warnings: [...wish.tagWarnings, ...wish.modeWarnings, ...locked],
  }
}

interface WantedAction {
  readonly action: MaintenanceAction
  readonly source: 'tag' | 'host-mode'
  readonly modeWords: string
  readonly tagWarnings: readonly string[]
  readonly modeWarnings: readonly string[]
}

type Decision = Pick<InstancePolicy, 'action' | 'reason' | 'remedy' | 'code'> & {
  readonly warnings?: readonly string[]
}

/** What each host mode means for an untagged instance (domain.md A.6, Rockoon's map). */
const MODE_ACTIONS: Readonly<Record<HostMode, MaintenanceAction>> = {
  live: 'live_migrate',
  manual: 'notify',
  skip: 'poweroff',
}

const WISHES: Readonly<Record<MaintenanceAction, (by: string) => Decision>> = {
  live_migrate: by => ({
    action: 'live_migrate',
    code: 'instance-moves',
    reason: `moves to another host: ${by}`,
    remedy: null,
  }),
  poweroff: by => ({
    action: 'poweroff',
    code: 'instance-stops-with-host',
    reason: `stays and goes down with the host: ${by}`,
    remedy: null,
  }),
  notify: by => ({
    action: 'notify',
    code: 'instance-owner-acts',
    reason: `its owner has to move or stop it: ${by}`,
    remedy: 'Ask its owner to move or stop it, or tag it live_migrate or poweroff.',
  }),
}

function wishOf(input: InstancePolicyInput): WantedAction {
  const tagged = taggedAction(input.tags)
  const mode = HOST_MODES.find(known => known === (input.hostMode ?? 'live'))
  const modeWords =
    input.hostMode === null
      ? 'the host has no migration mode of its own, so live'
      : `the host's migration mode is ${input.hostMode}`
  if (tagged.action !== null) {
    return { action: tagged.action, source: 'tag', modeWords, tagWarnings: tagged.warnings, modeWarnings: [] }
  }
  return {
    action: mode === undefined ? 'notify' : MODE_ACTIONS[mode],
    source: 'host-mode',
    modeWords: mode === undefined ? `${modeWords}, which is unknown and treated as manual` : modeWords,
    tagWarnings: tagged.warnings,
    modeWarnings:
      mode === undefined
        ? [
            `the host's annotation ${HOST_MODE_ANNOTATION} is "${input.hostMode}", not one of ${HOST_MODES.join(', ')}: treated as manual (Rockoon itself fails on it with a KeyError)`,
          ]
        : [],
  }
}

/** What the state alone decides; null when the owner's or the host's wish is to be followed. */
function byState(input: InstancePolicyInput, wish: WantedAction): Decision | null {
  const { vmState, taskState, status } = input
  if (vmState !== null && UNBORN_OR_GONE.has(vmState)) return atRest(`nothing of it runs: it is ${vmState}`)
  if (taskState === 'migrating' || (vmState === null && status === 'MIGRATING')) {
    return blocked('instance-migrating', 'it is being migrated now', 'Wait for its migration to end, or abort it.')
  }
  if (taskState !== null && COLD_MOVES.has(taskState)) {
    return blocked(
      'instance-busy',
      `Nova is busy with it: a cold migration or a resize moves it, with downtime (${taskState})`,
      'Wait until it has arrived, then confirm or revert it (openstack server resize confirm).',
    )
  }
  if (taskState !== null) {
    return blocked(
      'instance-busy',
      `Nova is busy with it (${taskState})`,
      'Wait until Nova is done with it; a task that never ends needs a reset of its state.',
    )
  }
  const power = input.powerState === null ? undefined : POWER_AT_REST.get(input.powerState)
  if (vmState !== null && AT_REST.has(vmState)) return atRest(`nothing of it runs: it is ${vmState}`)
  if (power !== undefined)
    return { ...atRest(`nothing of it runs: its power state is ${power}`), warnings: restWarnings(input) }
  if (vmState === 'error' || status === 'ERROR') {
    return blocked(
      'instance-in-error',
      'it is in ERROR while its power state is not off',
      'Find out why (openstack server show), then reset its state, stop it or delete it.',
    )
  }
  if (vmState === null) {
    return blocked(
      'instance-unknown',
      'Nova cannot tell its state, its cell does not answer',
      'Mend the database or message queue of that Nova cell, then try again.',
    )
  }
  if (MOVABLE.has(vmState)) return null
  if (wish.action === 'poweroff') {
    const by = wish.source === 'tag' ? 'a tag of the instance says so' : wish.modeWords
    return { ...WISHES.poweroff(by), warnings: [`it is ${vmState}, not active`] }
  }
  if (vmState === 'resized') {
    return blocked(
      'instance-resize-unconfirmed',
      'a resize or cold migration of it waits to be confirmed or reverted',
      'Confirm it (openstack server resize confirm) or revert it (openstack server resize revert).',
    )
  }
  return blocked(
    'instance-not-movable',
    `it is ${vmState}; Nova live-migrates only active and paused instances`,
    vmState === 'rescued'
      ? 'Ask its owner to unrescue or stop it.'
      : 'Ask its owner to stop it or bring it back to active.',
  )
}

function restWarnings(input: InstancePolicyInput): readonly string[] {
  if (input.vmState === 'resized') return ['a resize or cold migration of it still waits to be confirmed or reverted']
  if (input.vmState === 'error' || input.status === 'ERROR') return ['it is in ERROR']
  return []
}

function atRest(reason: string): Decision {
  return { action: 'ignore', code: 'instance-at-rest', reason, remedy: null }
}

function blocked(code: InstancePolicyCode, reason: string, remedy: string): Decision {
  return { action: 'blocked', code, reason, remedy }
}

/** The most attempts that are ever made for one instance: the limit of the settings (shared/domain/cluster.ts). */
const MOST_ATTEMPTS = 20

/** How often an instance's live migration is tried: the node's annotation, else the setting (domain.md A.5; default 3). */
export function migrationAttempts(
  annotation: string | null,
  fallback: number,
): { readonly attempts: number; readonly warning: string | null } {
  if (annotation === null) return { attempts: fallback, warning: null }
  const given = /^\s*\d+\s*$/.test(annotation) ? Number(annotation) : 0
  if (given < 1) {
    return {
      attempts: fallback,
      warning: `The node's annotation ${ATTEMPTS_ANNOTATION} is "${annotation}", not a whole number from 1 on: ${fallback} is used.`,
    }
  }
  if (given > MOST_ATTEMPTS) {
    return {
      attempts: MOST_ATTEMPTS,
      warning: `The node's annotation ${ATTEMPTS_ANNOTATION} asks for ${annotation.trim()} attempts: ${MOST_ATTEMPTS} is the most that is tried.`,
    }
  }
  return { attempts: given, warning: null }
}
