import type { CommandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

/** The command that makes waves of nodes, or judges those that are given. */
export const windowWavesCommands: readonly CommandSpec[] = [
  {
    path: ['window', 'waves'],
    summary: 'which nodes may be worked on side by side; touches nothing',
    about: [
      'Makes waves of --nodes or of all nodes of --role that keep limits, zones, Ceph, quorums, anti-affinity groups and room; with --wave it judges yours by the same rules.',
      'Exit 0 when every node is in a wave that keeps the rules, 3 when one is left out or a wave breaks a rule.',
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
        name: 'wave',
        value: { kind: 'text', placeholder: 'NODES' },
        repeatable: true,
        help: 'nodes of one wave, as you want them; waves follow each other in the order given',
      },
      {
        name: 'zones',
        value: { kind: 'choice', choices: ['one-at-a-time', 'spread'] },
        help: 'a wave holds nodes of one availability zone (the default), or takes from as many as it can',
      },
      {
        name: 'at-once',
        value: { kind: 'text', placeholder: 'ROLE=N' },
        repeatable: true,
        help: 'nodes of a role at once, such as compute=2; else as the cluster is set',
      },
    ],
    examples: [
      'window waves lab --role compute --at-once compute=2',
      'window waves lab --nodes cmp-1,cmp-2,cmp-3 --zones spread -o json',
      'window waves lab --wave cmp-1,cmp-2 --wave cmp-3',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/window-waves.ts')).showWaves,
  },
]
