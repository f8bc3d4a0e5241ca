import type { RunKind } from '../domain/plan.ts'
import type { StepState } from '../domain/run.ts'
import { conditionWord, type RunCondition } from '../domain/run-condition.ts'

/** What a run is, as the terminal and the report say it too, with a capital. */
export function conditionTitle(condition: RunCondition): string {
  const word = conditionWord(condition)
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** Where a step stands. */
export const STEP_STATE_WORDS: Readonly<Record<StepState, string>> = {
  pending: 'to do',
  ready: 'checked',
  blocked: 'blocks',
  overridden: 'overridden',
  'nothing-to-do': 'nothing to do',
  applying: 'working',
  waiting: 'waits for you',
  applied: 'done, not verified',
  verified: 'verified',
  'cannot-tell': 'cannot tell',
  failed: 'failed',
  skipped: 'skipped',
}

/** The same as a command. */
export const RUN_VERBS: Readonly<Record<RunKind, string>> = {
  enter: 'Enter',
  leave: 'Leave',
  update: 'Update',
  'rolling-maintenance': 'Work on',
}

/** What a run does to its node. */
export const RUN_KIND_WORDS: Readonly<Record<RunKind, string>> = {
  enter: 'Enter maintenance',
  leave: 'Bring back',
  update: 'Update the cluster',
  'rolling-maintenance': 'Rolling maintenance',
}
