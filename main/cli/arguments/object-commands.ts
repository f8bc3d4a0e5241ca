import type { CommandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

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
]
