import { minutes, seconds } from '../../../shared/domain/durations.ts'
import { isStrandedOfEarlier } from '../../../shared/domain/earlier-texts.ts'
import {
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunStatus,
  RUNNER_GONE,
} from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { runnerGoneWords } from '../../../shared/words/runners.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { podOf } from './needs-work.ts'
import type { RunnerPlacePort } from './ports/runner-place.ts'
import { reportedAs } from './run-status.ts'

/** How long a pod must be missing until its runner counts as gone; a pod that is scheduled again returns sooner. */
const GONE_FOR_MS = minutes(10)
const LOOK_EVERY_MS = seconds(30)

/** Runners that have runs and no longer exist, after a change of replicas or of a volume; named as in statuses. */
interface GoneRunners {
  /** Checks for missing runners with open runs; at most every half minute. */
  look(runs: readonly MaintenanceRun[]): Promise<void>
  /** Runners that have been missing for too long to wait for. */
  all(): ReadonlySet<string>
}

export function createGoneRunners({
  self,
  place,
  clock,
  log,
}: {
  readonly self: { readonly runner: string; readonly pod: string }
  readonly place: Pick<RunnerPlacePort, 'isPodThere'>
  readonly clock: Clock
  readonly log: Logger
}): GoneRunners {
  const awaySince = new Map<string, number>()
  let lookedMs = Number.NEGATIVE_INFINITY
  return {
    look: async runs => {
      if (clock.monotonicMs() - lookedMs < LOOK_EVERY_MS) return
      lookedMs = clock.monotonicMs()
      const others = othersWithRuns(runs, self.runner)
      for (const known of [...awaySince.keys()]) if (!others.has(known)) awaySince.delete(known)
      for (const other of others) {
        // A pod with the name of this one had another volume.
        const there = podOf(other) === self.pod ? false : await place.isPodThere(podOf(other))
        if (there !== false) awaySince.delete(other)
        else if (!awaySince.has(other)) {
          awaySince.set(other, lookedMs)
          log.warn('runner-away', { runner: other })
        }
      }
    },
    all: () =>
      new Set(
        [...awaySince].flatMap(([runner, since]) => (clock.monotonicMs() - since >= GONE_FOR_MS ? [runner] : [])),
      ),
  }
}

function othersWithRuns(runs: readonly MaintenanceRun[], own: string): ReadonlySet<string> {
  return new Set(
    runs.flatMap(({ status }) => {
      // Someone may ask to resume a failed run.
      if (status === null || 'unreadable' in status || (isFinalPhase(status.phase) && status.phase !== 'Failed'))
        return []
      return status.driver === null || status.driver.runner === own ? [] : [status.driver.runner]
    }),
  )
}

/**
 * The status of a run whose journal is lost with its runner. No runner can continue it, because only that journal says what it did last. The status says
 * what an operator has to do, and still names the journal.
 */
export function statusOfStranded(status: MaintenanceRunStatus, now: string): MaintenanceRunStatus {
  const whose = status.driver?.runner ?? ''
  const { runId, lastSeq, message: last } = status
  return {
    ...status,
    phase: 'Failed',
    gateId: null,
    estimatedEnd: null,
    endedAt: now,
    ...reportedAs([{ code: RUNNER_GONE, runner: whose }]),
    message: runnerGoneWords({ runner: whose, runId, lastSeq, last, endedAt: now }),
  }
}

/** Whether another runner ended this run, because the run's own runner was missing for too long. */
export function isStranded({ phase, driver, reason, message }: MaintenanceRunStatus): boolean {
  return (
    phase === 'Failed' && driver !== null && (reason === RUNNER_GONE || isStrandedOfEarlier(message, driver.runner))
  )
}

/** Why a control of such a run has no effect. */
export function whyStranded({ driver }: MaintenanceRunStatus): Finding {
  return because('JournalOfGoneRunner', { runner: driver?.runner ?? '' })
}
