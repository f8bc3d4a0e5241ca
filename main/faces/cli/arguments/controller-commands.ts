import type { CommandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

/** Commands about the controllers that answer maintenance requests of a cluster. */
export const controllerCommands: readonly CommandSpec[] = [
  {
    path: ['controllers', 'run'],
    summary: 'answer maintenance requests of a cloud, until Ctrl-C',
    about: [
      "Runs Lockkeeper's application controllers for the names set to `console` in the cloud's settings (`cluster set --controller`).",
      'A Lease allows one process at a time; another one waits until the Lease is free.',
    ],
    operands: [cluster],
    flags: [],
    examples: ['controllers run lab'],
    needs: 'contract',
    load: async () => (await import('../commands/controllers.ts')).runControllers,
  },
  {
    path: ['controllers', 'status'],
    summary: "show which process runs Lockkeeper's controllers, and what they do",
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['controllers status lab', 'controllers status lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/controllers.ts')).showControllers,
  },
  {
    path: ['controllers', 'detect'],
    summary: 'find out which controllers answer maintenance requests on a cloud',
    about: ['Only reads and proposes; `cluster set --controller` decides.'],
    operands: [cluster],
    flags: [],
    examples: ['controllers detect lab'],
    needs: 'contract',
    load: async () => (await import('../commands/controllers.ts')).detectControllers,
  },
]
