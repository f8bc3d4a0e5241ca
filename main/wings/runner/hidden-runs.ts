import { seconds } from '../../../shared/domain/durations.ts'
import {
  type AcceptedRun,
  isFinalPhase,
  type MaintenanceRun,
  readableStatus,
} from '../../../shared/domain/maintenance-run.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { acceptedOfRun } from './accepted.ts'
import type { Memory } from './cloud-memory.ts'
import { isStranded } from './gone-runners.ts'
import { isOfOtherRunner } from './needs-work.ts'
import type { RunnerApp } from './runner-app.ts'

/** How long an answer of the journal is cached: otherwise every change of an object would read it again. */
const CACHED_MS = seconds(1)

/**
 * Finds runs of this runner's journal that are open although their objects say that they ended, or name another runner. Anyone with the right may write a
 * status, and a status may arrive late: a runner trusts its journal, continues the run and writes the status again. A run that another runner ended
 * because this one was missing stays ended until an operator resumes it.
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
    if (clock.monotonicMs() - readMs < CACHED_MS) return open
    readMs = clock.monotonicMs()
    const rows = runnerApp.journal.rows({ cluster: null })
    // Runs that cannot be read count as before: an open run does not end by that.
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
    const { uid, spec } = run
    const status = readableStatus(run)
    if (status === null) return false
    if (!isFinalPhase(status.phase) && !isOfOtherRunner(self.runner, run)) return false
    const found =
      openNow().find(({ asked }) => asked.uid === uid) ??
      // An object that someone created again with the same text takes over the run, if the first one no longer exists.
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
