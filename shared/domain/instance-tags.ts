/** What an instance's owner may ask for when its host goes into maintenance (domain.md A.6). */
export const MAINTENANCE_ACTIONS = ['poweroff', 'live_migrate', 'notify'] as const
export type MaintenanceAction = (typeof MAINTENANCE_ACTIONS)[number]

/** Prefix of the tag by which an owner asks (domain.md A.6; MOSK 25.1+). */
export const ACTION_TAG_PREFIX = 'openstack.lcm.mirantis.com:maintenance_action='

/** What the tags of an instance ask for: one action, or nothing that can be followed; `warnings` says what is odd about them. */
export interface TaggedAction {
  readonly action: MaintenanceAction | null
  readonly warnings: readonly string[]
}

/** Reads the owner's wish from an instance's tags: exactly one known tag wins, several are none (domain.md A.6, Rockoon compute_get_server_maintenance_action). */
export function taggedAction(tags: readonly string[]): TaggedAction {
  const values = tags.filter(tag => tag.startsWith(ACTION_TAG_PREFIX)).map(tag => tag.slice(ACTION_TAG_PREFIX.length))
  const known = MAINTENANCE_ACTIONS.filter(action => values.includes(action))
  const unknown = values.filter(value => !MAINTENANCE_ACTIONS.some(action => action === value))
  const warnings = unknown.map(
    value =>
      `its tag ${ACTION_TAG_PREFIX}${value} names no known action and is not followed; known are ${MAINTENANCE_ACTIONS.join(', ')}`,
  )
  if (known.length > 1) {
    warnings.push(
      `it carries ${known.length} maintenance tags (${known.join(', ')}); none is followed, the host's mode decides`,
    )
  }
  return { action: known.length === 1 ? (known[0] ?? null) : null, warnings }
}
