import type { CommandOutline } from './argument-specs.ts'
import { cluster, confirmCluster, node, reason, yes } from './argument-words.ts'
import { enterFlags } from './maintenance-commands.ts'

/** Commands about all objects of the node maintenance API, including other programs' objects. */
export const objectCommands: readonly CommandOutline[] = [
  {
    path: ['locks'],
    summary: 'list the workload locks of a cloud and what each says; changes nothing',
    about: [
      'Locks of the cloud come first, then those of its nodes, including locks of other programs. -v shows what the controllers wrote, with ids.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['locks mosk', 'locks mosk -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/maintenance-objects.ts')).listLocks,
  },
  {
    path: ['requests'],
    summary: 'list the maintenance requests of a cloud: author, age, and what they wait for; changes nothing',
    about: [
      'Includes requests of other programs, requests to delete nodes, and notes that a node is disabled on purpose. -v shows ids.',
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
      'Carries out the plan of `enter`, with all its checks and flags. The request stays until `leave` removes it.',
      'Only `update start` creates and removes the request of a whole cloud.',
    ],
    operands: [cluster, node],
    flags: enterFlags,
    examples: ['requests create mosk cmp-01 --reason "ticket 4711"'],
    needs: 'contract',
    load: async () => (await import('../commands/maintenance-objects.ts')).createRequest,
  },
  {
    path: ['requests', 'remove'],
    summary: 'remove a maintenance request that no run will remove',
    about: [
      'Removes exactly the request shown. The journal records who removed it and why. Controllers may keep it until their application is back.',
      'Use `leave` for a request of a Lockkeeper run. A request of another program needs --force REASON, because that program may still rely on it.',
    ],
    operands: [cluster, { name: 'NAME', required: true, help: 'the name of the request (`requests CLUSTER`).' }],
    flags: [
      {
        name: 'kind',
        value: { kind: 'choice', choices: ['cluster', 'node'] },
        help: 'which one, if a request of the cloud and one of a node have the same name',
      },
      {
        name: 'force',
        value: { kind: 'text', placeholder: 'REASON' },
        help: 'remove a request of another program; the reason is kept',
      },
      { ...reason, help: 'the reason; it is kept in the journal' },
      yes,
      confirmCluster,
    ],
    examples: ['requests remove mosk cmp-99 --force "LCM is gone, agreed with its operators" --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/maintenance-objects.ts')).removeRequest,
  },
]
