import type { ClusterTestReport, ExecPlugin, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { CheckedPlan, Plan } from '../../shared/domain/plan.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { RunDriver, RunEvent, RunView } from '../../shared/domain/run.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import type { MaintenanceWorld } from '../maintenance/ports.ts'

/** What the router's handlers need; main/app.ts builds it. */
export interface ApiServices {
  readonly clusters: ClusterService
  readonly runs: RunService
  readonly worlds: WorldSource
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}

/** The registry and the sessions, as the router uses them. */
export interface ClusterService {
  list(): Result<Cluster[]>
  get(name: string): Result<Cluster>
  add(input: RequestInput<'cluster.add'>): Promise<Result<Cluster>>
  remove(name: string): Promise<Result<Record<string, never>>>
  execPlugin(name: string): Promise<Result<ExecPlugin | null>>
  consent(name: string, fingerprint: string): Promise<Result<Record<string, never>>>
  test(name: string): Promise<Result<ClusterTestReport>>
  connect(name: string): Promise<Result<RequestOutput<'cluster.connect'>>>
}

/** One cluster's world: its sessions, opened on first use. `openstackFailure` says why OpenStack cannot be asked although it should. */
export interface ConnectedWorld {
  readonly world: MaintenanceWorld
  readonly openstackFailure: Failure | null
}

/** Opens worlds; nothing in one follows a later context switch. */
export interface WorldSource {
  open(cluster: string): Promise<Result<ConnectedWorld>>
}

/** A run that this process drives. */
export interface ActiveRun {
  readonly runId: string
  pause(): void
  unpause(): void
  abort(reason: string, by: string): void
  detach(): void
  answer(gateId: string, choice: 'continue' | 'retry' | 'skip' | 'abort', reason: string, by: string): void
}

/** Runs: the engine over the journal, as the router uses them. */
export interface RunService {
  readonly driver: RunDriver
  check(plan: Plan, world: MaintenanceWorld): Promise<CheckedPlan>
  start(plan: Plan, world: MaintenanceWorld): Promise<Result<ActiveRun>>
  resume(runId: string, world: MaintenanceWorld): Promise<Result<ActiveRun>>
  active(runId: string): ActiveRun | null
  view(
    runId: string,
  ): Result<{ readonly view: RunView; readonly events: readonly RunEvent[]; readonly interrupted: boolean }>
  list(cluster: string | null): Result<readonly { readonly view: RunView; readonly interrupted: boolean }[]>
  /** Asks the process that drives the run, whichever it is. */
  request(
    runId: string,
    control:
      | { readonly kind: 'pause' | 'unpause' | 'detach' }
      | { readonly kind: 'abort'; readonly reason: string }
      | {
          readonly kind: 'answer'
          readonly gateId: string
          readonly choice: 'continue' | 'retry' | 'skip' | 'abort'
          readonly reason: string
        },
  ): Result<void>
  /** Ends a run that nobody drives. */
  abortUndriven(runId: string, reason: string): Result<void>
}
