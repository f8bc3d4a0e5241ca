import type { Failure } from '../../shared/domain/failure.ts'
import type { ChainLink, ChainRange, JournalEntry } from '../../shared/domain/journal-chain.ts'
import type { Observation } from '../../shared/domain/observation.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { Fence, ProcessOfDriver, RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import type { RunControl } from '../../shared/domain/run-control.ts'
import type { UpdateMoment } from '../../shared/domain/update.ts'

/** Who drives a run, and when it last said so. */
export interface RunRow {
  readonly id: string
  readonly cluster: string
  readonly node: string
  readonly machine: string
  readonly pid: number
  /** Null: the machine did not tell, or the run is of an earlier version. */
  readonly bootId: string | null
  /** Empty: driven last by an earlier version. */
  readonly driverId: string
  readonly epoch: number
  readonly heartbeatAtMs: number
}

/** What the engine needs of the journal. Appends are synchronous: when one returns, the event is on disk; a failed one throws. */
export interface JournalPort {
  /** The driver of the event holds the run, at its epoch. */
  createRun(runId: string, body: Extract<RunEventBody, { kind: 'run-created' }>): RunEvent
  /** Appends as this driver; throws {@link DriverReplaced} when another process drives the run now. */
  append(runId: string, body: RunEventBody, fence: Fence): RunEvent
  events(runId: string): Result<readonly RunEvent[]>
  row(runId: string): RunRow | null
  heartbeat(runId: string, fence: Fence): void
  /** Makes this process the driver and answers its epoch, unless the recorded driver changed since it was looked at: null when somebody was faster. */
  claim(runId: string, driver: ProcessOfDriver, seen: RunRow): number | null
  takeControls(runId: string): readonly RunControl[]
}

/** Another process took the run over: this one may neither act nor write any more. */
export class DriverReplaced extends Error {
  override readonly name = 'DriverReplaced'
  constructor(runId: string) {
    super(`run ${runId} is driven by another process now`)
  }
}

/** The journal cannot take what was to be written, and says why; nothing of it was kept. */
export class JournalRefused extends Error {
  override readonly name = 'JournalRefused'
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** What of the journal a report is made from. */
export interface ExtractWish {
  readonly runIds: readonly string[]
  readonly windowIds: readonly string[]
  /** Edits by hand and observations on these clusters between two times (ISO, the ends included). */
  readonly around: readonly { readonly cluster: string; readonly from: string; readonly to: string }[]
}

/** A part of the journal with the stretch of the chain that holds it. */
export interface JournalExtract {
  /** In the order in which they were written. */
  readonly entries: readonly JournalEntry[]
  readonly chain: ChainRange
  /** Entries that are not what the chain says, or are missing, in words; empty: all is as it was written. */
  readonly damage: readonly string[]
}

/** What reports need of the journal; main/journal implements it. */
export interface ReportSource {
  extract(wish: ExtractWish): Result<JournalExtract>
  /** The link at a number of the chain here; null when this journal has none: to hold a report against the journal. */
  linkAt(seq: number): ChainLink | null
}

/** Where observations are kept; main/journal implements it. */
export interface ObservationLog {
  record(cluster: string, updateId: string, observation: Observation): Result<void>
  /** The update that was observed last on a cluster; null when none was. */
  lastUpdate(cluster: string): string | null
  of(cluster: string, updateId: string): Result<readonly Observation[]>
  /** Figures that were taken on a cluster between two times (ISO), the ends included. */
  samples(cluster: string, from: string, to: string): readonly UpdateMoment[]
}
