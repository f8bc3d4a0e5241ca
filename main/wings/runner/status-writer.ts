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

/** Writes statuses of MaintenanceRuns: at most one a second for each run, the newest only, and again if it could not be written. */
export interface StatusWriter {
  /** Writes a status soon, unless the object already has it. */
  put(run: RunRef, status: MaintenanceRunStatus): void
  /**
   * Writes a status now, and returns whether it is written: for a status that must be known before the runner acts. `only`: the version to write on; by
   * default only a status that no other runner has claimed.
   */
  now(run: RunRef, status: MaintenanceRunStatus, only?: StatusCondition): Promise<boolean>
  /** The status as the watch received it: if someone else changed it, this runner writes its own again. */
  received(run: RunRef, status: MaintenanceRunStatus | null): void
  /** Forgets the statuses of all other objects: they no longer exist. */
  only(uids: ReadonlySet<string>): void
  /** Waits until all statuses are written, at most this long. */
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

interface WriterParts {
  readonly objects: Pick<MaintenanceRunsPort, 'setRunStatus'>
  /** The journal of this runner, as a status names it: `put` never overwrites the status of another one. */
  readonly runner: string
  /** Whether this process may write now: it holds the Lease of the cloud. */
  readonly mayWrite: () => boolean
  readonly clock: Clock
  readonly log: Logger
  readonly until: AbortSignal
}

interface WriterState extends WriterParts {
  readonly lines: Map<string, Line>
}

export function createStatusWriter(parts: WriterParts): StatusWriter {
  const state: WriterState = { ...parts, lines: new Map() }
  const { lines, clock } = state
  return {
    put: (run, status) => {
      const line = lineOf(run, state)
      if (line.wanted === null && line.written !== null && isDeepStrictEqual(line.written, status)) return
      line.wanted = status
      line.working ??= writeWanted(line, state)
    },
    now: async (run, status, only) => {
      const line = lineOf(run, state)
      line.wanted = null
      await line.working
      return (await write(line, status, state, only)) === true
    },
    received: (run, status) => {
      const line = lineOf(run, state)
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

function lineOf(run: RunRef, { lines }: WriterState): Line {
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

async function writeWanted(line: Line, state: WriterState): Promise<void> {
  const { lines, mayWrite, clock, until } = state
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
    const written = await write(line, wanted, state)
    if (written !== false && line.wanted === wanted) line.wanted = null
    if (written === 'gone') lines.delete(line.run.uid)
  }
  line.working = null
}

/** True if it was written. `gone`: the object no longer exists, or another runner has claimed it. */
async function write(
  line: Line,
  status: MaintenanceRunStatus,
  { objects, runner, mayWrite, clock, log }: WriterState,
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
