import type { ClusterFlavour } from '../domain/cluster.ts'
import type { ConditionHolds, NodeCondition } from '../domain/node-conditions.ts'
import type { NodeState } from '../domain/node-summary.ts'
import type { DisabledMigration } from '../domain/plan.ts'
import type { CephAccess, CephServicesRule, ComputeStrategy } from '../domain/role-maintenance.ts'

/** Who empties a compute node. */
export const STRATEGY_WORDS: Readonly<Record<ComputeStrategy, string>> = {
  watcher: 'Watcher, by an action plan',
  nova: 'Lockkeeper, through Nova',
}

/** Which ways of moving are ruled out. */
export const DISABLED_MIGRATION_WORDS: Readonly<Record<DisabledMigration, string>> = {
  none: 'nothing',
  live: 'live migration',
  cold: 'cold migration',
  both: 'all migration',
}

/** How Ceph is asked. */
export const CEPH_WORDS: Readonly<Record<CephAccess, string>> = {
  toolbox: "Rook's toolbox pod",
  microceph: 'MicroCeph, over Juju',
  none: 'not at all',
}

/** Which services of Ceph must stay. */
export const SERVICES_RULE_WORDS: Readonly<Record<CephServicesRule, string>> = {
  'by-version': "by Ceph's release",
  fixed: '3 mons, 1 mds, 1 mgr',
  majority: 'a majority of the mons, 1 mds, 1 mgr',
}

/** A setting that nobody made, in a list of those that may be. */
export const AS_FLAVOUR = 'as its flavour has it'

/** What the flavour has, for who leaves it to that. */
export function ofFlavour(flavour: ClusterFlavour, words: string): string {
  return `Flavour ${flavour}: ${words}.`
}

/** Which role asks for a condition. */
export const CONDITION_ROLE_WORDS: Readonly<Record<NodeCondition['role'], string>> = {
  general: 'General',
  control: 'Control',
  compute: 'Compute',
  storage: 'Storage',
}

/** Whether a condition of maintenance is so. A node that is on its way there or back has nothing wrong with it yet. */
export function holdsWord(holds: ConditionHolds, state: NodeState): string {
  switch (holds) {
    case 'holds':
      return 'holds'
    case 'unknown':
      return 'not known'
    case 'does-not-hold':
      return isOpenYet(state) ? (state === 'leaving' ? 'no longer' : 'not yet') : 'does not hold'
  }
}

/** Whether what maintenance asks of a node is still to come, or over: then nothing of it can be amiss. */
export function isOpenYet(state: NodeState): boolean {
  return state === 'active' || state === 'entering' || state === 'leaving'
}
