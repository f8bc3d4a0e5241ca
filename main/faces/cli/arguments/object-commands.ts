import type { CommandSpec } from './argument-specs.ts'
import { cluster, confirmCluster, node, reason, yes } from './argument-words.ts'
import { enterFlags } from './maintenance-commands.ts'

/** Commands about the objects of the node maintenance API, whoever made them. */
export const objectCommands: readonly CommandSpec[] = [
  {
    path: ['locks'],
    summary: 'the workload locks of a cluster: who holds what, and what each says; touches nothing',
    about: [
      'Those of the cluster first, then those of its nodes; also locks that others made. Instances are named; -v shows what the controllers wrote, with ids.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['locks mosk', 'locks mosk -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/maintenance-objects.ts')).listLocks,
  },
  {
    path: ['requests'],
    summary: 'the maintenance requests of a cluster: who made them, since when, what they wait for; touches nothing',
    about: [
      'Those of strangers too, requests to delete nodes, and notes that a node is disabled on purpose. Instances are named; -v shows ids.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['requests mosk', 'requests mosk -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/maintenance-objects.ts')).listRequests,
  },
  {
    path: ['requests', 'create'],
    summary: 'request the maintenance of a node, as `enter` does: checked, followed, verified',
    about: [
      'There is one way to a request: the plan of `enter`, with all its checks and flags. It stays until `leave` removes it.',
      'The request of a whole cluster is made, and removed, by `update start` alone.',
    ],
    operands: [cluster, node],
    flags: enterFlags,
    examples: ['requests create mosk cmp-01 --reason "ticket 4711"'],
    needs: 'contract',
    load: async () => (await import('../commands/maintenance-objects.ts')).createRequest,
  },
  {
    path: ['requests', 'remove'],
    summary: 'remove a maintenance request that no run is to end',
    about: [
      'Removes exactly the request that was shown, and keeps who did and why in the journal. Controllers may hold it until their application is back.',
      '`leave` ends a request that a run of Lockkeeper made. One of somebody else is removed with --force REASON only: they may still rely on it.',
    ],
    operands: [cluster, { name: 'NAME', required: true, help: 'the name of the request (`requests CLUSTER`).' }],
    flags: [
      {
        name: 'kind',
        value: { kind: 'choice', choices: ['cluster', 'node'] },
        help: 'which one, where a request of the cluster and one of a node have the same name',
      },
      {
        name: 'force',
        value: { kind: 'text', placeholder: 'REASON' },
        help: "remove a stranger's request all the same; the reason is kept",
      },
      { ...reason, help: 'why; it is kept in the journal' },
      yes,
      confirmCluster,
    ],
    examples: ['requests remove mosk cmp-99 --force "LCM is gone, agreed with its operators" --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/maintenance-objects.ts')).removeRequest,
  },
]
