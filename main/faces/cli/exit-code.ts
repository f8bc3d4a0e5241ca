import type { Failure } from '../../../shared/domain/failure.ts'
import type { RunListState } from '../../../shared/domain/run-list-state.ts'

/** For scripts: 0 done and verified, 1 failed, 2 wrong usage, 3 checks failed and nothing changed, 4 interrupted or waiting, 5 finished, but the node is not empty or not yet ready for work. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5

/** The exit code of a refused request. `held` is 3: another run or console has the node, and nothing changed. */
export function exitOfFailure(failure: Failure): ExitCode {
  switch (failure.code) {
    case 'bad-input':
      return 2
    case 'checks-failed':
    case 'held':
      return 3
    case 'aborted':
      return 4
    default:
      return 1
  }
}

export function exitOfRun(state: RunListState): ExitCode {
  switch (state) {
    case 'done':
      return 0
    case 'failed':
      return 1
    case 'not-reached':
      return 5
    case 'checks-failed':
      return 3
    default:
      return 4
  }
}
