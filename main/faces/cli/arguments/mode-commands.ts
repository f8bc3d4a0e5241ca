import { HOST_MODES } from '../../../../shared/domain/instance-policy.ts'
import { MODE_WORDS } from '../instance-mode-words.ts'
import type { CommandSpec, OperandSpec } from './argument-specs.ts'
import { cluster, node } from './argument-words.ts'

const nodes: OperandSpec = {
  name: 'NODE',
  required: true,
  several: true,
  help: 'one node of the cluster or more (`nodes CLUSTER`).',
}

const REPORTED =
  'Shows what stood there before and what is there now; each change, and each refusal, is kept in the journal.'

/** Commands about what is changed by hand, above all what a maintenance does with instances: modes of hosts, marks of instances. */
export const modeCommands: readonly CommandSpec[] = [
  {
    path: ['host', 'mode'],
    summary: 'set what a maintenance of hosts does with instances that say nothing themselves',
    about: [
      'live: they move; manual: their owners are waited for; skip: they stay and go down with the host; default: nothing is set, which means live.',
      REPORTED,
    ],
    operands: [
      cluster,
      nodes,
      { name: 'MODE', required: true, choices: [...HOST_MODES, 'default'], help: 'live, manual, skip or default.' },
    ],
    flags: [],
    examples: ['host mode lab cmp-01 cmp-02 manual', 'host mode lab cmp-01 default -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/host-mode.ts')).setHostModes,
  },
  {
    path: ['host', 'attempts'],
    summary: 'set how often a live migration from hosts is tried',
    about: [REPORTED],
    operands: [cluster, nodes, { name: 'ATTEMPTS', required: true, help: 'a number from 1 to 20, or default.' }],
    flags: [],
    examples: ['host attempts lab cmp-01 5', 'host attempts lab cmp-01 cmp-02 default'],
    needs: 'contract',
    load: async () => (await import('../commands/host-mode.ts')).setHostAttempts,
  },
  {
    path: ['instance', 'mode'],
    summary: 'mark instances with what a maintenance of their host does with them',
    about: [
      'live: it moves; poweroff: it stays and goes down with the host; notify: its owner is waited for; default: no mark, the mode of its host decides.',
      'A name that several instances have is refused, and nothing is changed: the answer names each with its project and id.',
      REPORTED,
    ],
    operands: [
      cluster,
      {
        name: 'INSTANCE',
        required: true,
        several: true,
        help: 'one instance or more, by name or id (`instances CLUSTER`).',
      },
      {
        name: 'MODE',
        required: true,
        choices: Object.keys(MODE_WORDS),
        help: 'live, poweroff, notify or default.',
      },
    ],
    flags: [],
    examples: ['instance mode lab web-1 web-2 notify', 'instance mode lab web-1 default -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/instance-mode.ts')).markInstances,
  },
  {
    path: ['edits'],
    summary: 'what was changed by hand on a cluster or a node: modes, marks, settings; newest first',
    about: ['From the journal: before and after of each, by whom, and what was refused.'],
    operands: [cluster, { ...node, required: false }],
    flags: [
      {
        name: 'limit',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 500 },
        help: 'how many at most; 50 where nothing is said',
      },
    ],
    examples: ['edits lab', 'edits lab cmp-01 --limit 10 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/edits.ts')).listEdits,
  },
]
