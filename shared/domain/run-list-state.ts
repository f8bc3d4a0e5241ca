import { z } from 'zod'
import type { RunView } from './run.ts'
import type { RunCondition } from './run-condition.ts'
import { isReached } from './run-ending.ts'

/** Where a run stands, for lists: the folded state, plus `interrupted` when nobody drives it any more. */
export const RunListState = z.enum([
  'created',
  'running',
  'waiting',
  'paused',
  'aborting',
  'interrupted',
  /** A runner drives it that this console does not hear now. */
  'unheard',
  'done',
  /** It went through, and its node is not what it is for: not empty, or kept from work by others. */
  'not-reached',
  'failed',
  'aborted',
  'checks-failed',
  /** A runner goes on with it. */
  'handed-over',
])
export type RunListState = z.infer<typeof RunListState>

/** The state of a run for programs: the same in lists, in `-o json` and in reports. */
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
