import type {
  AcceptedRun,
  MaintenanceRun,
  MaintenanceRunControlStatus,
} from '../../../shared/domain/maintenance-run.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { PlanEstimate } from '../../windows/plan-estimate.ts'
import { createPlanReader, type PlanOfSpec } from './plan-of-spec.ts'
import type { JournaledRun } from './run-status.ts'

/** What a process remembers about MaintenanceRuns and controls, by their UID. */
export interface Memory {
  /** Objects that need no work until someone changes something. */
  readonly resting: Set<string>
  readonly runs: Map<string, RunMemory>
  /** Controls that were followed or refused, even if the answer is not written yet. */
  readonly controls: Map<string, { readonly status: MaintenanceRunControlStatus; isWritten: boolean }>
  /** Runs that this process stopped after their node before it resumes them: once for each attempt to resume. */
  readonly heldBefore: Set<string>
  /** The MaintenanceRuns that runs of the journal were accepted for, by the id of the run. */
  readonly accepted: Map<string, AcceptedRun | null>
  readonly planOf: (run: MaintenanceRun) => PlanOfSpec
}

export function createMemory(): Memory {
  return {
    resting: new Set(),
    heldBefore: new Set(),
    runs: new Map(),
    controls: new Map(),
    accepted: new Map(),
    planOf: createPlanReader(),
  }
}

export interface RunMemory {
  /** Not checked again before this time (by the monotonic clock), unless it changes. */
  notBeforeMs: number
  /** The object at that time: a changed object is checked at once. */
  seenSpec: MaintenanceRun['spec'] | null
  estimate: PlanEstimate | null
  isEstimated: boolean
  /** Why its plan would be refused at its time, checked once while it is scheduled; null if it would not; undefined if not checked. */
  foreseen: Finding | null | undefined
  readonly answered: Set<string>
  /** When it may be resumed again (by the monotonic clock), and how long to wait after that: longer after each attempt that failed. */
  nextResume: { atMs: number; delayMs: number } | null
  /** The id of its run in this journal; undefined if it must be searched for. */
  runId: string | null | undefined
  /** Someone resumed it although its object says that it ended. */
  isTakenUp: boolean
  journaled: (JournaledRun & { readonly seq: number }) | null
}
