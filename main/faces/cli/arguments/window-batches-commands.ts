import type { CommandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

/** The command that makes batches of nodes, or judges those that are given. */
export const windowBatchesCommands: readonly CommandSpec[] = [
  {
    path: ['window', 'batches'],
    summary: 'which nodes may be worked on side by side; touches nothing',
    about: [
      'Makes batches of --nodes or of all nodes of --role that keep limits, zones, Ceph, quorums, anti-affinity groups and room; with --batch it judges yours by the same rules.',
      'Exit 0 when every node is in a batch that keeps the rules, 3 when one is left out or a batch breaks a rule.',
    ],
    operands: [cluster],
    flags: [
      { name: 'nodes', value: { kind: 'text', placeholder: 'NODES' }, help: 'the nodes, with commas between' },
      {
        name: 'role',
        value: { kind: 'choice', choices: ['control', 'gateway', 'compute', 'storage'] },
        help: 'all nodes of a role',
      },
      {
        name: 'batch',
        value: { kind: 'text', placeholder: 'NODES' },
        repeatable: true,
        help: 'nodes of one batch, as you want them; batches follow each other in the order given',
      },
      {
        name: 'zones',
        value: { kind: 'choice', choices: ['one-at-a-time', 'spread'] },
        help: 'a batch holds nodes of one availability zone (the default), or takes from as many as it can',
      },
      {
        name: 'at-once',
        value: { kind: 'text', placeholder: 'ROLE=N' },
        repeatable: true,
        help: 'nodes of a role at once, such as compute=2; else as the cluster is set',
      },
    ],
    examples: [
      'window batches lab --role compute --at-once compute=2',
      'window batches lab --nodes cmp-1,cmp-2,cmp-3 --zones spread -o json',
      'window batches lab --batch cmp-1,cmp-2 --batch cmp-3',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/window-batches.ts')).showBatches,
  },
]
