/** What an instance's owner may request (domain.md A.6). */
export const MAINTENANCE_ACTIONS = ['poweroff', 'live_migrate', 'notify'] as const
export type MaintenanceAction = (typeof MAINTENANCE_ACTIONS)[number]

/** The beginning of the owner's tag (domain.md A.6; MOSK 25.1+). */
export const ACTION_TAG_PREFIX = 'openstack.lcm.mirantis.com:maintenance_action='

/** Nova accepts tags only in these states; null if it does not report the state (nova/compute/api.py, server tags). */
const TAGGABLE: ReadonlySet<string | null> = new Set(['active', 'paused', 'suspended', 'stopped', null])

/** Whether an instance in this state can be given another mode. */
export function takesTags(vmState: string | null): boolean {
  return TAGGABLE.has(vmState)
}

export type TagNote =
  | { readonly code: 'UnknownTag'; readonly value: string }
  | { readonly code: 'SeveralTags'; readonly actions: readonly MaintenanceAction[] }

/** Null if no single tag applies; `notes`: why. */
interface TaggedAction {
  readonly action: MaintenanceAction | null
  readonly notes: readonly TagNote[]
}

/** From the least to the most harmful if applied by mistake. */
const FROM_HARMLESS: readonly MaintenanceAction[] = ['notify', 'live_migrate', 'poweroff']

export function markedActions(tags: readonly string[]): MaintenanceAction[] {
  return MAINTENANCE_ACTIONS.filter(action => tags.includes(tagOf(action)))
}

export function tagOf(action: MaintenanceAction): string {
  return `${ACTION_TAG_PREFIX}${action}`
}

/** Tags are written one by one, and the process may die between: additions come first, because several known tags count as none. */
export function markDifference(
  tags: readonly string[],
  wanted: readonly MaintenanceAction[],
): { readonly add: readonly string[]; readonly remove: readonly string[] } {
  const marked = markedActions(tags)
  return {
    add: FROM_HARMLESS.filter(action => wanted.includes(action) && !marked.includes(action)).map(tagOf),
    remove: FROM_HARMLESS.toReversed()
      .filter(action => marked.includes(action) && !wanted.includes(action))
      .map(tagOf),
  }
}

/** Exactly one known tag applies, several do not (domain.md A.6, Rockoon compute_get_server_maintenance_action). */
export function taggedAction(tags: readonly string[]): TaggedAction {
  const values = tags.filter(tag => tag.startsWith(ACTION_TAG_PREFIX)).map(tag => tag.slice(ACTION_TAG_PREFIX.length))
  const known = MAINTENANCE_ACTIONS.filter(action => values.includes(action))
  const unknown = values.filter(value => !MAINTENANCE_ACTIONS.some(action => action === value))
  const notes: TagNote[] = unknown.map(value => ({ code: 'UnknownTag', value }))
  if (known.length > 1) notes.push({ code: 'SeveralTags', actions: known })
  return { action: known.length === 1 ? (known[0] ?? null) : null, notes }
}
