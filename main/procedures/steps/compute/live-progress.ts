import { type CopyLook, type MigrationSlope, migrationSlope } from '../../../../shared/domain/migration-pace.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { MIGRATION_PROGRESS } from '../../../../shared/domain/run-facts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'

/** Most migrations end before the first read. */
const FIRST_AFTER_MS = 12_000

/** Long migrations are read less often. */
export function progressEveryMs(elapsedMs: number): number {
  return Math.min(15_000, Math.max(5_000, elapsedMs * 0.1))
}

/** Reads and journals a live migration's progress every few seconds, and returns its slope (docs/domain.md E.6). */
export function createLiveProgress(
  instance: Pick<Instance, 'id' | 'name'>,
  ctx: MaintenanceContext,
): (elapsedMs: number, behind: Pick<Instance, 'id' | 'name'> | null) => Promise<MigrationSlope> {
  const beganMs = ctx.clock.monotonicMs()
  const looks: CopyLook[] = []
  let askedAt = 0
  return async (elapsedMs, behind) => {
    const nowMs = () => ctx.clock.monotonicMs()
    if (elapsedMs >= FIRST_AFTER_MS && elapsedMs - askedAt >= progressEveryMs(elapsedMs)) {
      askedAt = elapsedMs
      const read = await cloudOf(ctx).runningMigration(instance.id, ctx.signal)
      // An unreadable progress shows nothing: only if it lasts, the migration counts as silent.
      if (read.ok && read.value !== null) {
        const { status, progress } = read.value
        const hasFigures = progress !== null && progress.memoryTotal > 0
        looks.push({ atMs: nowMs(), remaining: hasFigures ? progress.memoryRemaining + progress.diskRemaining : null })
        ctx.report(MIGRATION_PROGRESS, instanceSubject(instance.id), {
          name: instance.name,
          migrationStatus: status,
          memoryTotal: progress?.memoryTotal ?? null,
          memoryRemaining: progress?.memoryRemaining ?? null,
          diskTotal: progress?.diskTotal ?? null,
          diskRemaining: progress?.diskRemaining ?? null,
          slope: migrationSlope(beganMs, looks, nowMs()).kind,
          ...(behind === null ? {} : { behind: behind.name, behindId: behind.id }),
        })
      }
    }
    return migrationSlope(beganMs, looks, nowMs())
  }
}
