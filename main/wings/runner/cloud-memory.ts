import type {
  AcceptedRun,
  MaintenanceRun,
  MaintenanceRunControlStatus,
} from '../../../shared/domain/maintenance-run.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { PlanEstimate } from '../../windows/plan-estimate.ts'
import { createPlanReader, type PlanOfSpec } from './plan-of-spec.ts'
import type { JournaledRun } from './run-status.ts'

/** What a process remembers of MaintenanceRuns and controls, by their UID. */
export interface Memory {
  /** Objects that need no work until someone changes something. */
  readonly resting: Set<string>
  readonly runs: Map<string, RunMemory>
  /** Controls that were followed or refused, even if the answer is not written yet. */
  readonly controls: Map<string, { readonly status: MaintenanceRunControlStatus; isWritten: boolean }>
  /** Runs of the journal that were told to begin no other node before they are taken up: said once for each taking. */
  readonly heldBefore: Set<string>
  /** What runs of the journal were accepted for, by their id. */
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

/** What a process remembers of one MaintenanceRun. */
export interface RunMemory {
  /** Not checked again before this time (by the monotonic clock), unless it changes. */
  notBeforeMs: number
  /** The object at that time: a changed object is checked at once. */
  seenSpec: MaintenanceRun['spec'] | null
  estimate: PlanEstimate | null
  isEstimated: boolean
  /** Why its plan would be refused, by the first check while it is scheduled; null: it would not. Undefined: not checked. */
  foreseen: Finding | null | undefined
  readonly answered: Set<string>
  /** When it may be resumed again (by the monotonic clock), and how long to wait after that: longer after each attempt that failed. */
  nextResume: { atMs: number; delayMs: number } | null
  /** Its run in this journal; undefined: search for it. */
  runId: string | null | undefined
  /** Its object says that it ended, and it was resumed since. */
  isTakenUp: boolean
  journaled: (JournaledRun & { readonly seq: number }) | null
}
