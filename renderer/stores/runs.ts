import { create } from 'zustand'
import type { RunSummary } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'

/** An opened run: all its events, and the state they lead to. */
export type RunReading =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'read'; readonly events: readonly RunEvent[]; readonly view: RunView }

interface RunStore {
  /** All runs of all clusters, newest first; null before the first answer. */
  readonly list: readonly RunSummary[] | null
  readonly listFailure: Failure | null
  readonly readings: ReadonlyMap<string, RunReading>
  /** Finished runs that the operator has seen since the page was opened. */
  readonly seen: ReadonlySet<string>
}

/** Runs as the journal has them, and which ends were seen; only renderer/bridge/runs.ts writes the runs. */
export const useRuns = create<RunStore>()(() => ({
  list: null,
  listFailure: null,
  readings: new Map(),
  seen: new Set(),
}))

/** Notes that the operator saw the end of a run, which is then no longer announced. */
export function noteSeen(runId: string): void {
  if (!useRuns.getState().seen.has(runId)) useRuns.setState(({ seen }) => ({ seen: new Set(seen).add(runId) }))
}

/** Whether a run is finished or waits to be resumed: nothing happens without an operator. */
export function isFinished(run: RunSummary): boolean {
  return run.condition.kind === 'over'
}

/** The unfinished runs of a cluster, newest first. */
export function openRunsOf(list: readonly RunSummary[] | null, cluster: string): readonly RunSummary[] {
  return (list ?? []).filter(run => run.cluster === cluster && !isFinished(run))
}
