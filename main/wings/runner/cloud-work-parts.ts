import type { MaintenanceRun } from '../../../shared/domain/maintenance-run.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Memory } from './cloud-memory.ts'
import type { CloudRegistry } from './cloud-registry.ts'
import type { MaintenanceRunsPort } from './ports/maintenance-runs.ts'
import type { RunnerPlacePort } from './ports/runner-place.ts'
import type { RunnerApp } from './runner-app.ts'
import type { StatusWriter } from './status-writer.ts'
import type { HeldWorkLease } from './work-lease.ts'

/** Where a runner runs, and how statuses name it. */
export interface RunnerSelf {
  /** The journal of this runner, as a status names it: the same after restarts, a new one with a new volume. */
  readonly runner: string
  readonly pod: string
  /** The node of its pod; null: unknown. */
  readonly nodeName: string | null
  /** Its installer says that its volume is on no Ceph whose OSDs it stops. */
  readonly isVolumeElsewhere: boolean
}

/** What the work on one cloud needs. */
export interface CloudWorkParts {
  readonly cloud: string | null
  readonly self: RunnerSelf
  readonly runnerApp: RunnerApp
  readonly objects: MaintenanceRunsPort
  readonly book: CloudRegistry
  readonly place: RunnerPlacePort
  readonly lease: HeldWorkLease
  readonly writer: StatusWriter
  /** Whether admission proved who made an object, by when it was made. */
  readonly provesMaker: (createdAt: string) => Promise<boolean>
  /** Why no run may begin or resume now, such as a full volume; null: runs may. */
  readonly notNow: () => Finding | null
  /** Whether this runner looks after the cloud, as replicas are now; else it only ends what it has begun there. */
  readonly isOfShard: boolean
  /** Whether a run of this journal is not over, and its object says otherwise ({@link createHiddenRuns}). */
  readonly isHidden: (run: MaintenanceRun) => boolean
  /** Runners that no longer exist. */
  readonly gone: () => ReadonlySet<string>
  /** What is remembered of its objects for as long as this process lives. */
  readonly memory: Memory
  readonly clock: Clock
  readonly log: Logger
}
