import type { FlagSpec } from './argument-specs.ts'

const strategy: FlagSpec = {
  name: 'strategy',
  value: { kind: 'choice', choices: ['watcher', 'nova'] },
  help: "how to empty a compute node: by Watcher's action plan, or by Lockkeeper through Nova (default: the cloud's setting)",
}

/** What a run does about a live migration without progress. */
export const stuck: FlagSpec = {
  name: 'stuck',
  value: { kind: 'text', placeholder: 'AFTER=DO' },
  help: 'what to do about a live migration without progress for a time, such as 10m=force-complete: ask (the default, after 10m), force-complete, abort-and-retry, abort-and-leave or cold',
}

export const dryRun: FlagSpec = {
  name: 'dry-run',
  value: { kind: 'switch' },
  help: 'only show the plan; changes nothing (exit code 0 when it could start, 3 when not)',
}

/** Choices by role for taking a node out of service; named as in Sunbeam where it has the same (docs/domain.md B.1). */
export const enterRoleFlags: readonly FlagSpec[] = [
  stuck,
  strategy,
  {
    name: 'disable-migration',
    value: { kind: 'optional-choice', choices: ['both', 'live', 'cold'], bare: 'both' },
    help: 'compute: disable live migration, cold migration, or both; instances that cannot move then stop or stay stopped',
  },
  {
    name: 'cold-migration',
    value: { kind: 'switch' },
    help: 'compute: also move stopped instances, by cold migration; without it they block maintenance on a sunbeam cloud',
  },
  {
    name: 'backup-node',
    value: { kind: 'text', placeholder: 'NODE' },
    help: 'compute, strategy watcher: the node to move the instances to, if they fit',
  },
  {
    name: 'exclude-instance',
    value: { kind: 'text', placeholder: 'ID' },
    repeatable: true,
    help: "compute, strategy watcher: leave this instance out of Watcher's plan",
  },
  {
    name: 'nova-for-rest',
    value: { kind: 'switch' },
    help: 'compute, strategy watcher: move through Nova what Watcher would move wrongly',
  },
  { name: 'stop-osds', value: { kind: 'switch' }, help: "storage: stop the node's OSDs and keep them stopped" },
  {
    name: 'enable-ceph-crush-rebalancing',
    value: { kind: 'switch' },
    help: 'storage: let Ceph rebalance meanwhile; noout stays unset',
  },
]

export const startInstances: FlagSpec = {
  name: 'start-instances',
  value: { kind: 'switch' },
  help: 'compute: once the node is back, start instances that ran before the maintenance and are off',
}

const coldMigration: FlagSpec = {
  name: 'cold-migration',
  value: { kind: 'switch' },
  help: 'compute: also bring stopped instances back, by cold migration',
}

export const homeFlags: readonly FlagSpec[] = [coldMigration, stuck]

/** Choices by role for bringing a node back. */
export const leaveRoleFlags: readonly FlagSpec[] = [
  strategy,
  {
    name: 'home',
    value: { kind: 'switch' },
    help: 'compute: bring back instances that the maintenance moved away, if they fit and were not moved since; Watcher does not rebalance then',
  },
  ...homeFlags,
  {
    name: 'disable-instance-workload-rebalancing',
    value: { kind: 'switch' },
    help: 'compute, strategy watcher: do not let Watcher rebalance instances',
  },
  startInstances,
  {
    name: 'no-wait-for-clean',
    value: { kind: 'switch' },
    help: 'storage: do not wait until every placement group is active and clean',
  },
]
