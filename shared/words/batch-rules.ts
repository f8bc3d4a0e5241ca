import type { BatchFacts } from '../domain/batch-facts.ts'
import { rulesOf } from '../domain/batch-rules.ts'
import type { BatchOptions } from '../domain/batches.ts'
import { NodeRole } from '../domain/roles.ts'
import { limitWords } from './batch-findings.ts'

/** The rules as they are applied, one line each, so that an operator sees what a batch was judged by. */
export function batchRuleWords(facts: BatchFacts, wish: BatchOptions): readonly string[] {
  const { limits } = rulesOf(facts, wish)
  return [
    ...NodeRole.options.flatMap(role => {
      const limit = limits.perRole[role]
      return limit === null ? [] : [`${role}: ${limit.most} at once (${limitWords(limit)})`]
    }),
    ...(limits.roleLimits === 'any'
      ? ["a role at its limit holds back every other node: so this cluster's controllers count"]
      : []),
    zoneWords(wish.zones, limits.zonesByControllers),
    ...cephWords(facts, (limits.perRole.storage?.most ?? 1) > 1),
    ...facts.quorums.map(({ what, needed, members }) => `${what}: ${needed} of ${members.length} have to stay`),
    'capacity: every instance that moves needs a host that stays, in its zone, with room by Placement and apart from its group',
    "between batches: instances are taken to be where they were placed here; Nova's scheduler may choose other hosts",
  ]
}

function zoneWords(zones: BatchOptions['zones'], byControllers: boolean): string {
  if (byControllers) return "zones: one at a time (this cluster's controllers refuse a second one)"
  return zones === 'spread'
    ? 'zones: spread, a batch takes from as many as it can'
    : 'zones: one at a time (as asked for)'
}

function cephWords({ ceph }: BatchFacts, several: boolean): readonly string[] {
  switch (ceph.kind) {
    case 'none':
      return []
    case 'unknown':
      return ['Ceph: one storage node at a time; it could not be asked']
    case 'known':
      return [
        several
          ? 'Ceph: OSDs of one rack at a time, and only where Ceph lets the whole rack stop'
          : "Ceph: OSDs of one host at a time (Lockkeeper's own limit)",
      ]
  }
}
