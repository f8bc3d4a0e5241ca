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
}

/** Runs as the journal has them; written by renderer/bridge/runs.ts alone. */
export const useRuns = create<RunStore>()(() => ({ list: null, listFailure: null, readings: new Map() }))

/** Whether nothing more will happen in a run by itself. */
export function isOver(run: RunSummary): boolean {
  return run.state === 'done' || run.state === 'failed' || run.state === 'aborted' || run.state === 'checks-failed'
}

/** The runs of a cluster that are not over, newest first. */
export function openRunsOf(list: readonly RunSummary[] | null, cluster: string): readonly RunSummary[] {
  return (list ?? []).filter(run => run.cluster === cluster && !isOver(run))
}
