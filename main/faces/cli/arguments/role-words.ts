import type { FlagSpec } from './argument-specs.ts'

const strategy: FlagSpec = {
  name: 'strategy',
  value: { kind: 'choice', choices: ['watcher', 'nova'] },
  help: "who empties a compute node: Watcher's action plan, or Lockkeeper through Nova (else as the cluster is set)",
}

/** What a run does about a live migration that gets nowhere. */
export const stuck: FlagSpec = {
  name: 'stuck',
  value: { kind: 'text', placeholder: 'AFTER=DO' },
  help: 'what is done about a live migration that makes no progress for so long: ask (the default, after 10m), force-complete, abort-and-retry, abort-and-leave or cold; such as 10m=force-complete',
}

/** Makes the plan, shows it, and ends. */
export const dryRun: FlagSpec = {
  name: 'dry-run',
  value: { kind: 'switch' },
  help: 'show what would be done and end; touches nothing (exit 0 when it could start, 3 when not)',
}

/** What may be chosen by role when a node goes into maintenance; named as Sunbeam does where it has the same (docs/domain.md B.1). */
export const enterRoleFlags: readonly FlagSpec[] = [
  stuck,
  strategy,
  {
    name: 'disable-migration',
    value: { kind: 'optional-choice', choices: ['both', 'live', 'cold'], bare: 'both' },
    help: 'compute: rule out live migration, cold migration, or both; what cannot move then is stopped or stays stopped',
  },
  {
    name: 'cold-migration',
    value: { kind: 'switch' },
    help: 'compute: stopped instances move too, by cold migration; without it they stand in the way on a sunbeam cloud',
  },
  {
    name: 'backup-node',
    value: { kind: 'text', placeholder: 'HOST' },
    help: 'compute, strategy watcher: the host that takes the instances if they fit there',
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
    help: 'compute, strategy watcher: move through Nova what Watcher would get wrong',
  },
  { name: 'stop-osds', value: { kind: 'switch' }, help: "storage: stop the node's OSDs and keep them stopped" },
  {
    name: 'enable-ceph-crush-rebalancing',
    value: { kind: 'switch' },
    help: 'storage: let Ceph rebalance meanwhile: noout is not set',
  },
]

/** Where nodes come back. */
export const startInstances: FlagSpec = {
  name: 'start-instances',
  value: { kind: 'switch' },
  help: 'compute: start the instances that ran when the maintenance began and are down when the node is back',
}

/** Stopped instances go the way of the others. */
const coldMigration: FlagSpec = {
  name: 'cold-migration',
  value: { kind: 'switch' },
  help: 'compute: stopped instances are brought home too, by cold migration',
}

/** What may be chosen when instances are brought home. */
export const homeFlags: readonly FlagSpec[] = [coldMigration, stuck]

/** What may be chosen by role when a node comes back. */
export const leaveRoleFlags: readonly FlagSpec[] = [
  strategy,
  {
    name: 'home',
    value: { kind: 'switch' },
    help: 'compute: bring the instances home that the maintenance moved away, as far as they fit and nobody moved them since; Watcher is not asked to spread then',
  },
  ...homeFlags,
  {
    name: 'disable-instance-workload-rebalancing',
    value: { kind: 'switch' },
    help: 'compute, strategy watcher: do not ask Watcher to spread instances again',
  },
  startInstances,
  {
    name: 'no-wait-for-clean',
    value: { kind: 'switch' },
    help: 'storage: do not wait until every placement group is active and clean',
  },
]
