import type { CommandSpec, FlagSpec } from './argument-specs.ts'
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
  help: 'also where each instance may go, and how long it may take by what was measured here',
}

/** What an operator has to say, and may choose, of a machine that is off. */
const rescueFlags: readonly FlagSpec[] = [
  {
    name: 'machine-is-off',
    value: { kind: 'text', placeholder: 'HOW' },
    help: 'how you know that the machine is off; nothing is done without it, and it is kept with the run',
  },
  {
    name: 'shared-disks',
    value: { kind: 'text', placeholder: 'HOW' },
    help: 'how you know that other hosts reach the disks that Nova keeps for instances, such as "images_type=rbd"',
  },
  {
    name: 'allow-data-loss',
    value: { kind: 'text', placeholder: 'REASON' },
    help: 'rebuild from their images also those whose local disk is lost; without it they are left; the reason is kept',
  },
  {
    name: 'out-of-service-taint',
    value: { kind: 'switch' },
    help: "have Kubernetes remove the machine's pods by force and detach their volumes",
  },
  ...choiceFlags.filter(({ name }) => ['force', 'concurrency', 'attempts'].includes(name)),
  reason,
]

/** Flags of `enter`. */
export const enterFlags: readonly FlagSpec[] = [
  ...choiceFlags,
  ...enterRoleFlags,
  reason,
  dryRun,
  ...windowFlags,
  ...inClusterFlags,
  yes,
  answer,
  confirmCluster,
]

/** What may be chosen for a node's whole maintenance: of both ways, and how the work is known to be over. */
const wholeFlags: readonly FlagSpec[] = [
  ...workFlags.map(flag =>
    flag.name === 'work'
      ? { ...flag, help: `${flag.help}; or command=COMMAND, which this machine runs: exit code 0 is done` }
      : flag,
  ),
  ...choiceFlags,
  ...enterRoleFlags,
  ...leaveRoleFlags.filter(({ name }) => enterRoleFlags.every(flag => flag.name !== name)),
  reason,
]

/** Commands that plan and do maintenance, and show what is there. */
export const maintenanceCommands: readonly CommandSpec[] = [
  {
    path: ['enter'],
    summary: 'take a node out of service',
    about: [
      'Checks everything, shows what will happen, asks, does it, and verifies it in the world. When a check does not hold, nothing is touched (exit 3).',
      'It belongs to the maintenance window that is open there; outside any window it asks why, or takes --outside-window.',
      'On a cluster that is marked as production its name is to be typed, or given with --confirm-cluster; --yes alone is not enough.',
      'Ctrl-C asks whether to detach (the run stays, resumable), pause or abort. Without a terminal it detaches.',
      UNATTENDED,
    ],
    operands: [cluster, node],
    flags: enterFlags,
    examples: [
      'enter lab cmp-01',
      'enter lab cmp-01 --scope drain --yes',
      'enter lab ctl-1 --allow-downtime "agreed with the tenant"',
      'enter mosk cmp-01 --reason "ticket 4711"',
      'enter lab cmp-01 --in-cluster --start-after 2035-11-24T22:00+01:00',
      'enter sun sun-1 --disable-migration=cold --stop-osds --dry-run',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/maintain.ts')).enterNode,
  },
  {
    path: ['leave'],
    summary: 'bring a node back into service',
    about: [
      'Uncordons the node, enables its compute service when it was disabled by Lockkeeper, waits until it reports, and verifies.',
      UNATTENDED,
    ],
    operands: [cluster, node],
    flags: [...choiceFlags, ...leaveRoleFlags, reason, dryRun, ...inClusterFlags, yes, answer, confirmCluster],
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
    summary: 'take a node out of service, have it worked on, and bring it back, as one run',
    about: [
      'enter, the work, and leave with one plan and one confirmation. The work is yours: --work says how it is known to be over.',
      'Within a window it says until when it may wait for the work, and asks when that time is up.',
      'A command (--work command=COMMAND) is run once by the shell of this machine, in this folder, with LOCKKEEPER_NODE, LOCKKEEPER_CLUSTER and LOCKKEEPER_RUN. It outlives this console, and nothing but you ends it: while it goes on its work can be neither passed nor run again.',
      UNATTENDED,
    ],
    operands: [cluster, node],
    flags: [...wholeFlags, dryRun, ...windowFlags, ...inClusterFlags, yes, answer, confirmCluster],
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
    summary: 'bring the instances home that the last maintenance moved off a node',
    about: [
      'Each by a live migration that names the node, as many at once as when leaving. Who was deleted, moved since by anybody, does not fit or cannot move stays, and the plan says why.',
      'The node has to be back in service. Which instances they are is read from the journal of this data directory, which has where the last maintenance moved each.',
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
      ...inClusterFlags,
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
    summary: 'rebuild the instances of a machine that is off on other hosts',
    about: [
      'For a machine that died: its node does not report and its nova-compute is down. One that lives is taken out of service instead (enter).',
      'Say how you know that it is off (--machine-is-off): cut off from the network it would run on, and an instance that runs twice destroys its own data.',
      'Nova is told that the host failed (force-down) and rebuilds what it can (evacuate); what stays, and why, is in the plan. It asks for no window.',
      'Once the machine is repaired, leave brings it back: it undoes the force-down and the taint.',
      UNATTENDED,
    ],
    operands: [cluster, node],
    flags: [...rescueFlags, dryRun, ...inClusterFlags, yes, answer, confirmCluster],
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
    summary: 'show what taking a node out of service would do; touches nothing',
    about: ['Exit 0 when it could start, 3 when a check does not hold.'],
    operands: [cluster, node],
    flags: [...choiceFlags, ...enterRoleFlags, reason, forecast],
    examples: ['plan enter lab cmp-01', 'plan enter lab cmp-01 --forecast', 'plan enter lab cmp-01 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planEnter,
  },
  {
    path: ['plan', 'leave'],
    summary: 'show what bringing a node back into service would do; touches nothing',
    about: ['Exit 0 when it could start, 3 when a check does not hold.'],
    operands: [cluster, node],
    flags: [...choiceFlags, ...leaveRoleFlags, reason],
    examples: ['plan leave lab cmp-01'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planLeave,
  },
  {
    path: ['plan', 'maintain'],
    summary: "show what a node's whole maintenance would do; touches nothing",
    about: ['Exit 0 when it could start, 3 when a check does not hold.'],
    operands: [cluster, node],
    flags: [...wholeFlags, forecast],
    examples: ['plan maintain lab cmp-01', 'plan maintain lab cmp-01 --work boot-id -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planMaintain,
  },
  {
    path: ['plan', 'home'],
    summary: "show what bringing a node's instances home would do; touches nothing",
    about: ['Exit 0 when it could start, 3 when a check does not hold.'],
    operands: [cluster, node],
    flags: [concurrency, attempts, ...homeFlags, reason],
    examples: ['plan home lab cmp-01', 'plan home lab cmp-01 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planHome,
  },
  {
    path: ['plan', 'rescue'],
    summary: 'show what a rescue of the instances of a machine that is off would do; touches nothing',
    about: ['Exit 0 when it could start, 3 when a check does not hold.'],
    operands: [cluster, node],
    flags: rescueFlags,
    examples: ['plan rescue lab cmp-01 --machine-is-off "BMC says power off 10:04"'],
    needs: 'contract',
    load: async () => (await import('../commands/plan.ts')).planRescue,
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
    path: ['node', 'show'],
    summary: 'where one node stands, who says which roles it has, and what each role asks of it',
    about: ['Says too where its labels and what runs there do not agree about a role: that blocks its maintenance.'],
    operands: [cluster, node],
    flags: [
      { name: 'all', value: { kind: 'switch' }, help: 'also its pods with what a drain would do, services and events' },
    ],
    examples: ['node show lab cmp-01', 'node show lab cmp-01 --all', 'node show lab cmp-01 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/node-show.ts')).showNode,
  },
  {
    path: ['instances'],
    summary: 'the instances of a cluster, or of one node, and what a maintenance would do to each',
    about: ['-v and -o json show ids.'],
    operands: [cluster, { ...node, required: false }],
    flags: [],
    examples: ['instances lab', 'instances lab cmp-01'],
    needs: 'contract',
    load: async () => (await import('../commands/instances.ts')).listInstances,
  },
]
