import { VENDOR_FIGURES } from '../../../../shared/domain/vendor-estimate.ts'
import type { CommandSpec, FlagSpec, OperandSpec } from './argument-specs.ts'
import { planFlags, windowOperand } from './window-commands.ts'

const anyWindow: OperandSpec = {
  ...windowOperand,
  required: false,
  help: `${windowOperand.help} Without one: --cluster, and nodes.`,
}

/** A plan that no window has yet, or what another plan of a window would come to. */
const plannedFlags: readonly FlagSpec[] = [
  {
    name: 'cluster',
    value: { kind: 'text', placeholder: 'CLUSTER' },
    help: 'instead of a window: the cluster of the nodes that follow',
  },
  ...planFlags,
]

/** Commands about how long the work of a window takes, and whom it concerns. */
export const windowEstimateCommands: readonly CommandSpec[] = [
  {
    path: ['window', 'estimate'],
    summary: 'how long the work of a window, or of other batches, may take; touches nothing',
    about: [
      'From the usual time to what nine in ten stay below, by what was measured on this cluster; what was never measured is said, not made up.',
      "For the update of a cluster of flavour mosk the vendor's own formula stands beside it.",
    ],
    operands: [anyWindow],
    flags: [
      ...plannedFlags,
      {
        name: 'figure',
        value: { kind: 'text', placeholder: 'NAME=N' },
        repeatable: true,
        help: `the vendor's formula of typed figures, of no cluster: ${VENDOR_FIGURES.join(', ')}`,
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
    summary: 'whose instances wait for their owner or are powered off by a window; touches nothing',
    about: ['Project by project. With --message the text for each owner, ready to be sent.'],
    operands: [anyWindow],
    flags: [
      { name: 'message', value: { kind: 'switch' }, help: 'the message to the owners of each project' },
      { name: 'csv', value: { kind: 'switch' }, help: 'a table as CSV, one instance a line' },
      {
        name: 'mail',
        value: { kind: 'text', placeholder: 'DIR' },
        help: 'write the message to each project of a window as a mail file (.eml) into this folder; nothing is sent',
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
    summary: 'where the work of a window is heading, against its end; touches nothing',
    about: [
      'Says what to leave out where it would overrun.',
      'Exit 0 when it ends in time or nobody can tell, 3 when it may overrun or overruns.',
    ],
    operands: [windowOperand],
    flags: [],
    examples: ['window forecast 4f1c', 'window forecast 4f1c -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/window-forecast.ts')).showForecast,
  },
]
