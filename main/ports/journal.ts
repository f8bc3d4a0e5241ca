import type { Failure } from '../../shared/domain/failure.ts'
import type { ChainLink, ChainRange, JournalEntry } from '../../shared/domain/journal-chain.ts'
import type { Observation } from '../../shared/domain/observation.ts'
import type { Pieces } from '../../shared/domain/pieces.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { Fence, ProcessOfDriver, RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import type { RunControl } from '../../shared/domain/run-control.ts'
import type { UpdateMoment } from '../../shared/domain/update.ts'

/** The driver of a run, and its last sign of life. */
export interface RunRow {
  readonly id: string
  readonly cluster: string
  readonly node: string
  readonly machine: string
  readonly pid: number
  /** Null if unknown, or the run comes from an earlier version. */
  readonly bootId: string | null
  /** Empty if an earlier version drove it last. */
  readonly driverId: string
  readonly epoch: number
  readonly heartbeatAtMs: number
}

/** The journal for the engine. Appends are synchronous: when one returns, the event is on disk; a failed one throws. */
export interface JournalPort {
  createRun(runId: string, body: Extract<RunEventBody, { kind: 'run-created' }>): RunEvent
  /** Appends as this driver; throws {@link DriverReplaced} if another process drives the run now. */
  append(runId: string, body: RunEventBody, fence: Fence): RunEvent
  events(runId: string): Result<readonly RunEvent[]>
  row(runId: string): RunRow | null
  heartbeat(runId: string, fence: Fence): void
  /** Makes this process the driver and returns its epoch; null if the recorded driver changed since it was read. */
  claim(runId: string, driver: ProcessOfDriver, seen: RunRow): number | null
  takeControls(runId: string): readonly RunControl[]
}

/** Another process took over the run: this one may neither act nor write. */
export class DriverReplaced extends Error {
  override readonly name = 'DriverReplaced'
  constructor(runId: string) {
    super(`another process now runs run ${runId}`)
  }
}

/** The journal rejected a write, with its reason; nothing was stored. */
export class JournalRefused extends Error {
  override readonly name = 'JournalRefused'
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

export interface ExtractWish {
  readonly runIds: readonly string[]
  readonly windowIds: readonly string[]
  /** Manual edits and observations on these clusters between two times (ISO, ends included). */
  readonly around: readonly { readonly cluster: string; readonly from: string; readonly to: string }[]
}

/** A part of the journal with its links of the chain. */
export interface JournalExtract {
  readonly entries: readonly JournalEntry[]
  readonly chain: ChainRange
  /** Entries that are missing or contradict the chain, in words; empty if it is intact. */
  readonly damage: readonly string[]
}

export interface ReportSource {
  extract(wish: ExtractWish): Result<JournalExtract>
  /** The same with rests in between. What is written meanwhile is not part of it. */
  extractInPieces(wish: ExtractWish): Pieces<Result<JournalExtract>>
  /** The entries alone, which nothing has compared with the chain. */
  entriesInPieces(wish: ExtractWish): Pieces<Result<readonly JournalEntry[]>>
  /** The link at a number of this journal's chain; null if there is none. For comparing a report with the journal. */
  linkAt(seq: number): ChainLink | null
}

export interface ObservationLog {
  record(cluster: string, updateId: string, observation: Observation): Result<void>
  lastUpdate(cluster: string): string | null
  of(cluster: string, updateId: string): Result<readonly Observation[]>
  samples(cluster: string, from: string, to: string): readonly UpdateMoment[]
}
