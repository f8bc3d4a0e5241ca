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
  /** Of which nothing is to be done until somebody says something. */
  readonly resting: Set<string>
  readonly runs: Map<string, RunMemory>
  /** Controls that were obeyed or refused, whether or not that could be said yet. */
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
  /** Before which (by the clock that never jumps) it is not looked at again by itself. */
  notBeforeMs: number
  /** The object as it was when that was said: another one is looked at at once. */
  seenSpec: MaintenanceRun['spec'] | null
  estimate: PlanEstimate | null
  isEstimated: boolean
  /** Why its plan would be refused, as of its first look while it is scheduled; null: it would not. Undefined: that was not looked at. */
  foreseen: Finding | null | undefined
  readonly answered: Set<string>
  /** When it may be taken up again (by the clock that never jumps), and how long after the next time: longer each time that it came to nothing. */
  nextResume: { atMs: number; delayMs: number } | null
  /** Its run in this journal; undefined: it is to be looked for. */
  runId: string | null | undefined
  /** It is over by its object, and was taken up again since. */
  isTakenUp: boolean
  journaled: (JournaledRun & { readonly seq: number }) | null
}
