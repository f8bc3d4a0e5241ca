import type { ServerGroup } from './openstack.ts'

/** Nova never breaks a hard server group when it chooses a host. */
export interface HardGroup {
  readonly id: string
  readonly policy: 'affinity' | 'anti-affinity'
  /** See {@link ServerGroup}. */
  readonly maxPerHost?: number | undefined
}

export function hardGroups(groups: readonly ServerGroup[]): readonly (HardGroup & Pick<ServerGroup, 'memberIds'>)[] {
  return groups.flatMap(({ id, policy, maxPerHost, memberIds }) =>
    policy === 'affinity' || policy === 'anti-affinity'
      ? [{ id, policy, memberIds, ...(maxPerHost === undefined ? {} : { maxPerHost }) }]
      : [],
  )
}

/** `othersOf`: hosts of the other members; null if unknown. */
export function hostsByGroups<Group extends HardGroup>(
  hosts: readonly string[],
  groups: readonly Group[],
  othersOf: (group: Group) => readonly (string | null)[],
): readonly string[] {
  const rules = groups.map(group => ({ ...group, others: othersOf(group).filter(host => host !== null) }))
  return hosts.filter(host =>
    rules.every(({ policy, maxPerHost = 1, others }) =>
      policy === 'affinity'
        ? others.every(other => other === host)
        : others.filter(other => other === host).length < maxPerHost,
    ),
  )
}
