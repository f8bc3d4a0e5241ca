import { VENDOR_FIGURES } from '../../../../shared/domain/vendor-estimate.ts'
import type { CommandSpec, FlagSpec, OperandSpec } from './argument-specs.ts'
import { planFlags, windowOperand } from './window-commands.ts'

const anyWindow: OperandSpec = {
  ...windowOperand,
  required: false,
  help: `${windowOperand.help} Without one: --cluster and nodes.`,
}

/** A plan without a window yet, or an alternative plan of a window. */
const plannedFlags: readonly FlagSpec[] = [
  {
    name: 'cluster',
    value: { kind: 'text', placeholder: 'CLUSTER' },
    help: 'instead of a window: the cloud of the nodes',
  },
  ...planFlags,
]

/** Commands about how long a window takes and which owners it affects. */
export const windowEstimateCommands: readonly CommandSpec[] = [
  {
    path: ['window', 'estimate'],
    summary: 'estimate how long a window, or other batches, may take; changes nothing',
    about: [
      'Range: median to 90th percentile of what was measured on this cloud. Work that was never measured is named, not guessed.',
      "For the update of a mosk cloud it also shows the vendor's formula.",
    ],
    operands: [anyWindow],
    flags: [
      ...plannedFlags,
      {
        name: 'figure',
        value: { kind: 'text', placeholder: 'NAME=N' },
        repeatable: true,
        help: `use the vendor's formula with these figures, without a cloud: ${VENDOR_FIGURES.join(', ')}`,
      },
    ],
    examples: [
      'window estimate 4f1c',
      'window estimate --figure instances-per-compute=25 --figure computes=20 --figure gateways=2 --figure masters=3 --figure workers=25 --figure restart=1',
      'window estimate 4f1c --batch cmp-1 --batch cmp-2,cmp-3',
      'window estimate --cluster lab --nodes cmp-1,cmp-2 --work-minutes 20 -o json',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/window-estimate.ts')).showEstimate,
  },
  {
    path: ['window', 'owners'],
    summary: 'list owners whose instances a window stops or makes wait; changes nothing',
    about: ['Grouped by project. --message prints the text for each owner, ready to send.'],
    operands: [anyWindow],
    flags: [
      { name: 'message', value: { kind: 'switch' }, help: 'print the message to the owners of each project' },
      { name: 'csv', value: { kind: 'switch' }, help: 'print a CSV table, one instance per line' },
      {
        name: 'mail',
        value: { kind: 'text', placeholder: 'DIR' },
        help: 'write the message to each project as a mail file (.eml) into this folder; sends nothing',
      },
      ...plannedFlags,
    ],
    examples: [
      'window owners 4f1c',
      'window owners 4f1c --message',
      'window owners 4f1c --csv',
      'window owners 4f1c --mail .',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/window-owners.ts')).showOwners,
  },
  {
    path: ['window', 'forecast'],
    summary: 'predict whether a window ends in time; changes nothing',
    about: [
      'Says what to leave out if it would end late.',
      'Exit code 0 when it ends in time or that is unknown, 3 when it may end late or will.',
    ],
    operands: [windowOperand],
    flags: [],
    examples: ['window forecast 4f1c', 'window forecast 4f1c -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/window-forecast.ts')).showForecast,
  },
]
