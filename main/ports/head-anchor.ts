import type { Result } from '../../shared/domain/result.ts'

/** The journal's last known position: its newest link, and its first, which is unique to a journal. */
export interface KnownHead {
  readonly seq: number
  readonly hash: string
  readonly first: string
  readonly at: string
}

/** The known part of the journal, stored outside of it (docs/decisions/0028): it contained at least this. */
export interface HeadAnchor {
  /** Null if nothing is known. A failure: it is unreadable, or another program changed it. */
  load(): Result<KnownHead | null>
  keep(head: KnownHead): Result<void>
}
