import type { CommandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

/** What works and what is missing. */
export const doctorCommands: readonly CommandSpec[] = [
  {
    path: ['doctor'],
    summary: 'what works and what is missing, each with the next step; writes nothing',
    about: [
      'Looks at this machine, the data directory, the journal, the kubeconfig and every registered cluster (or the one that is named): reachability, rights, clocks, Leases left behind.',
      'It works without the application, so also with a journal that is damaged or a data directory that cannot be read.',
      'Exit code 0 when nothing is broken, 1 when something is, 3 when nothing is but something could not be told.',
    ],
    operands: [{ ...cluster, required: false, help: 'only this registered cluster (else all of them).' }],
    flags: [],
    examples: ['doctor', 'doctor lab', 'doctor -o json'],
    needs: 'nothing',
    load: async () => (await import('../commands/doctor.ts')).doctor,
  },
]
