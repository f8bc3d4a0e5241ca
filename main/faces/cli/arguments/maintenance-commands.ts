import type { CommandOutline, FlagSpec } from './argument-specs.ts'
import {
  answer,
  attempts,
  choiceFlags,
  cluster,
  concurrency,
  confirmCluster,
  inClusterFlags,
  node,
  reason,
  UNATTENDED,
  windowFlags,
  yes,
} from './argument-words.ts'
import { dryRun, enterRoleFlags, homeFlags, leaveRoleFlags } from './role-words.ts'
import { workFlags } from './update-commands.ts'

const forecast: FlagSpec = {
  name: 'forecast',
  value: { kind: 'switch' },
  help: 'also show where each instance may go and how long it may take, from times measured here',
}

/** What an operator must confirm, and may choose, for a machine that is off. */
const rescueFlags: readonly FlagSpec[] = [
  {
    name: 'machine-is-off',
    value: { kind: 'text', placeholder: 'HOW' },
    help: 'how you know that the machine is off; required, and kept with the run',
  },
  {
    name: 'shared-disks',
    value: { kind: 'text', placeholder: 'HOW' },
    help: 'how you know that other nodes can reach the instances\' disks, such as "images_type=rbd"',
  },
  {
    name: 'allow-data-loss',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'also rebuild instances whose local disk is lost, from their images; otherwise they stay; the reason is kept',
  },
  {
    name: 'out-of-service-taint',
    value: { kind: 'switch' },
    help: "have Kubernetes force-delete the machine's pods and detach their volumes",
  },
  ...choiceFlags.filter(({ name }) => ['force', 'concurrency', 'attempts'].includes(name)),
  reason,
]

export const enterFlags: CommandOutline['flags'] = [
  ...choiceFlags,
  ...enterRoleFlags,
  reason,
  dryRun,
  ...windowFlags,
  inClusterFlags,
  yes,
  answer,
  confirmCluster,
]

/** Choices for a node's whole maintenance: out, back, and how Lockkeeper knows that the work has finished. */
const wholeFlags: readonly FlagSpec[] = [
  ...workFlags.map(flag =>
    flag.name === 'work'
      ? { ...flag, help: `${flag.help}; or command=COMMAND, which runs on this machine; exit code 0 means done` }
      : flag,
  ),
  ...choiceFlags,
  ...enterRoleFlags,
  ...leaveRoleFlags.filter(({ name }) => enterRoleFlags.every(flag => flag.name !== name)),
  reason,
]

/** Commands that show nodes, and that plan and carry out maintenance. */
export const maintenanceCommands: readonly CommandOutline[] = [
  {
    path: ['enter'],
    summary: 'take nodes out of service',
    about: [
      'Several nodes go out in one run and stay out; room, quorums and disks are judged for all together. A node that has to stay is named; with --yes nothing starts then (exit code 3).',
      'Checks the cloud, shows the plan, asks, carries it out, and verifies the result. If a check fails, nothing changes (exit code 3).',
      'The run belongs to the open maintenance window. On production clouds a start outside any window needs a reason: --reason or --outside-window.',
      'On a production cloud, type its name or give --confirm-cluster; --yes alone is not enough.',
      'Ctrl-C asks whether to detach (you can resume the run), pause or stop it. Without a terminal it detaches.',
      UNATTENDED,
    ],
    operands: [cluster, { ...node, several: true, help: 'nodes of the cloud (`nodes CLUSTER`).' }],
    flags: enterFlags,
    examples: [
      'enter lab cmp-01',
      'enter lab cmp-01 cmp-02 cmp-03',
      'enter lab cmp-01 --scope drain --yes',
      'enter lab ctl-1 --allow-downtime "agreed with the tenant"',
      'enter mosk cmp-01 --reason "ticket 4711"',
      inClusterFlags,
      'enter sun sun-1 --disable-migration=cold --stop-osds --dry-run',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/take-out-together.ts')).enterNodes,
  },
  {
    path: ['leave'],
    summary: 'bring a node back into service',
    about: [
      'Uncordons the node, enables its compute service if Lockkeeper disabled it, waits until it reports, and verifies.',
      UNATTENDED,
    ],
    operands: [cluster, node],
    flags: [...choiceFlags, ...leaveRoleFlags, reason, dryRun, inClusterFlags, yes, answer, confirmCluster],
    examples: [
      'leave lab cmp-01',
      'leave lab cmp-01 --yes -o json',
      'leave sun sun-1 --yes --answer rebalance-instances=continue',
      'leave lab cmp-01 --home',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/maintain.ts')).leaveNode,
  },
  {
    path: ['maintain'],
    summary: 'take a node out of service, wait for your work, and bring it back, as one run',
    about: [
      '`enter`, your work, and `leave` with one plan and one confirmation. --work says how Lockkeeper knows that your work has finished.',
      'Within a window it says how long it can wait for the work, and asks when that time is up.',
      'The shell of this machine runs a command (--work command=COMMAND) once, in this folder, with LOCKKEEPER_NODE, LOCKKEEPER_CLUSTER and LOCKKEEPER_RUN. It outlives this console and only you can end it. While it runs, the work can be neither skipped nor repeated.',
      UNATTENDED,
    ],
    operands: [cluster, node],
    flags: [...wholeFlags, dryRun, ...windowFlags, inClusterFlags, yes, answer, confirmCluster],
    examples: [
      'maintain lab cmp-01',
      'maintain lab cmp-01 --work boot-id --yes',
      'maintain lab cmp-01 --work job=firmware.yaml --job-namespace ops',
      'maintain lab cmp-01 --work "command=./patch.sh cmp-01"',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/maintain.ts')).maintainNode,
  },
  {
    path: ['home'],
    summary: 'bring back the instances that the last maintenance moved off a node',
    about: [
      'Live-migrates each instance to the node, as many at a time as `leave` does. An instance that was deleted, was moved since, does not fit or cannot move stays; the plan says why.',
      'The node must be back in service. The journal of this data directory says where the last maintenance moved each instance.',
      UNATTENDED,
    ],
    operands: [cluster, node],
    flags: [
      concurrency,
      attempts,
      ...homeFlags,
      reason,
      dryRun,
      ...windowFlags,
      inClusterFlags,
      yes,
      answer,
      confirmCluster,
    ],
    examples: ['home lab cmp-01', 'home lab cmp-01 --concurrency 3 --yes', 'home lab cmp-01 --dry-run -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/maintain.ts')).homeNode,
  },
  {
    path: ['rescue'],
    summary: 'rebuild the instances of a dead machine on other nodes',
    about: [
      'For a dead machine: its node does not report and its nova-compute is down. Take a machine that runs out of service instead (`enter`).',
      'Say how you know that it is off (--machine-is-off). A machine that only lost its network still runs its instances, and an instance that runs twice destroys its data.',
      'Marks the node as failed in Nova (force-down), and Nova rebuilds what it can (evacuate). The plan says what stays and why. No window is needed.',
      'After the repair, `leave` brings the machine back: it undoes the force-down and the taint.',
      UNATTENDED,
    ],
    operands: [cluster, node],
    flags: [...rescueFlags, dryRun, inClusterFlags, yes, answer, confirmCluster],
    examples: [
      'rescue lab cmp-01 --machine-is-off "BMC says power off 10:04" --dry-run',
      'rescue lab cmp-01 --machine-is-off "pulled both plugs" --shared-disks "images_type=rbd" --concurrency 4',
      'rescue lab cmp-01 --machine-is-off "BMC says power off" --allow-data-loss "caches only" --out-of-service-taint',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/maintain.ts')).rescueNode,
  },
  {
    path: ['plan', 'enter'],
    summary: 'show what taking a node out of service would do; changes nothing',
    about: ['Exit code 0 when it could start, 3 when a check fails.'],
    operands: [cluster, node],
    flags: [...choiceFlags, ...enterRoleFlags, reason, forecast],
    examples: ['plan enter lab cmp-01', 'plan enter lab cmp-01 --forecast', 'plan enter lab cmp-01 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planEnter,
  },
  {
    path: ['plan', 'leave'],
    summary: 'show what bringing a node back into service would do; changes nothing',
    about: ['Exit code 0 when it could start, 3 when a check fails.'],
    operands: [cluster, node],
    flags: [...choiceFlags, ...leaveRoleFlags, reason],
    examples: ['plan leave lab cmp-01'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planLeave,
  },
  {
    path: ['plan', 'maintain'],
    summary: 'show what taking a node out and bringing it back would do; changes nothing',
    about: ['Exit code 0 when it could start, 3 when a check fails.'],
    operands: [cluster, node],
    flags: [...wholeFlags, forecast],
    examples: ['plan maintain lab cmp-01', 'plan maintain lab cmp-01 --work boot-id -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planMaintain,
  },
  {
    path: ['plan', 'home'],
    summary: "show what bringing a node's instances back would do; changes nothing",
    about: ['Exit code 0 when it could start, 3 when a check fails.'],
    operands: [cluster, node],
    flags: [concurrency, attempts, ...homeFlags, reason],
    examples: ['plan home lab cmp-01', 'plan home lab cmp-01 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planHome,
  },
  {
    path: ['plan', 'rescue'],
    summary: "show what a rescue of a dead machine's instances would do; changes nothing",
    about: ['Exit code 0 when it could start, 3 when a check fails.'],
    operands: [cluster, node],
    flags: rescueFlags,
    examples: ['plan rescue lab cmp-01 --machine-is-off "BMC says power off 10:04"'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planRescue,
  },
  {
    path: ['nodes'],
    summary: 'list the nodes of a cloud and the state of each',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['nodes lab', 'nodes lab -o json'],
    needs: 'reading',
    load: async () => (await import('../commands/nodes.ts')).listNodes,
  },
  {
    path: ['node', 'show'],
    summary: 'show the state of one node, its roles, and what each role needs before maintenance',
    about: ['Also shows where labels and running services disagree about a role; this blocks maintenance.'],
    operands: [cluster, node],
    flags: [
      {
        name: 'all',
        value: { kind: 'switch' },
        help: 'also show its pods with what a drain would do, services and events',
      },
    ],
    examples: ['node show lab cmp-01', 'node show lab cmp-01 --all', 'node show lab cmp-01 -o json'],
    needs: 'reading',
    load: async () => (await import('../commands/node-show.ts')).showNode,
  },
  {
    path: ['instances'],
    summary: 'list the instances of a cloud or node, and what a maintenance would do to each',
    about: ['-v and -o json show ids.'],
    operands: [cluster, { ...node, required: false }],
    flags: [],
    examples: ['instances lab', 'instances lab cmp-01'],
    needs: 'reading',
    load: async () => (await import('../commands/instances.ts')).listInstances,
  },
]
