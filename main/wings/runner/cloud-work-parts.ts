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

/** The names of a runner, and where it runs. */
export interface RunnerSelf {
  /** The name of this runner's journal in statuses: the same after restarts, another one on another volume. */
  readonly runner: string
  readonly pod: string
  readonly nodeName: string | null
  /** Its installer confirmed that its volume does not depend on OSDs that it stops. */
  readonly isVolumeElsewhere: boolean
}

export interface CloudWorkParts {
  readonly cloud: string | null
  readonly self: RunnerSelf
  readonly runnerApp: RunnerApp
  readonly objects: MaintenanceRunsPort
  readonly registry: CloudRegistry
  readonly place: RunnerPlacePort
  readonly lease: HeldWorkLease
  readonly writer: StatusWriter
  /** Whether admission proved the author of an object of this age (ISO). */
  readonly provesMaker: (createdAt: string) => Promise<boolean>
  /** Why no run may begin or resume now, such as a full volume; null if runs may. */
  readonly notNow: () => Finding | null
  /** Whether this runner manages the cloud, as replicas are now; else it only finishes the runs that it has there. */
  readonly isOfShard: boolean
  /** Whether a run of this journal is open although its object says otherwise ({@link createHiddenRuns}). */
  readonly isHidden: (run: MaintenanceRun) => boolean
  readonly gone: () => ReadonlySet<string>
  readonly memory: Memory
  readonly clock: Clock
  readonly log: Logger
}
