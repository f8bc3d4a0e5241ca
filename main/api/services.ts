import type { ConsoleDescription, RunSummary } from '../../shared/contract/index.ts'
import type { CheckedPlan, Plan } from '../../shared/domain/plan.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { ProcessOfDriver, RunEvent, RunView } from '../../shared/domain/run.ts'
import type { Clock } from '../clock/clock.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { EditJournal } from '../journal/edits.ts'
import type { Journal, RunFilter } from '../journal/journal.ts'
import type { WindowJournal } from '../journal/windows.ts'
import type { ControllersHost } from '../lcm/controllers/controllers-host.ts'
import type { Logger } from '../log/logger.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { Signer } from '../reports/signature.ts'
import type { MaintenanceQueues } from '../settings/maintenance-queues.ts'
import type { PreferencesStore } from '../settings/preferences.ts'
import type { Face } from './face.ts'
import type { RunInHistory } from './run-in-history.ts'
import type { Emit } from './serve.ts'
import type { ShownPlans } from './shown-plans.ts'

/** What the router's handlers need; main/app.ts builds it. */
export interface ApiServices {
  /** The key of this installation, to sign what it says; null: it has none, and the log says why. */
  readonly signer: Signer | null
  readonly face: Face
  readonly installation: Pick<ConsoleDescription, 'version' | 'demo' | 'dataDirectory'>
  readonly preferences: PreferencesStore
  readonly queues: MaintenanceQueues
  readonly emit: Emit
  readonly edits: EditJournal
  readonly windows: WindowJournal
  /** The journal itself: what reports are made from, and its care. */
  readonly journal: Pick<Journal, 'path' | 'report' | 'rows' | 'care'>
  /** To be told when a cluster is reached another way, its nodes have other roles, or it is gone: a kept view of it is no longer true. */
  readonly onReachChanged: (cluster: string) => void
  /** To be told which instances were just changed by hand, so that a kept view reads them again. */
  readonly onInstancesTouched: (cluster: string, ids: readonly string[]) => void
  readonly clusters: Omit<Clusters, 'open' | 'closeAll'>
  readonly runs: RunService
  /** Plans that were shown and may be confirmed. */
  readonly plans: ShownPlans
  /** Our own application controllers, one set a cluster. */
  readonly controllers: ControllersHost
  /** Opens the world of a cluster; nothing in one follows a later context switch. */
  readonly worlds: Pick<Clusters, 'open'>
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
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
  readonly driver: ProcessOfDriver
  check(plan: Plan, world: MaintenanceWorld): Promise<CheckedPlan>
  start(plan: Plan, world: MaintenanceWorld): Promise<Result<ActiveRun>>
  resume(runId: string, world: MaintenanceWorld): Promise<Result<ActiveRun>>
  active(runId: string): ActiveRun | null
  view(runId: string): Result<{
    readonly view: RunView
    readonly events: readonly RunEvent[]
    readonly interrupted: boolean
    readonly summary: RunSummary
  }>
  /** Newest first. */
  list(filter: RunFilter): Result<readonly RunSummary[]>
  /** What the history keeps of each run, newest first; read once, afterwards only what was added. */
  history(filter: RunFilter): Promise<Result<readonly RunInHistory[]>>
  /** The runs of a cluster that are not over, newest first. */
  unfinished(cluster: string): Result<readonly { readonly view: RunView; readonly interrupted: boolean }[]>
  /** Ids of the runs on a cluster that this process drives. */
  drivenOn(cluster: string): readonly string[]
  /** Asks the process that drives the run, whichever it is. */
  request(
    runId: string,
    control:
      | { readonly kind: 'pause' | 'pause-after-node' | 'unpause' | 'detach' }
      | { readonly kind: 'skip-lane'; readonly lane: string; readonly reason: string }
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
