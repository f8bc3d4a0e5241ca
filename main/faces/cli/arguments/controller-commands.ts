import type { CommandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

/** Commands about who answers maintenance requests on a cluster. */
export const controllerCommands: readonly CommandSpec[] = [
  {
    path: ['controllers', 'run'],
    summary: 'answer maintenance requests of a cluster, until Ctrl-C',
    about: [
      "Runs our own application controllers for the names set to `console` in the cluster's settings (`cluster set --controller`).",
      'One process at a time does, by a Lease: another one waits until it is free and then takes over.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['controllers run lab'],
    needs: 'contract',
    load: async () => (await import('../commands/controllers.ts')).runControllers,
  },
  {
    path: ['controllers', 'status'],
    summary: 'who runs our controllers on a cluster, and what they do',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['controllers status lab', 'controllers status lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/controllers.ts')).showControllers,
  },
  {
    path: ['controllers', 'detect'],
    summary: 'who seems to answer maintenance requests on a cluster',
    about: ['Only looks and proposes; `cluster set --controller` decides.'],
    operands: [cluster],
    flags: [],
    examples: ['controllers detect lab'],
    needs: 'contract',
    load: async () => (await import('../commands/controllers.ts')).detectControllers,
  },
]
