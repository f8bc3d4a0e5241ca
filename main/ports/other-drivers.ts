import type { Failure } from '../../shared/domain/failure.ts'
import type { MaintenanceRunControlSpec } from '../../shared/domain/maintenance-run.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { RunView } from '../../shared/domain/run.ts'
import type { ReportSource } from './journal.ts'

/** The pod of another driver: by which registered cluster it is reached, and where it lives there. */
interface DriverPod {
  readonly by: string
  readonly namespace: string
  readonly name: string
}

/** A run that another driver has, and the copy of its journal here. */
interface RunElsewhere {
  readonly runId: string
  readonly pod: DriverPod
  readonly connected: boolean
  readonly clouds: readonly string[]
  readonly report: ReportSource
  readonly windows: {
    windowOf(runId: string): string | null
    runsOf(id: string): readonly string[]
  }
}

/** What a person asks of a run that another driver has; who asks is added. */
export type AskedControl = Omit<MaintenanceRunControlSpec, 'run' | 'campaign' | 'by'>

/** Drivers of runs besides this console: runners in clusters (main/wings/runner). */
export interface OtherDrivers {
  /** Connects to the drivers that are known; at once, and stays connected. */
  begin(): void
  find(runId: string): RunElsewhere | null
  /** The copy of every other driver's journal, as reports are verified against. */
  sources(): readonly {
    readonly report: ReportSource
    readonly windows: Pick<RunElsewhere['windows'], 'runsOf'>
  }[]
  /** Asks the driver of a run. `ownWord`: who asks, where the API server does not say who it is. */
  askDriver(run: Pick<RunElsewhere, 'runId' | 'pod'>, control: AskedControl, ownWord: string): Promise<Result<void>>
  /** Looks whether a run that was handed over (null: any) was refused, before its state is shown; a few seconds at most. */
  settle(runId: string | null): Promise<void>
  /** Why a run that was handed over, or may have been, cannot be resumed here; null if no driver has it, and none ever will. */
  whyNotTakenBack(view: RunView): Promise<Failure | null>
}
