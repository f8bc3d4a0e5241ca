import { failure } from '../../shared/domain/failure.ts'
import type { MaintenanceRun, MaintenanceRunSpec } from '../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'

/** The MaintenanceRun that has the name of one that was to be made: the same one, asked for before. A failure where it asks for something else. */
export async function findSubmitted(
  objects: MaintenanceRunsPort,
  { name, spec }: { readonly name: string; readonly spec: MaintenanceRunSpec },
  refused: Extract<Result<MaintenanceRun>, { ok: false }>,
): Promise<Result<MaintenanceRun>> {
  const run = await objects.run(name)
  if (!run.ok || run.value === null) return refused
  const there = run.value.spec
  if ('unreadable' in there) return refused
  const differs = ASKED.filter(field => JSON.stringify(there[field]) !== JSON.stringify(spec[field]))
  if (differs.length === 0) return ok(run.value)
  return failed(
    failure(
      'conflict',
      `This plan was asked for already as MaintenanceRun ${name}, confirmed by ${there.confirmedBy}, with other ${differs.join(', ')}. Nothing more was asked for: delete that one, or plan anew.`,
      { target: `maintenancerun/${name}` },
    ),
  )
}

const ASKED = ['plan', 'confirmedBy', 'startAfter', 'notAfter', 'answers', 'resumePolicy', 'campaign'] as const
