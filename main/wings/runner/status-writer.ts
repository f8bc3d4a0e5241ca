import { isDeepStrictEqual } from 'node:util'
import { seconds } from '../../../shared/domain/durations.ts'
import type { MaintenanceRunStatus } from '../../../shared/domain/maintenance-run.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { MaintenanceRunsPort, StatusCondition } from './ports/maintenance-runs.ts'

interface RunRef {
  readonly name: string
  readonly uid: string
}

/** Writes statuses of MaintenanceRuns: each run's at most once a second, the newest only, and again where it could not be written. */
export interface StatusWriter {
  /** To be written as soon as it may; nothing is sent where it is so already. */
  put(run: RunRef, status: MaintenanceRunStatus): void
  /**
   * Writes it now, and answers whether it is written: for what has to be known before something is begun. `only`: on what; unless given, where no other
   * runner has it.
   */
  now(run: RunRef, status: MaintenanceRunStatus, only?: StatusCondition): Promise<boolean>
  /** What was heard of a run's status: one that somebody else changed is written again. */
  received(run: RunRef, status: MaintenanceRunStatus | null): void
  /** Forgets the statuses of all other objects: they are gone. */
  only(uids: ReadonlySet<string>): void
  /** Until all that was put is written, or so long (milliseconds). */
  flush(withinMs: number): Promise<void>
}

const EVERY_MS = seconds(1)
const LONGEST_WAIT_MS = seconds(30)

interface Line {
  readonly run: RunRef
  wanted: MaintenanceRunStatus | null
  written: MaintenanceRunStatus | null
  working: Promise<void> | null
  lastMs: number
  failures: number
}

export function createStatusWriter(parts: {
  readonly objects: Pick<MaintenanceRunsPort, 'setRunStatus'>
  /** The journal of this runner, as a status names it: what another one has is never written over in passing. */
  readonly runner: string
  /** Whether this process may write at all just now: it holds the Lease of the run's cloud. */
  readonly mayWrite: () => boolean
  readonly clock: Clock
  readonly log: Logger
  readonly until: AbortSignal
}): StatusWriter {
  const { objects, runner, mayWrite, clock, log, until } = parts
  const lines = new Map<string, Line>()
  const lineOf = (run: RunRef): Line => {
    const known = lines.get(run.uid)
    if (known !== undefined) return known
    const line: Line = {
      run,
      wanted: null,
      written: null,
      working: null,
      lastMs: Number.NEGATIVE_INFINITY,
      failures: 0,
    }
    lines.set(run.uid, line)
    return line
  }

  /** True: it is written. `gone`: there is no such object any more, or it is another runner's. */
  async function write(
    line: Line,
    status: MaintenanceRunStatus,
    only: StatusCondition = { by: runner },
  ): Promise<boolean | 'gone'> {
    if (!mayWrite()) return false
    line.lastMs = clock.monotonicMs()
    const answer = await objects.setRunStatus(line.run, status, only)
    if (answer.ok) {
      line.written = status
      line.failures = 0
      return true
    }
    line.failures += 1
    if (answer.failure.code === 'not-found') return 'gone'
    if (answer.failure.code === 'held') {
      log.info('run-left-to-other-runner', { run: line.run.name, why: answer.failure.message })
      return 'gone'
    }
    log.warn('run-status-unwritten', { run: line.run.name, why: answer.failure.message })
    return false
  }

  async function work(line: Line): Promise<void> {
    while (line.wanted !== null && !until.aborted) {
      const waitMs =
        line.lastMs + Math.min(LONGEST_WAIT_MS, EVERY_MS * 2 ** Math.min(5, line.failures)) - clock.monotonicMs()
      if (waitMs > 0) await clock.sleep(waitMs, until)
      const { wanted } = line
      if (wanted === null || until.aborted) break
      if (line.written !== null && isDeepStrictEqual(line.written, wanted)) {
        line.wanted = null
        break
      }
      if (!mayWrite()) break
      const written = await write(line, wanted)
      if (written !== false && line.wanted === wanted) line.wanted = null
      if (written === 'gone') lines.delete(line.run.uid)
    }
    line.working = null
  }

  return {
    put: (run, status) => {
      const line = lineOf(run)
      if (line.wanted === null && line.written !== null && isDeepStrictEqual(line.written, status)) return
      line.wanted = status
      line.working ??= work(line)
    },
    now: async (run, status, only) => {
      const line = lineOf(run)
      line.wanted = null
      await line.working
      return (await write(line, status, only)) === true
    },
    received: (run, status) => {
      const line = lineOf(run)
      if (line.working === null) line.written = status
    },
    only: uids => {
      for (const [uid, line] of lines) {
        if (uids.has(uid)) continue
        line.wanted = null
        lines.delete(uid)
      }
    },
    flush: async withinMs => {
      const all = Promise.all([...lines.values()].map(({ working }) => working))
      const limit = new AbortController()
      await Promise.race([all, clock.sleep(withinMs, limit.signal)])
      limit.abort()
    },
  }
}
