import { z } from 'zod'
import type { RunView } from './run.ts'
import type { RunCondition } from './run-condition.ts'
import { isReached } from './run-ending.ts'

/** The folded state, plus `interrupted` if no process drives the run. */
export const RunListState = z.enum([
  'created',
  'running',
  'waiting',
  'paused',
  'aborting',
  'interrupted',
  'unheard',
  'done',
  /** Completed, but the node is not empty, or others keep work off it. */
  'not-reached',
  'failed',
  'aborted',
  'checks-failed',
  'handed-over',
])
export type RunListState = z.infer<typeof RunListState>

/** For programs: the same in lists, in `-o json` and in reports. */
export function listStateOf({ state }: Pick<RunView, 'state'>, condition: RunCondition): RunListState {
  switch (condition.kind) {
    case 'interrupted':
    case 'unheard':
      return condition.kind
    case 'over':
      return condition.outcome === 'done' && !isReached(condition.ending) ? 'not-reached' : condition.outcome
    default:
      return state.kind === 'left' || state.kind === 'finished' ? 'interrupted' : state.kind
  }
}
