import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { STEPS } from '../places.ts'

const RULES = 'procedures/masakari'

/** Masakari knows of a maintenance from before it begins until the node is back, and of nobody else's. */
export const MASAKARI_MUTANTS: readonly Mutant[] = [
  {
    name: 'on-maintenance-is-not-verified',
    harm: 'Masakari evacuates a node in maintenance, because on_maintenance was removed and nobody says so.',
    changes: [
      {
        file: `${STEPS}/compute/set-masakari-maintenance.ts`,
        from: 'if (!onMaintenance) return fails(',
        to: "if (!onMaintenance && host === '') return fails(",
      },
    ],
    caughtBy: unit(RULES, 'on the way out verify fails: OnMaintenanceNotSet'),
  },
  {
    name: 'on-maintenance-is-set-without-a-note',
    harm: 'A run that is killed leaves on_maintenance set, and the leave takes it for somebody else’s: Masakari never protects the node again.',
    changes: [
      {
        file: `${STEPS}/compute/set-masakari-maintenance.ts`,
        from: 'const noted = await noteRun(node, MASAKARI_ANNOTATION, ctx.runId, ctx)',
        to: 'const noted = await noteRun(node, MASAKARI_ANNOTATION, null, ctx)',
      },
    ],
    caughtBy: unit(
      RULES,
      'on the way out the node is noted before on_maintenance is set, both after they were journaled, and of no other host',
    ),
  },
  {
    name: 'on-maintenance-of-somebody-is-cleared',
    harm: 'A node that somebody else has under maintenance is evacuated, because our leave reported Masakari to watch it.',
    changes: [
      {
        file: `${STEPS}/compute/end-masakari-maintenance.ts`,
        from: 'if (note === null) {\n      return applied(',
        to: "if (note === '') {\n      return applied(",
      },
    ],
    caughtBy: unit(RULES, 'on the way back what somebody else set is never cleared'),
  },
  {
    name: 'masakari-watches-a-node-that-is-down',
    harm: 'Masakari takes a node whose nova-compute is not back yet for failed, and evacuates it.',
    changes: [
      {
        file: `${STEPS}/compute/end-masakari-maintenance.ts`,
        from: "if (service.value.state !== 'up') {",
        to: "if (service.value.host === '') {",
      },
    ],
    caughtBy: unit(
      RULES,
      'on the way back while nova-compute is down nothing is cleared: Masakari would take the host for failed',
    ),
  },
]
