import type { CommandSpec, FlagSpec } from './argument-specs.ts'
import {
  all,
  answer,
  choiceFlags,
  cluster,
  confirmCluster,
  inClusterFlags,
  node,
  reason,
  UNATTENDED,
  windowFlags,
  yes,
} from './argument-words.ts'
import { startInstances, stuck } from './role-words.ts'

/** How the work on a node is known to be over. */
export const workFlags: readonly FlagSpec[] = [
  {
    name: 'work',
    value: { kind: 'text', placeholder: 'GATE' },
    help: 'how the work on a node is known to be over: person (asks, the default), boot-id, kubelet=VERSION, os-image=TEXT, job=FILE',
  },
  {
    name: 'job-namespace',
    value: { kind: 'text', placeholder: 'NS' },
    help: 'namespace of the Job of --work job=FILE (default: default)',
  },
]

/** What is chosen for the update of a cluster beside the work itself. */
export const updateOnlyFlags: readonly FlagSpec[] = [
  {
    name: 'control',
    value: { kind: 'text', placeholder: 'NODES' },
    help: 'the control-plane nodes in their order, or none; they are always updated one by one',
  },
  {
    name: 'group',
    value: { kind: 'text', placeholder: 'NAME=NODES[:N]' },
    repeatable: true,
    help: 'worker nodes to be updated N at once, groups in the order given; * stands for all that no group names',
  },
  { name: 'zone-at-a-time', value: { kind: 'switch' }, help: 'work on nodes of one availability zone at a time' },
  { name: 'pause-between-nodes', value: { kind: 'switch' }, help: 'ask before every next node' },
  { name: 'pause-between-phases', value: { kind: 'switch' }, help: 'ask before every next phase' },
  {
    name: 'applications',
    value: { kind: 'text', placeholder: 'FILE' },
    help: 'YAML: what starts the update of each application and shows its end',
  },
  { name: 'release', value: { kind: 'text', placeholder: 'RELEASE' }, help: 'the release that the requests announce' },
]

const updateFlags: readonly FlagSpec[] = [
  ...workFlags,
  ...updateOnlyFlags,
  startInstances,
  stuck,
  reason,
  ...choiceFlags,
]

/** Commands about the update of a whole cluster, node by node. */
export const updateCommands: readonly CommandSpec[] = [
  {
    path: ['update', 'plan'],
    summary: 'show what updating a cluster would do; touches nothing',
    about: [
      'Five phases: prepare, applications, control-plane nodes, worker nodes, finalize.',
      'Exit 0 when it could start, 3 when a check does not hold.',
    ],
    operands: [cluster],
    flags: [...updateFlags, all],
    examples: ['update plan lab', 'update plan lab --group rack-1=cmp-1,cmp-2:2 --group rest=* --work boot-id'],
    needs: 'contract',
    load: async () => (await import('../commands/update-plan.ts')).planUpdate,
  },
  {
    path: ['update', 'start'],
    summary: 'update a cluster node by node',
    about: [
      'Shows the plan, asks, requests maintenance of the cluster, takes every node out and back, and verifies the whole.',
      'Without the node maintenance API (flavours plain and sunbeam) each node enters, is worked on and leaves by its own procedure.',
      UNATTENDED,
      'One driver a cluster. Ctrl-C asks whether to detach (the run stays, resumable), pause or abort.',
    ],
    operands: [cluster],
    flags: [...updateFlags, all, ...windowFlags, ...inClusterFlags, yes, answer, confirmCluster],
    examples: ['update start lab', 'update start lab --work job=agent.yaml --job-namespace ops --pause-between-nodes'],
    needs: 'contract',
    load: async () => (await import('../commands/update-plan.ts')).startUpdate,
  },
  {
    path: ['update', 'status'],
    summary: 'the phases of an update, and where every node stands',
    about: ['Of an update that somebody else drives it shows what the objects of the cluster tell.'],
    operands: [cluster],
    flags: [
      {
        name: 'watch',
        value: { kind: 'switch' },
        help: 'stay and tell each change until it is over, or Ctrl-C; waits for an update that has not begun',
      },
    ],
    examples: ['update status lab', 'update status lab --watch', 'update status lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).showUpdate,
  },
  {
    path: ['update', 'pause'],
    summary: 'pause an update, also one that another console drives',
    about: [
      'No further step is begun, so nodes under way stay out of service; `update stop-after` brings them back first. `update resume` goes on.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['update pause lab'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).pauseUpdate,
  },
  {
    path: ['update', 'stop-after'],
    summary: 'finish the nodes under way, begin no other, then pause',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['update stop-after lab'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).stopUpdateAfter,
  },
  {
    path: ['update', 'skip'],
    summary: 'leave out a node of an update that was not begun',
    about: [],
    operands: [cluster, node],
    flags: [reason],
    examples: ['update skip lab cmp-7 --reason "broken fan"'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).skipUpdateNode,
  },
  {
    path: ['update', 'resume'],
    summary: 'go on with an update that was paused, left or interrupted',
    about: ['Looks at the world first: what is done already is not done twice.'],
    operands: [cluster],
    flags: [answer],
    examples: ['update resume lab'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).resumeUpdate,
  },
  {
    path: ['update', 'abort'],
    summary: 'end an update where it is; its requests stay',
    about: [
      'Nothing is rolled back by itself: nodes under way come back with `leave`; another `update start` takes the request of the cluster over.',
    ],
    operands: [cluster],
    flags: [reason, yes],
    examples: ['update abort lab --reason "window is over"'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).abortUpdate,
  },
]
