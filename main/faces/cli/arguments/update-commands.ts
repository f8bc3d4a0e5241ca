import type { CommandOutline, FlagSpec } from './argument-specs.ts'
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

export const workFlags: readonly FlagSpec[] = [
  {
    name: 'work',
    value: { kind: 'text', placeholder: 'GATE' },
    help: 'how Lockkeeper knows that the work on a node has finished: person (asks you, the default), boot-id, kubelet=VERSION, os-image=TEXT, job=FILE',
  },
  {
    name: 'job-namespace',
    value: { kind: 'text', placeholder: 'NS' },
    help: 'namespace of the Job of --work job=FILE (default: "default")',
  },
]

/** Choices for the update of a cluster, beside the work itself. */
export const updateOnlyFlags: readonly FlagSpec[] = [
  {
    name: 'control',
    value: { kind: 'text', placeholder: 'NODES' },
    help: 'the control-plane nodes in order, or none; they are always updated one by one',
  },
  {
    name: 'group',
    value: { kind: 'text', placeholder: 'NAME=NODES[:N]' },
    repeatable: true,
    help: 'worker nodes, N at a time, groups in the order given; * means all other nodes',
  },
  { name: 'zone-at-a-time', value: { kind: 'switch' }, help: 'work on nodes of one availability zone at a time' },
  { name: 'pause-between-nodes', value: { kind: 'switch' }, help: 'ask before every next node' },
  { name: 'pause-between-phases', value: { kind: 'switch' }, help: 'ask before every next phase' },
  {
    name: 'applications',
    value: { kind: 'text', placeholder: 'FILE' },
    help: 'YAML file: what starts the update of each application, and how its end is recognised',
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

export const updateCommands: readonly CommandOutline[] = [
  {
    path: ['update', 'plan'],
    summary: 'show what updating a cluster would do; changes nothing',
    about: [
      'Five phases: prepare, applications, control-plane nodes, worker nodes, finalize.',
      'Exit code 0 when it could start, 3 when a check fails.',
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
      'Shows the plan, asks, requests maintenance of the cluster, takes each node out and brings it back, and verifies the result.',
      'Without the node maintenance API (flavours plain and sunbeam), each node goes through its own `maintain` procedure.',
      UNATTENDED,
      'One update per cluster at a time. Ctrl-C asks whether to detach (you can resume the run), pause or abort.',
    ],
    operands: [cluster],
    flags: [...updateFlags, all, ...windowFlags, inClusterFlags, yes, answer, confirmCluster],
    examples: ['update start lab', 'update start lab --work job=agent.yaml --job-namespace ops --pause-between-nodes'],
    needs: 'contract',
    load: async () => (await import('../commands/update-plan.ts')).startUpdate,
  },
  {
    path: ['update', 'status'],
    summary: 'show the phases of an update and the state of every node',
    about: ["For an update by another program, it shows what the cluster's objects say."],
    operands: [cluster],
    flags: [
      {
        name: 'watch',
        value: { kind: 'switch' },
        help: 'print each change until the update ends or Ctrl-C; waits if no update has started',
      },
    ],
    examples: ['update status lab', 'update status lab --watch', 'update status lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).showUpdate,
  },
  {
    path: ['update', 'pause'],
    summary: 'pause an update, also one that runs on another console',
    about: [
      'No further step starts, so nodes being updated stay out of service; `update stop-after` brings them back first. `update resume` continues.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['update pause lab'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).pauseUpdate,
  },
  {
    path: ['update', 'stop-after'],
    summary: 'finish the current nodes, start no other, then pause',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['update stop-after lab'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).stopUpdateAfter,
  },
  {
    path: ['update', 'skip'],
    summary: 'skip a node that the update has not started',
    about: [],
    operands: [cluster, node],
    flags: [reason],
    examples: ['update skip lab cmp-7 --reason "broken fan"'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).skipUpdateNode,
  },
  {
    path: ['update', 'resume'],
    summary: 'resume an update that was paused, detached or interrupted',
    about: ['Checks the cloud first; steps that are done are not repeated.'],
    operands: [cluster],
    flags: [answer],
    examples: ['update resume lab'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).resumeUpdate,
  },
  {
    path: ['update', 'abort'],
    summary: 'stop an update; its requests stay',
    about: [
      'Nothing is undone automatically: bring nodes back with `leave`. A later `update start` takes over the request of the cluster.',
    ],
    operands: [cluster],
    flags: [reason, yes],
    examples: ['update abort lab --reason "window has ended"'],
    needs: 'contract',
    load: async () => (await import('../commands/update-control.ts')).abortUpdate,
  },
]
