import type { MaintenanceScope } from '../../../../shared/domain/plan.ts'
import type { FlagSpec, OperandSpec } from './argument-specs.ts'

const SCOPES = ['drain', 'os'] as const satisfies readonly MaintenanceScope[]

/** The cluster a command works on. */
export const cluster: OperandSpec = { name: 'CLUSTER', required: true, help: 'a registered cluster (`cluster list`).' }
/** The name of a cluster, where it is the object itself. */
export const name: OperandSpec = { name: 'NAME', required: true, help: 'the name of a cluster in Lockkeeper.' }
/** The node a command works on. */
export const node: OperandSpec = { name: 'NODE', required: true, help: 'a node of the cluster (`nodes CLUSTER`).' }
/** The run a command works on. */
export const run: OperandSpec = {
  name: 'RUN',
  required: true,
  help: 'the id of a run, or the beginning of one (`runs`).',
}
/** The same where it may also be one that no runner has begun. */
export const runOrAsked: OperandSpec = {
  ...run,
  help: 'the id of a run, the name of its MaintenanceRun, or the beginning of one (`runs`).',
  asked: true,
}

/** Skips the confirmation. */
export const yes: FlagSpec = { name: 'yes', value: { kind: 'switch' }, help: 'do not ask' }
/** Shows a plan of many nodes in full. */
export const all: FlagSpec = {
  name: 'all',
  value: { kind: 'switch' },
  help: 'every check, instance and pod of the plan; else the verdict of each node and what warns or blocks',
}

/** How a run that nobody looks at is answered, for the help of commands. */
export const UNATTENDED =
  'Questions of the run may be answered beforehand with --answer; the plan lists them. With --yes a question gets an answer that only waits longer or touches nothing, where it has one. Without a terminal any other question leaves the run waiting, is named, and ends the command with exit 4.'

/** Answers to questions of a run that are given beforehand. */
export const answer: FlagSpec = {
  name: 'answer',
  value: { kind: 'text', placeholder: 'KIND=CHOICE' },
  repeatable: true,
  help: 'answer questions of a kind of step beforehand, such as rebalance-instances=skip; the plan lists them',
}
/** To which window a run belongs, or why to none. */
export const windowFlags: readonly FlagSpec[] = [
  {
    name: 'window',
    value: { kind: 'text', placeholder: 'ID' },
    help: 'the open maintenance window it belongs to (`window list`); needed only where several are open',
  },
  {
    name: 'outside-window',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'why it is started although no window is open; kept with the run, and required on production clusters',
  },
]
/** Stands for typing the name of a production cluster. */
export const confirmCluster: FlagSpec = {
  name: 'confirm-cluster',
  value: { kind: 'text', placeholder: 'NAME' },
  help: 'the name of a production cluster, where it cannot be typed when asked for',
}
/** Who carries it out: this terminal, or a runner in the cluster, and when that may be at work. */
export const inClusterFlags: readonly FlagSpec[] = [
  {
    name: 'in-cluster',
    value: { kind: 'switch' },
    help: 'have a runner in the cluster carry it out: it goes on when this terminal is closed',
  },
  {
    name: 'start-after',
    value: { kind: 'text', placeholder: 'TIME' },
    help: 'with --in-cluster: not begun before, such as 2035-11-24T22:00+01:00',
  },
  {
    name: 'not-after',
    value: { kind: 'text', placeholder: 'TIME' },
    help: 'with --in-cluster: no node is begun that would not be finished by then',
  },
  {
    name: 'resume-policy',
    value: { kind: 'choice', choices: ['always', 'never'] },
    help: 'with --in-cluster: whether the runner takes the run up again by itself after a crash (always); never: a person resumes it',
  },
  {
    name: 'campaign',
    value: { kind: 'text', placeholder: 'NAME' },
    help: 'with --in-cluster: begun when this campaign of the runner says so',
  },
]
/** What a runner cannot always find out about its own volume. */
export const volumeElsewhere: FlagSpec = {
  name: 'volume-elsewhere',
  value: { kind: 'switch' },
  help: "you say that the runner's volume is on no Ceph whose OSDs it stops: where it cannot tell, it refuses such a run otherwise",
}
/** How many migrations at once. */
export const concurrency: FlagSpec = {
  name: 'concurrency',
  value: { kind: 'count', placeholder: 'N', least: 1, most: 64 },
  help: 'live migrations at once from one node',
}
/** How often an instance is tried. */
export const attempts: FlagSpec = {
  name: 'attempts',
  value: { kind: 'count', placeholder: 'N', least: 1, most: 20 },
  help: 'attempts an instance gets to migrate',
}
/** When a drain is given up. */
export const drainTimeout: FlagSpec = {
  name: 'drain-timeout',
  value: { kind: 'duration', placeholder: 'DURATION' },
  help: 'give up a drain after this, such as 30m; 0 never',
}
/** Why, for the journal. */
export const reason: FlagSpec = {
  name: 'reason',
  value: { kind: 'text', placeholder: 'TEXT' },
  help: 'why; it is kept with the run',
}

/** What an operator may choose for a run; what is absent is the cluster's setting. */
export const choiceFlags: readonly FlagSpec[] = [
  {
    name: 'scope',
    value: { kind: 'choice', choices: SCOPES },
    help: 'drain: instances stay; os: the node may reboot, instances are moved away (the default)',
  },
  {
    name: 'force',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'lift checks that may be lifted; the reason is kept with the run',
  },
  {
    name: 'allow-downtime',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'accept that a workload without a second ready replica goes down; the reason is kept',
  },
  concurrency,
  attempts,
  drainTimeout,
  {
    name: 'delete-emptydir-data',
    value: { kind: 'switch' },
    help: 'evict pods that keep data in emptyDir; that data is lost',
  },
]
