import type { Catcher, Mutant } from '../mutant.ts'

/** The simulation, in schedules of runs of every kind. */
const EVERY_KIND: Catcher = { kind: 'simulation', schedules: 300, options: ['--every-kind'] }

/** That screen, terminal, report and exit code say the same of a run. */
export const FACE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-report-counts-what-stopped-as-moved',
    harm: 'A report says that an instance went elsewhere which is down on the node.',
    changes: [{ file: 'main/reports/instance-outcome.ts', from: "  stopped: 'stopped',", to: "  stopped: 'moved'," }],
    caughtBy: EVERY_KIND,
  },
  {
    name: 'a-node-that-is-not-empty-exits-with-0',
    harm: 'A script powers off a node on which instances run.',
    changes: [
      {
        file: 'main/faces/cli/exit-code.ts',
        from: "    case 'not-reached':\n      return 5",
        to: "    case 'not-reached':\n      return 0",
      },
    ],
    caughtBy: EVERY_KIND,
  },
  {
    name: 'the-terminal-counts-what-is-over-as-moved',
    harm: 'The end of a run counts an instance as moved that somebody left on its node.',
    changes: [
      {
        file: 'main/faces/cli/render/render-end.ts',
        from: 'const moved = moves?.moved ?? 0',
        to: 'const moved = moves?.done ?? 0',
      },
    ],
    caughtBy: EVERY_KIND,
  },
  {
    name: 'a-report-calls-a-run-done-whose-node-is-not-empty',
    harm: 'A program that reads reports takes a node for empty on which instances run.',
    changes: [
      {
        file: 'main/reports/build-runs.ts',
        from: 'state: listStateOf(view, condition),',
        to: 'state: finished?.outcome ?? listStateOf(view, condition),',
      },
    ],
    caughtBy: EVERY_KIND,
  },
  {
    name: 'what-is-not-verified-yet-is-forgotten',
    harm: 'A run waits for what it did to be seen in the cloud, and the screen says that it waits for nothing.',
    changes: [
      {
        file: 'shared/domain/passing-waits.ts',
        from: 'if (name === TRANSIENT_RECOVERED) return butOf(false)',
        to: 'if (name === TRANSIENT_RECOVERED) return but(body.stepId)',
      },
    ],
    caughtBy: EVERY_KIND,
  },
]
