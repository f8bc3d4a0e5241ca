import { HOST_MODES } from '../../../../shared/domain/instance-policy.ts'
import { MODE_WORDS } from '../instance-mode-words.ts'
import type { CommandSpec, OperandSpec } from './argument-specs.ts'
import { cluster, node, reason, yes } from './argument-words.ts'

const nodes: OperandSpec = {
  name: 'NODE',
  required: true,
  several: true,
  help: 'one or more nodes of the cloud (`nodes CLUSTER`).',
}

const instance: OperandSpec = {
  name: 'INSTANCE',
  required: true,
  help: 'an instance, by name or id (`instances CLUSTER`).',
}

const remedyFlags = [{ ...reason, help: 'the reason; it is kept in the journal' }, yes]

const REPORTED = 'Shows the value before and after. The journal keeps each change and each refusal.'

/** Commands about manual changes: modes of hosts, modes of instances. */
export const modeCommands: readonly CommandSpec[] = [
  {
    path: ['host', 'mode'],
    summary: 'set what node maintenance does with instances that have no mode',
    about: [
      'live: they move; manual: the run waits for their owners; skip: they stay and stop with the node; default: not set, which means live.',
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
    summary: 'set how often Lockkeeper tries a live migration from nodes',
    about: [REPORTED],
    operands: [cluster, nodes, { name: 'ATTEMPTS', required: true, help: 'a number from 1 to 20, or default.' }],
    flags: [],
    examples: ['host attempts lab cmp-01 5', 'host attempts lab cmp-01 cmp-02 default'],
    needs: 'contract',
    load: async () => (await import('../commands/host-mode.ts')).setHostAttempts,
  },
  {
    path: ['instance', 'mode'],
    summary: 'set what a maintenance of their node does with instances',
    about: [
      'live: it moves; poweroff: it stays and stops with the node; notify: the run waits for its owner; default: the mode of its node decides.',
      'If several instances have the name, nothing changes; the answer lists each with its project and id.',
      REPORTED,
    ],
    operands: [
      cluster,
      {
        name: 'INSTANCE',
        required: true,
        several: true,
        help: 'one or more instances, by name or id (`instances CLUSTER`).',
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
    path: ['instance', 'reset-state'],
    summary: 'reset the state of an instance in ERROR, or with a task of Nova that is stale, to ACTIVE',
    about: [
      'Nova then takes it for running, so that it can move. Its guest does not change: if it does not run, its move fails.',
      'A task is stale once Nova has not changed the instance for 10 minutes. Instances that move or are rebuilt are never reset.',
      'It is refused while a run works on its node, and if the instance changed since it was shown. A production cloud wants --reason.',
      REPORTED,
    ],
    operands: [cluster, instance],
    flags: remedyFlags,
    examples: ['instance reset-state lab web-1', 'instance reset-state lab web-1 --reason "ticket 4711" --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/instance-remedy.ts')).resetInstance,
  },
  {
    path: ['instance', 'stop'],
    summary: 'shut down an instance in ERROR where it is, so that it no longer keeps its node busy',
    about: [
      'Its guest gets a minute, then Nova switches it off. It stays on its node, off, until its owner starts it.',
      'It is refused while a run works on its node, and if the instance changed since it was shown. A production cloud wants --reason.',
      REPORTED,
    ],
    operands: [cluster, instance],
    flags: remedyFlags,
    examples: ['instance stop lab web-1', 'instance stop lab web-1 --reason "agreed with its owner" --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/instance-remedy.ts')).stopInstance,
  },
  {
    path: ['edits'],
    summary: 'list manual changes of a cloud or a node, newest first: modes, instances and settings',
    about: ['From the journal: each change with its values before and after and its author, and each refusal.'],
    operands: [cluster, { ...node, required: false }],
    flags: [
      {
        name: 'limit',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 500 },
        help: 'maximum number of changes (default 50)',
      },
    ],
    examples: ['edits lab', 'edits lab cmp-01 --limit 10 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/edits.ts')).listEdits,
  },
]
