import type { MaintenanceScope } from '../../../../shared/domain/plan.ts'
import type { FlagSlot, FlagSpec, OperandSpec } from './argument-specs.ts'

const SCOPES = ['drain', 'os'] as const satisfies readonly MaintenanceScope[]

export const cluster: OperandSpec = { name: 'CLUSTER', required: true, help: 'a registered cloud (`cluster list`).' }
export const name: OperandSpec = { name: 'NAME', required: true, help: 'the name of a cloud in Lockkeeper.' }
export const node: OperandSpec = { name: 'NODE', required: true, help: 'a node of the cloud (`nodes CLUSTER`).' }
export const run: OperandSpec = {
  name: 'RUN',
  required: true,
  help: 'the id of a run, or the beginning of one (`runs`).',
}
export const runOrAsked: OperandSpec = {
  ...run,
  help: 'the id of a run, the name of its MaintenanceRun, or the beginning of one (`runs`).',
  asked: true,
}

export const yes: FlagSpec = { name: 'yes', value: { kind: 'switch' }, help: 'do not ask' }
export const all: FlagSpec = {
  name: 'all',
  value: { kind: 'switch' },
  help: "show every check, instance and pod; without it, each node's verdict, warnings and blockers",
}

/** How an unattended run gets its answers, for the help of commands. */
export const UNATTENDED =
  'Without a terminal, a question without an answer ends the command with exit code 4. The run waits for the answer.'

export const answer: FlagSpec = {
  name: 'answer',
  value: { kind: 'text', placeholder: 'KIND=CHOICE' },
  repeatable: true,
  help: 'answer questions of this kind of step in advance, such as rebalance-instances=skip; the plan lists them. --yes alone gives safe answers: wait longer, or change nothing',
}
export const windowFlags: readonly FlagSpec[] = [
  {
    name: 'window',
    value: { kind: 'text', placeholder: 'ID' },
    help: 'the open maintenance window it belongs to (`window list`); needed only if several are open',
  },
  {
    name: 'outside-window',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'why it starts outside any window; kept with the run. Production clouds want it, or --reason',
  },
]
/** Confirms a production cluster without typing its name when asked. */
export const confirmCluster: FlagSpec = {
  name: 'confirm-cluster',
  value: { kind: 'text', placeholder: 'NAME' },
  help: 'the name of the production cloud, if you cannot type it when asked',
}
/** Flags of runs that a runner in the cluster carries out: they come from its wing. */
export const inClusterFlags: FlagSlot = { slot: 'in-cluster' }
export const concurrency: FlagSpec = {
  name: 'concurrency',
  value: { kind: 'count', placeholder: 'N', least: 1, most: 64 },
  help: 'how many instances leave one node at a time by live migration',
}
export const attempts: FlagSpec = {
  name: 'attempts',
  value: { kind: 'count', placeholder: 'N', least: 1, most: 20 },
  help: 'how often Lockkeeper tries to migrate an instance',
}
export const drainTimeout: FlagSpec = {
  name: 'drain-timeout',
  value: { kind: 'duration', placeholder: 'DURATION' },
  help: 'give up a drain after this time, such as 30m; 0: never',
}
export const reason: FlagSpec = {
  name: 'reason',
  value: { kind: 'text', placeholder: 'TEXT' },
  help: 'the reason; it is kept with the run',
}

/** Choices of an operator for one run; absent ones come from the cluster's settings. */
export const choiceFlags: readonly FlagSpec[] = [
  {
    name: 'scope',
    value: { kind: 'choice', choices: SCOPES },
    help: 'drain: instances stay; os (the default): instances move away, so that the node may reboot',
  },
  {
    name: 'force',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'start in spite of failed checks that may be overridden; the reason is kept with the run',
  },
  {
    name: 'allow-downtime',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'accept downtime of workloads without a second ready replica; the reason is kept',
  },
  concurrency,
  attempts,
  drainTimeout,
  {
    name: 'delete-emptydir-data',
    value: { kind: 'switch' },
    help: 'evict pods that use emptyDir volumes; their data is lost',
  },
]
