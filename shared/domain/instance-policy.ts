import { type MaintenanceAction, type TagNote, taggedAction } from './instance-tags.ts'

/** On a node: what happens to untagged instances of the host, and how often each live migration is tried (domain.md A.5). */
export const HOST_MODE_ANNOTATION = 'openstack.lcm.mirantis.com/instance_migration_mode'
export const ATTEMPTS_ANNOTATION = 'openstack.lcm.mirantis.com/instance_migration_attempts'

/** `live` by default (domain.md A.5). */
export const HOST_MODES = ['live', 'manual', 'skip'] as const
export type HostMode = (typeof HOST_MODES)[number]

export interface InstancePolicyInput {
  /** Null if the node has no {@link HOST_MODE_ANNOTATION}. */
  readonly hostMode: string | null
  readonly tags: readonly string[]
  /** Null if Nova did not say (2.69 partial results). */
  readonly vmState: string | null
  readonly powerState: number | null
  readonly taskState: string | null
  readonly status: string
  readonly locked?: boolean
}

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

/** The owner's wish, by a tag, or the host's, by its mode; null if the host has no mode, and `live` applies. */
export type WishedBy =
  | { readonly by: 'tag' }
  | { readonly by: 'host-mode'; readonly mode: string | null; readonly isKnown: boolean }

/** Its text is made by shared/words/instance-policies.ts. */
export type PolicyReason =
  | { readonly code: 'Moves' | 'StaysWithHost' | 'OwnerActs'; readonly wish: WishedBy }
  | { readonly code: 'NothingRuns'; readonly state: string }
  | { readonly code: 'PoweredOff'; readonly power: string }
  | { readonly code: 'Migrates' }
  | { readonly code: 'MovesStopped' | 'NovaIsBusy'; readonly task: string }
  | { readonly code: 'ErrorButNotOff' }
  | { readonly code: 'StateUntold' }
  | { readonly code: 'ResizeWaits' }
  | { readonly code: 'NotMovableState'; readonly state: string }
  /** What the operator excluded or requested (chosen-policy.ts). */
  | { readonly code: 'LiveRuledOut'; readonly state: string | null }
  | { readonly code: 'MovesCold' | 'StopsHere' | 'StoppedMoves' }
  | { readonly code: 'ColdRuledOut'; readonly but: PolicyReason }

export type PolicyNote =
  | TagNote
  | { readonly code: 'UnknownMode'; readonly mode: string | null }
  | { readonly code: 'Locked' | 'ResizeStillWaits' | 'IsInError' }
  | { readonly code: 'NotActive'; readonly state: string }
  | { readonly code: 'SuspendedStays' | 'DownWhileItMoves' | 'StaysStopped' }

export interface InstancePolicy {
  /** `poweroff`: goes down with the host, as requested. `notify`: waits for its owner. `ignore`: does not run. `blocked`: cannot be done now. */
  readonly action: 'live_migrate' | 'poweroff' | 'notify' | 'ignore' | 'blocked'
  readonly source: 'tag' | 'host-mode' | 'state'
  readonly because: PolicyReason
  readonly notes: readonly PolicyNote[]
  readonly code: InstancePolicyCode
}

/** The effect of a maintenance, or that it already moves. */
export type ShownAction = InstancePolicy['action'] | 'migrating'

/** Statuses of cold moves, including a resize, which is one. */
const COLD_MOVES: ReadonlySet<string> = new Set(['resize_prep', 'resize_migrating', 'resize_migrated', 'resize_finish'])

/** An instance that migrates blocks a new plan, but nothing is wrong with it. */
export function shownAction(
  action: InstancePolicy['action'],
  { status, taskState }: Pick<InstancePolicyInput, 'status' | 'taskState'>,
): ShownAction {
  const isMigrating =
    taskState === null ? status === 'MIGRATING' : taskState === 'migrating' || COLD_MOVES.has(taskState)
  return action === 'blocked' && isMigrating ? 'migrating' : action
}

/** No instance runs in these states, whatever Nova does with it (domain.md A.6: not blocking). */
const UNBORN_OR_GONE: ReadonlySet<string> = new Set(['building', 'deleted', 'soft-delete', 'soft_deleted'])

/** Instances that are off; Nova's versions and documents use both spellings (domain.md A.6: not blocking). */
const AT_REST: ReadonlySet<string> = new Set([
  'stopped',
  'suspended',
  'shelved',
  'shelved_offloaded',
  'shelve_offloaded',
])

/** Instances that do not run (domain.md A.6: not blocking). */
const POWER_AT_REST: ReadonlyMap<number, string> = new Map([
  [4, 'shut down'],
  [6, 'crashed'],
  [7, 'suspended'],
])

const STATUS_AT_REST: ReadonlySet<string> = new Set([
  'SHUTOFF',
  'SUSPENDED',
  'SHELVED',
  'SHELVED_OFFLOADED',
  'BUILD',
  'DELETED',
  'SOFT_DELETED',
])

/** Nova says that it does not run. For a machine that is off, this may be older than the outage. */
export function isAtRest({
  status,
  powerState,
}: {
  readonly status: string
  readonly powerState?: number | null | undefined
}): boolean {
  return STATUS_AT_REST.has(status) || (powerState != null && POWER_AT_REST.has(powerState))
}

/** Nova live-migrates from these (domain.md C.4, nova/compute/api.py live_migrate). */
const MOVABLE: ReadonlySet<string> = new Set(['active', 'paused'])

/** By the instance's state, its owner's tag, then the host's mode (domain.md A.5, A.6, C.4). Unlike Rockoon, it waits for any task of Nova. */
export function instancePolicy(input: InstancePolicyInput): InstancePolicy {
  const wish = wishOf(input)
  const state = byState(input, wish)
  if (state !== null) return { ...state, source: 'state', notes: [...(state.notes ?? []), ...wish.tagNotes] }
  const locked =
    wish.action === 'live_migrate' && input.locked === true ? [{ code: 'Locked' } satisfies PolicyNote] : []
  return {
    ...decisionOf(wish),
    source: wish.wish.by,
    notes: [...wish.tagNotes, ...wish.modeNotes, ...locked],
  }
}

interface WantedAction {
  readonly action: MaintenanceAction
  readonly wish: WishedBy
  readonly tagNotes: readonly TagNote[]
  readonly modeNotes: readonly PolicyNote[]
}

type Decision = Pick<InstancePolicy, 'action' | 'because' | 'code'> & { readonly notes?: readonly PolicyNote[] }

/** What each host mode means for an untagged instance (domain.md A.6, Rockoon's map). */
const MODE_ACTIONS: Readonly<Record<HostMode, MaintenanceAction>> = {
  live: 'live_migrate',
  manual: 'notify',
  skip: 'poweroff',
}

const WISHES = {
  live_migrate: { code: 'instance-moves', because: 'Moves' },
  poweroff: { code: 'instance-stops-with-host', because: 'StaysWithHost' },
  notify: { code: 'instance-owner-acts', because: 'OwnerActs' },
} as const satisfies Readonly<Record<MaintenanceAction, object>>

function decisionOf({ action, wish }: Pick<WantedAction, 'action' | 'wish'>): Decision {
  const { code, because } = WISHES[action]
  return { action, code, because: { code: because, wish } }
}

/** What a host's mode wants for an untagged instance: `live` without a mode; with an unknown one its owner acts. */
export function actionOfHostMode(hostMode: string | null): MaintenanceAction {
  const mode = HOST_MODES.find(known => known === (hostMode ?? 'live'))
  return mode === undefined ? 'notify' : MODE_ACTIONS[mode]
}

function wishOf(input: InstancePolicyInput): WantedAction {
  const { action, notes } = taggedAction(input.tags)
  if (action !== null) return { action, wish: { by: 'tag' }, tagNotes: notes, modeNotes: [] }
  const mode = HOST_MODES.find(known => known === (input.hostMode ?? 'live'))
  return {
    action: actionOfHostMode(input.hostMode),
    wish: { by: 'host-mode', mode: input.hostMode, isKnown: mode !== undefined },
    tagNotes: notes,
    modeNotes: mode === undefined ? [{ code: 'UnknownMode', mode: input.hostMode }] : [],
  }
}

/** Null if the wish of the owner or the host decides. */
function byState(input: InstancePolicyInput, wish: WantedAction): Decision | null {
  const { vmState, taskState, status } = input
  if (vmState !== null && UNBORN_OR_GONE.has(vmState)) return atRest({ code: 'NothingRuns', state: vmState })
  if (taskState === 'migrating' || (vmState === null && status === 'MIGRATING')) {
    return blocked('instance-migrating', { code: 'Migrates' })
  }
  if (taskState !== null) {
    return blocked('instance-busy', {
      code: COLD_MOVES.has(taskState) ? 'MovesStopped' : 'NovaIsBusy',
      task: taskState,
    })
  }
  const power = input.powerState === null ? undefined : POWER_AT_REST.get(input.powerState)
  if (vmState !== null && AT_REST.has(vmState)) return atRest({ code: 'NothingRuns', state: vmState })
  if (power !== undefined) return { ...atRest({ code: 'PoweredOff', power }), notes: restNotes(input) }
  if (vmState === 'error' || status === 'ERROR') return blocked('instance-in-error', { code: 'ErrorButNotOff' })
  if (vmState === null) return blocked('instance-unknown', { code: 'StateUntold' })
  if (MOVABLE.has(vmState)) return null
  if (wish.action === 'poweroff') return { ...decisionOf(wish), notes: [{ code: 'NotActive', state: vmState }] }
  if (vmState === 'resized') return blocked('instance-resize-unconfirmed', { code: 'ResizeWaits' })
  return blocked('instance-not-movable', { code: 'NotMovableState', state: vmState })
}

function restNotes(input: InstancePolicyInput): readonly PolicyNote[] {
  if (input.vmState === 'resized') return [{ code: 'ResizeStillWaits' }]
  if (input.vmState === 'error' || input.status === 'ERROR') return [{ code: 'IsInError' }]
  return []
}

function atRest(because: PolicyReason): Decision {
  return { action: 'ignore', code: 'instance-at-rest', because }
}

function blocked(code: InstancePolicyCode, because: PolicyReason): Decision {
  return { action: 'blocked', code, because }
}

/** The limit of the settings (shared/domain/cluster.ts). */
const MOST_ATTEMPTS = 20

/** An annotation that does not apply as written; `used` applies instead. */
export type AttemptsNote = {
  readonly code: 'AttemptsNotANumber' | 'TooManyAttempts'
  readonly asked: string
  readonly used: number
}

/** Reads the attempts from the node's annotation, else from the setting (domain.md A.5; default 3). */
export function migrationAttempts(
  annotation: string | null,
  fallback: number,
): { readonly attempts: number; readonly note: AttemptsNote | null } {
  if (annotation === null) return { attempts: fallback, note: null }
  const given = /^\s*\d+\s*$/.test(annotation) ? Number(annotation) : 0
  if (given < 1) {
    return { attempts: fallback, note: { code: 'AttemptsNotANumber', asked: annotation, used: fallback } }
  }
  if (given > MOST_ATTEMPTS) {
    const note = { code: 'TooManyAttempts', asked: annotation.trim(), used: MOST_ATTEMPTS } as const
    return { attempts: MOST_ATTEMPTS, note }
  }
  return { attempts: given, note: null }
}
