import type { ClusterFlavour } from '../domain/cluster.ts'
import type { ConditionHolds, NodeCondition } from '../domain/node-conditions.ts'
import type { NodeState } from '../domain/node-summary.ts'
import type { DisabledMigration } from '../domain/plan.ts'
import type { CephAccess, CephServicesRule, ComputeStrategy } from '../domain/role-maintenance.ts'

/** What empties a compute node. */
export const STRATEGY_WORDS: Readonly<Record<ComputeStrategy, string>> = {
  watcher: 'Watcher, by an action plan',
  nova: 'Lockkeeper, through Nova',
}

/** The ways of moving that are ruled out. */
export const DISABLED_MIGRATION_WORDS: Readonly<Record<DisabledMigration, string>> = {
  none: 'nothing',
  live: 'live migration',
  cold: 'cold migration',
  both: 'all migration',
}

/** How Lockkeeper asks Ceph. */
export const CEPH_WORDS: Readonly<Record<CephAccess, string>> = {
  toolbox: "Rook's toolbox pod",
  microceph: 'MicroCeph, over Juju',
  none: 'not at all',
}

/** The services of Ceph that must stay. */
export const SERVICES_RULE_WORDS: Readonly<Record<CephServicesRule, string>> = {
  'by-version': "by Ceph's release",
  fixed: '3 mons, 1 mds, 1 mgr',
  majority: 'a majority of the mons, 1 mds, 1 mgr',
}

/** A setting without a value, in a list of choices. */
export const AS_FLAVOUR = 'as in its flavour'

export function ofFlavour(flavour: ClusterFlavour, words: string): string {
  return `Flavour ${flavour}: ${words}.`
}

/** The role that requires a condition. */
export const CONDITION_ROLE_WORDS: Readonly<Record<NodeCondition['role'], string>> = {
  general: 'General',
  control: 'Control',
  compute: 'Compute',
  storage: 'Storage',
}

/** Whether a condition of maintenance is met. A node that is going out or coming back may still be without it. */
export function holdsWord(holds: ConditionHolds, state: NodeState): string {
  switch (holds) {
    case 'holds':
      return 'met'
    case 'unknown':
      return 'unknown'
    case 'does-not-hold':
      return isOpenYet(state) ? (state === 'leaving' ? 'no longer' : 'not yet') : 'not met'
  }
}

/** Whether the conditions of maintenance do not apply yet, or no longer. */
export function isOpenYet(state: NodeState): boolean {
  return state === 'active' || state === 'entering' || state === 'leaving'
}
