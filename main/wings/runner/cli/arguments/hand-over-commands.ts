import type { CommandSpec } from '../../../../faces/cli/arguments/argument-specs.ts'
import { answer, confirmCluster, run, yes } from '../../../../faces/cli/arguments/argument-words.ts'

export const handOverCommands: readonly CommandSpec[] = [
  {
    path: ['run', 'hand-over'],
    summary: 'hand a run of this console over to the runner in the cluster',
    about: [
      'Pauses a running run first and lets its steps finish. Then hands over its journal and plan as a MaintenanceRun. The runner checks the cloud again, verifies what was done, and continues with the rest.',
      'The run ends here; `run show` shows what the runner does. If the runner refuses it, `run resume` continues it here.',
      'Requires the rights to create maintenanceruns and maintenanceruncontrols. These cannot be handed over: an undo, and runs with health gates, a local command or a Job.',
    ],
    operands: [run],
    flags: [
      {
        name: 'not-after',
        value: { kind: 'text', placeholder: 'TIME' },
        help: 'do not start another node that would not finish by then',
      },
      {
        name: 'resume-policy',
        value: { kind: 'choice', choices: ['always', 'never'] },
        help: 'always (the default): the runner resumes the run after a crash; never: you resume it',
      },
      answer,
      yes,
      confirmCluster,
    ],
    examples: ['run hand-over 4f1c', 'run hand-over 4f1c --yes --not-after 2035-11-25T05:00+01:00'],
    needs: 'contract',
    load: async () => (await import('../commands/run-hand-over.ts')).handOverRun,
  },
]
