import type { ChainLink, ChainRange, JournalEntry } from '../../shared/domain/journal-chain.ts'
import type { Result } from '../../shared/domain/result.ts'

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
