import type { CommandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

export const doctorCommands: readonly CommandSpec[] = [
  {
    path: ['doctor'],
    summary: 'check what works and what is missing, with next steps; writes nothing',
    about: [
      'Checks this machine, the data directory, the journal, the kubeconfig and every registered cloud (or the named one): reachability, rights, clocks and leftover Leases.',
      'It works without the application, even if the journal is damaged or the data directory is unreadable.',
      'Exit code 0 when nothing is broken, 1 when something is, 3 when a check was not possible and nothing else is broken.',
    ],
    operands: [{ ...cluster, required: false, help: 'only this registered cloud (default: all).' }],
    flags: [],
    examples: ['doctor', 'doctor lab', 'doctor -o json'],
    needs: 'nothing',
    load: async () => (await import('../commands/doctor.ts')).doctor,
  },
]
