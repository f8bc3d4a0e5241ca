import type { CommandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

export const windowBatchesCommands: readonly CommandSpec[] = [
  {
    path: ['window', 'batches'],
    summary: 'show which nodes can be out of service together; changes nothing',
    about: [
      'Makes batches of --nodes, or of all nodes of --role, that respect limits, zones, Ceph, quorums, anti-affinity groups and capacity. With --batch it checks your batches by the same rules.',
      'Exit code 0 when every node is in a valid batch, 3 when a node is left out or a batch breaks a rule.',
    ],
    operands: [cluster],
    flags: [
      { name: 'nodes', value: { kind: 'text', placeholder: 'NODES' }, help: 'the nodes, separated by commas' },
      {
        name: 'role',
        value: { kind: 'choice', choices: ['control', 'gateway', 'compute', 'storage'] },
        help: 'all nodes of a role',
      },
      {
        name: 'batch',
        value: { kind: 'text', placeholder: 'NODES' },
        repeatable: true,
        help: 'nodes of one batch that you define; batches run in the order given',
      },
      {
        name: 'zones',
        value: { kind: 'choice', choices: ['one-at-a-time', 'spread'] },
        help: 'one-at-a-time (the default): a batch has nodes of one availability zone; spread: of as many as possible',
      },
      {
        name: 'at-once',
        value: { kind: 'text', placeholder: 'ROLE=N' },
        repeatable: true,
        help: "nodes of a role at a time, such as compute=2 (default: the cloud's setting)",
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
