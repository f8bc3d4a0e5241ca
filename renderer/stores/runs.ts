import { create } from 'zustand'
import type { RunSummary } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'

/** A run that is read: all its events, and what they come to. */
export type RunReading =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'read'; readonly events: readonly RunEvent[]; readonly view: RunView }

interface RunStore {
  /** Every run of every cluster, newest first; null before the first answer. */
  readonly list: readonly RunSummary[] | null
  readonly listFailure: Failure | null
  readonly readings: ReadonlyMap<string, RunReading>
  /** Runs whose end somebody has looked at since the page was opened. */
  readonly seen: ReadonlySet<string>
}

/** Runs as the journal has them, written by renderer/bridge/runs.ts alone; and which ends were seen. */
export const useRuns = create<RunStore>()(() => ({
  list: null,
  listFailure: null,
  readings: new Map(),
  seen: new Set(),
}))

/** Notes that somebody looked at how a run ended: it need not be shown to them any more. */
export function noteSeen(runId: string): void {
  if (!useRuns.getState().seen.has(runId)) useRuns.setState(({ seen }) => ({ seen: new Set(seen).add(runId) }))
}

/** Whether nothing more will happen in a run by itself. */
export function isOver(run: RunSummary): boolean {
  return run.condition.kind === 'over'
}

/** The runs of a cluster that are not over, newest first. */
export function openRunsOf(list: readonly RunSummary[] | null, cluster: string): readonly RunSummary[] {
  return (list ?? []).filter(run => run.cluster === cluster && !isOver(run))
}
