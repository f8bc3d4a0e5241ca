import type { BatchFacts } from '../domain/batch-facts.ts'
import { rulesOf } from '../domain/batch-rules.ts'
import type { BatchOptions } from '../domain/batches.ts'
import { NodeRole } from '../domain/roles.ts'
import { limitWords } from './batch-findings.ts'

/** The rules of a batch, one line each. */
export function batchRuleWords(facts: BatchFacts, wish: BatchOptions): readonly string[] {
  const { limits } = rulesOf(facts, wish)
  return [
    ...NodeRole.options.flatMap(role => {
      const limit = limits.perRole[role]
      return limit === null ? [] : [`${role}: ${limit.most} at a time (${limitWords(limit)})`]
    }),
    ...(limits.roleLimits === 'any'
      ? ["when one role is at its limit, no other node may go: this cloud's controllers count that way"]
      : []),
    zoneWords(wish.zones, limits.zonesByControllers),
    ...cephWords(facts, (limits.perRole.storage?.most ?? 1) > 1),
    ...facts.quorums.map(({ what, needed, members }) => `${what}: ${needed} of ${members.length} have to stay`),
    'capacity: every instance that moves needs a remaining node in its zone, with room by Placement and apart from its group',
    "between batches: the plan assumes these destinations; Nova's scheduler may choose other nodes",
  ]
}

function zoneWords(zones: BatchOptions['zones'], byControllers: boolean): string {
  if (byControllers) return "zones: one at a time (this cloud's controllers refuse a second one)"
  return zones === 'spread'
    ? 'zones: spread, each batch takes from as many as it can'
    : 'zones: one at a time (as requested)'
}

function cephWords({ ceph }: BatchFacts, several: boolean): readonly string[] {
  switch (ceph.kind) {
    case 'none':
      return []
    case 'unknown':
      return ['Ceph: one storage node at a time, because Ceph did not answer']
    case 'known':
      return [
        several
          ? 'Ceph: OSDs of one rack at a time, and only if Ceph lets the whole rack stop'
          : "Ceph: OSDs of one node at a time (Lockkeeper's own limit)",
      ]
  }
}
