import { isSameJson } from '../../../../shared/domain/is-same-json.ts'
import type { MaintenanceRun, MaintenanceRunSpec } from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'

/** The existing MaintenanceRun of that name, from an earlier attempt. A failure if its content differs. */
export async function findSubmitted(
  objects: MaintenanceRunsPort,
  { name, spec }: { readonly name: string; readonly spec: MaintenanceRunSpec },
  refused: Extract<Result<MaintenanceRun>, { ok: false }>,
): Promise<Result<MaintenanceRun>> {
  const run = await objects.run(name)
  if (!run.ok || run.value === null) return refused
  const there = run.value.spec
  if ('unreadable' in there) return refused
  const differs = ASKED.filter(field => !isSameJson(there[field], spec[field]))
  if (differs.length === 0) return ok(run.value)
  return failed(
    refusal(
      'conflict',
      because('PlanAskedOtherwise', { object: name, confirmedBy: there.confirmedBy, fields: differs }),
      { target: `maintenancerun/${name}` },
    ),
  )
}

const ASKED = ['plan', 'confirmedBy', 'startAfter', 'notAfter', 'answers', 'resumePolicy', 'campaign'] as const
