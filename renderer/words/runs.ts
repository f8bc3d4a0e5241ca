import type { RunListState } from '../../shared/contract/index.ts'
import type { RunKind } from '../../shared/domain/plan.ts'
import type { StepState } from '../../shared/domain/run.ts'

/** Where a run stands. */
export const RUN_STATE_WORDS: Readonly<Record<RunListState, string>> = {
  created: 'About to start',
  running: 'Running',
  waiting: 'Waits for you',
  paused: 'Paused',
  aborting: 'Aborting',
  interrupted: 'Interrupted',
  done: 'Done',
  failed: 'Failed',
  aborted: 'Aborted',
  'checks-failed': 'Checks failed',
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
export const RUN_VERBS: Readonly<Record<RunKind, string>> = { enter: 'Enter', leave: 'Leave', update: 'Update' }

/** What a run does to its node. */
export const RUN_KIND_WORDS: Readonly<Record<RunKind, string>> = {
  enter: 'Enter maintenance',
  leave: 'Bring back',
  update: 'Update the cluster',
}
