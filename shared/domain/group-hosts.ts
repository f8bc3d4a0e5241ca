import type { ServerGroup } from './openstack.ts'

/** A hard server group of an instance: what Nova never breaks when it chooses a host. */
export interface HardGroup {
  readonly id: string
  readonly policy: 'affinity' | 'anti-affinity'
  /** As of {@link ServerGroup}. */
  readonly maxPerHost?: number | undefined
}

/** The hard ones of these groups. */
export function hardGroups(groups: readonly ServerGroup[]): readonly (HardGroup & Pick<ServerGroup, 'memberIds'>)[] {
  return groups.flatMap(({ id, policy, maxPerHost, memberIds }) =>
    policy === 'affinity' || policy === 'anti-affinity'
      ? [{ id, policy, memberIds, ...(maxPerHost === undefined ? {} : { maxPerHost }) }]
      : [],
  )
}

/** Of these hosts, those that the groups of an instance allow; `othersOf`: where the other members of a group are, null where that is not known. */
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
