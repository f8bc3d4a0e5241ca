/** What an instance's owner may ask for when its host goes into maintenance (domain.md A.6). */
export const MAINTENANCE_ACTIONS = ['poweroff', 'live_migrate', 'notify'] as const
export type MaintenanceAction = (typeof MAINTENANCE_ACTIONS)[number]

/** Prefix of the tag by which an owner asks (domain.md A.6; MOSK 25.1+). */
export const ACTION_TAG_PREFIX = 'openstack.lcm.mirantis.com:maintenance_action='

/** What is odd about the tags of an instance. */
export type TagNote =
  /** One names no known action and is not followed. */
  | { readonly code: 'UnknownTag'; readonly value: string }
  /** Several name one: none is followed. */
  | { readonly code: 'SeveralTags'; readonly actions: readonly MaintenanceAction[] }

/** What the tags of an instance ask for: one action, or nothing that can be followed; `notes` says what is odd about them. */
interface TaggedAction {
  readonly action: MaintenanceAction | null
  readonly notes: readonly TagNote[]
}

/**
 * From the one that hurts least when it is followed by mistake: `notify` stops and asks, `live_migrate` moves a running instance,
 * `poweroff` lets it go down.
 */
const FROM_HARMLESS: readonly MaintenanceAction[] = ['notify', 'live_migrate', 'poweroff']

/** The maintenance actions these tags name, known ones only. */
export function markedActions(tags: readonly string[]): MaintenanceAction[] {
  return MAINTENANCE_ACTIONS.filter(action => tags.includes(tagOf(action)))
}

/** The tag that asks for an action. */
export function tagOf(action: MaintenanceAction): string {
  return `${ACTION_TAG_PREFIX}${action}`
}

/**
 * What to write so that an instance carries exactly the wanted known tags: foreign tags and unknown values stay. Tags are written one by
 * one and we may be killed after any of them, so the order matters: adding comes first, because several known tags are none (the host's
 * default decides, with a warning that shows what is left over), while removing first could leave a single one that nobody wanted. Where
 * the way from none to several or back must pass through a single one, it is the most harmless: added first, removed last.
 */
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

/** Reads the owner's wish from an instance's tags: exactly one known tag wins, several are none (domain.md A.6, Rockoon compute_get_server_maintenance_action). */
export function taggedAction(tags: readonly string[]): TaggedAction {
  const values = tags.filter(tag => tag.startsWith(ACTION_TAG_PREFIX)).map(tag => tag.slice(ACTION_TAG_PREFIX.length))
  const known = MAINTENANCE_ACTIONS.filter(action => values.includes(action))
  const unknown = values.filter(value => !MAINTENANCE_ACTIONS.some(action => action === value))
  const notes: TagNote[] = unknown.map(value => ({ code: 'UnknownTag', value }))
  if (known.length > 1) notes.push({ code: 'SeveralTags', actions: known })
  return { action: known.length === 1 ? (known[0] ?? null) : null, notes }
}
