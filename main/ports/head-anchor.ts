import type { Result } from '../../shared/domain/result.ts'

/** How far the journal went when it was last looked at: its newest link then, and its first, which no two journals share. */
export interface KnownHead {
  readonly seq: number
  readonly hash: string
  readonly first: string
  readonly at: string
}

/** What is known of the journal outside of it (docs/decisions/0028): at least this was there. */
export interface HeadAnchor {
  /** Null: nothing is known. A failure: it cannot be read, or was changed by another hand. */
  load(): Result<KnownHead | null>
  keep(head: KnownHead): Result<void>
}
