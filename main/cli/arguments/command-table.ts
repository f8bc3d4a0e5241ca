import type { ClusterFlavour } from '../../../shared/domain/cluster.ts'
import type { MaintenanceScope } from '../../../shared/domain/plan.ts'
import type { CommandSpec, FlagSpec, OperandSpec } from './argument-specs.ts'

const FLAVOURS = ['plain', 'mosk', 'sunbeam'] as const satisfies readonly ClusterFlavour[]
const SCOPES = ['drain', 'os'] as const satisfies readonly MaintenanceScope[]

const cluster: OperandSpec = { name: 'CLUSTER', required: true, help: 'a registered cluster (`cluster list`).' }
const name: OperandSpec = { name: 'NAME', required: true, help: 'the name of a cluster in Lockkeeper.' }
const node: OperandSpec = { name: 'NODE', required: true, help: 'a node of the cluster (`nodes CLUSTER`).' }
const run: OperandSpec = { name: 'RUN', required: true, help: 'the id of a run, or the beginning of one (`runs`).' }

const yes: FlagSpec = { name: 'yes', value: { kind: 'switch' }, help: 'do not ask' }
const concurrency: FlagSpec = {
  name: 'concurrency',
  value: { kind: 'count', placeholder: 'N', least: 1, most: 64 },
  help: 'live migrations at once from one node',
}
const attempts: FlagSpec = {
  name: 'attempts',
  value: { kind: 'count', placeholder: 'N', least: 1, most: 20 },
  help: 'attempts an instance gets to migrate',
}
const drainTimeout: FlagSpec = {
  name: 'drain-timeout',
  value: { kind: 'duration', placeholder: 'DURATION' },
  help: 'give up a drain after this, such as 30m; 0 never',
}
const reason: FlagSpec = {
  name: 'reason',
  value: { kind: 'text', placeholder: 'TEXT' },
  help: 'why; it is kept with the run',
}

/** What an operator may choose for a run; what is absent is the cluster's setting. */
const choiceFlags: readonly FlagSpec[] = [
  {
    name: 'scope',
    value: { kind: 'choice', choices: SCOPES },
    help: 'drain: instances stay; os: the node may reboot, instances are moved away (the default)',
  },
  {
    name: 'force',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'override checks that allow it; the reason is kept with the run',
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

/** Every command of the terminal face (issue 2, "The terminal face"), in the order of the help. */
export const commandTable: readonly CommandSpec[] = [
  {
    path: ['enter'],
    summary: 'put a node into maintenance',
    about: [
      'Checks everything, shows what will happen, asks, does it, and verifies it in the world. When a check does not hold, nothing is touched (exit 3).',
      'Ctrl-C asks whether to detach (the run stays, resumable), pause or abort. Without a terminal it detaches.',
    ],
    operands: [cluster, node],
    flags: [...choiceFlags, yes],
    examples: [
      'enter lab cmp-01',
      'enter lab cmp-01 --scope drain --yes',
      'enter lab ctl-1 --allow-downtime "agreed with the tenant"',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/maintain.ts')).enterNode,
  },
  {
    path: ['leave'],
    summary: 'take a node out of maintenance',
    about: [
      'Uncordons the node, enables its compute service when it was disabled by Lockkeeper, waits until it reports, and verifies.',
    ],
    operands: [cluster, node],
    flags: [...choiceFlags, yes],
    examples: ['leave lab cmp-01', 'leave lab cmp-01 --yes -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/maintain.ts')).leaveNode,
  },
  {
    path: ['plan', 'enter'],
    summary: 'show what entering maintenance would do; touches nothing',
    about: ['Exit 0 when it could start, 3 when a check does not hold.'],
    operands: [cluster, node],
    flags: choiceFlags,
    examples: ['plan enter lab cmp-01', 'plan enter lab cmp-01 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planEnter,
  },
  {
    path: ['plan', 'leave'],
    summary: 'show what leaving maintenance would do; touches nothing',
    about: ['Exit 0 when it could start, 3 when a check does not hold.'],
    operands: [cluster, node],
    flags: choiceFlags,
    examples: ['plan leave lab cmp-01'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planLeave,
  },
  {
    path: ['nodes'],
    summary: 'the nodes of a cluster and where each stands',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['nodes lab', 'nodes lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/nodes.ts')).listNodes,
  },
  {
    path: ['instances'],
    summary: 'the instances of a cluster, or of one node, and what a maintenance would do to each',
    about: [],
    operands: [cluster, { ...node, required: false }],
    flags: [],
    examples: ['instances lab', 'instances lab cmp-01'],
    needs: 'contract',
    load: async () => (await import('../commands/instances.ts')).listInstances,
  },
  {
    path: ['runs'],
    summary: 'the runs, newest first',
    about: [],
    operands: [{ ...cluster, required: false }],
    flags: [],
    examples: ['runs', 'runs lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/runs.ts')).listRuns,
  },
  {
    path: ['run', 'show'],
    summary: 'a run with its steps; -v shows every event',
    about: [],
    operands: [run],
    flags: [],
    examples: ['run show 4f1c', 'run show 4f1c -v'],
    needs: 'contract',
    load: async () => (await import('../commands/run-show.ts')).showRun,
  },
  {
    path: ['run', 'resume'],
    summary: 'drive an interrupted, left or paused run on',
    about: ['Looks at the world first: what is done already is not done twice.'],
    operands: [run],
    flags: [],
    examples: ['run resume 4f1c'],
    needs: 'contract',
    load: async () => (await import('../commands/run-resume.ts')).resumeRun,
  },
  {
    path: ['run', 'pause'],
    summary: 'ask the console that drives a run to pause it',
    about: ['What is under way is finished or left to Nova; nothing new is started.'],
    operands: [run],
    flags: [],
    examples: ['run pause 4f1c'],
    needs: 'contract',
    load: async () => (await import('../commands/run-control.ts')).pauseRun,
  },
  {
    path: ['run', 'abort'],
    summary: 'end a run where it is; says what stays changed',
    about: ['Nothing is rolled back by itself: `leave` is the way back.'],
    operands: [run],
    flags: [reason, yes],
    examples: ['run abort 4f1c --reason "wrong node"'],
    needs: 'contract',
    load: async () => (await import('../commands/run-control.ts')).abortRun,
  },
  {
    path: ['run', 'answer'],
    summary: 'answer what a run waits for',
    about: ['`run show RUN` tells the question, the gate and the choices it takes. A skip needs a reason.'],
    operands: [
      run,
      { name: 'GATE', required: true, help: 'the gate that `run show RUN` names.' },
      {
        name: 'CHOICE',
        required: true,
        choices: ['continue', 'retry', 'skip', 'abort'],
        help: 'continue, retry, skip or abort.',
      },
    ],
    flags: [reason],
    examples: ['run answer 4f1c gate-1 retry', 'run answer 4f1c gate-1 skip --reason "vm-07 may go down"'],
    needs: 'contract',
    load: async () => (await import('../commands/run-control.ts')).answerRun,
  },
  {
    path: ['cluster', 'add'],
    summary: 'register a cluster',
    about: [
      'Keeps names and paths, never credentials: the files stay where they are and are read at every start.',
      'Say which cloud of clouds.yaml belongs to it with --cloud, or --no-openstack for a Kubernetes-only cluster.',
    ],
    operands: [name],
    flags: [
      {
        name: 'kubeconfig',
        value: { kind: 'text', placeholder: 'FILE[:FILE]' },
        help: 'kubeconfig files, merged as kubectl does (else KUBECONFIG, else ~/.kube/config)',
      },
      {
        name: 'context',
        value: { kind: 'text', placeholder: 'NAME' },
        help: 'the context (else the current one, fixed now)',
      },
      {
        name: 'clouds-yaml',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'clouds.yaml (else OS_CLIENT_CONFIG_FILE, else where the openstack client looks)',
      },
      { name: 'cloud', value: { kind: 'text', placeholder: 'NAME' }, help: 'the cloud in clouds.yaml' },
      { name: 'no-openstack', value: { kind: 'switch' }, help: 'there is no OpenStack on this cluster' },
      { name: 'flavour', value: { kind: 'choice', choices: FLAVOURS }, help: 'which procedures it needs (plain)' },
      concurrency,
      attempts,
      drainTimeout,
      {
        name: 'return-timeout',
        value: { kind: 'duration', placeholder: 'DURATION' },
        help: 'how long a returning node may take to report, such as 5m',
      },
      {
        name: 'role-label',
        value: { kind: 'text', placeholder: 'ROLE=KEY[=VALUE]' },
        repeatable: true,
        help: 'a node label that means a role (control, gateway, compute, storage); replaces the defaults of that role',
      },
      {
        name: 'openstack-namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'where the OpenStack pods run',
      },
      {
        name: 'lease-namespace',
        value: { kind: 'text', placeholder: 'NAMESPACE' },
        help: 'where Lockkeeper keeps its Leases',
      },
    ],
    examples: [
      'cluster add lab --kubeconfig ~/lab.kubeconfig --clouds-yaml ~/clouds.yaml --cloud lab',
      'cluster add edge --context edge-admin --no-openstack',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-add.ts')).addCluster,
  },
  {
    path: ['cluster', 'list'],
    summary: 'the registered clusters',
    about: [],
    operands: [],
    flags: [],
    examples: ['cluster list', 'cluster list -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-list.ts')).listClusters,
  },
  {
    path: ['cluster', 'test'],
    summary: 'reachability, versions, clocks and permissions of a cluster',
    about: [
      'Exit 0 when a maintenance could be run with these credentials, 3 when something is missing. Prints the RBAC manifest that would grant it.',
    ],
    operands: [name],
    flags: [],
    examples: ['cluster test lab'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-test.ts')).testCluster,
  },
  {
    path: ['cluster', 'consent'],
    summary: 'allow the credential command that the kubeconfig of a cluster asks to run',
    about: [
      'Shows the file, the command, its arguments and the names of variables it sets. Any change to them asks again.',
    ],
    operands: [name],
    flags: [yes],
    examples: ['cluster consent lab'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-consent.ts')).consentToExecPlugin,
  },
  {
    path: ['cluster', 'remove'],
    summary: 'forget a cluster; its files and the runs in the journal stay',
    about: [],
    operands: [name],
    flags: [yes],
    examples: ['cluster remove lab --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/cluster-remove.ts')).removeCluster,
  },
  {
    path: ['demo'],
    summary: 'keep the embedded demo clouds running until Ctrl-C, for kubectl and openstack',
    about: [
      'Prints their kubeconfig and clouds.yaml and commands to try. `demo tour` shows a maintenance from start to end.',
    ],
    operands: [],
    flags: [],
    examples: ['demo', 'demo tour'],
    needs: 'nothing',
    load: async () => (await import('../commands/demo.ts')).keepDemo,
  },
  {
    path: ['demo', 'tour'],
    summary: 'enter and leave a compute node of the embedded demo cloud, verified',
    about: ['The whole job on clouds that live in this process only. Nothing outside it is touched.'],
    operands: [],
    flags: [],
    examples: ['demo tour'],
    needs: 'nothing',
    load: async () => (await import('../commands/demo-tour.ts')).tourDemo,
  },
]
