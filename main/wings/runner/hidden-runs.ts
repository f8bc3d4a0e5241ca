import { seconds } from '../../../shared/domain/durations.ts'
import { type AcceptedRun, isFinalPhase, type MaintenanceRun } from '../../../shared/domain/maintenance-run.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { acceptedOfRun } from './accepted.ts'
import type { Memory } from './cloud-memory.ts'
import { isStranded } from './gone-runners.ts'
import { isAnothers } from './needs-work.ts'
import type { RunnerApp } from './runner-app.ts'

/** How long an answer of the journal counts: every change of an object would read it again. */
const BELIEVED_MS = seconds(1)

/**
 * Tells whether a run of this runner's own journal is not over although its object says so, or names another runner. Whoever may write statuses may write any, and one that
 * was on its way may come late: of a run of its own a runner believes its journal, goes on with it, and writes the status anew. What another runner
 * ended because this one was away for long rests all the same, until a person asks for it.
 */
export function createHiddenRuns({
  runnerApp,
  memory,
  self,
  current,
  clock,
  log,
}: {
  readonly runnerApp: Pick<RunnerApp, 'journal' | 'runs'>
  readonly memory: Pick<Memory, 'accepted'>
  readonly self: { readonly runner: string }
  readonly current: () => { readonly runs: readonly MaintenanceRun[] }
  readonly clock: Clock
  readonly log: Logger
}): (run: MaintenanceRun) => boolean {
  let open: readonly { readonly runId: string; readonly asked: AcceptedRun }[] = []
  let readMs = Number.NEGATIVE_INFINITY

  function openNow(): typeof open {
    if (clock.monotonicMs() - readMs < BELIEVED_MS) return open
    readMs = clock.monotonicMs()
    const rows = runnerApp.journal.rows({ cluster: null })
    // An open run that cannot be read counts as open: this does not end it.
    if (!rows.ok) log.error('open-runs-unread', { why: rows.failure.message })
    else {
      open = rows.value
        .filter(({ finished }) => !finished)
        .flatMap(({ id: runId }) => {
          const asked = acceptedOfRun(runId, runnerApp, memory)
          return asked === null ? [] : [{ runId, asked }]
        })
    }
    return open
  }

  return run => {
    const { uid, spec, status } = run
    if (status === null || 'unreadable' in status) return false
    if (!isFinalPhase(status.phase) && !isAnothers(self.runner, run)) return false
    const found =
      openNow().find(({ asked }) => asked.uid === uid) ??
      // Made anew for the same text it goes on with the run, where the first one is gone.
      openNow().find(
        ({ asked }) =>
          !('unreadable' in spec) &&
          asked.planHash === spec.planHash &&
          !current().runs.some(other => other.uid === asked.uid),
      )
    if (found === undefined) return false
    return runnerApp.runs.active(found.runId) !== null || !isStranded(status)
  }
}
