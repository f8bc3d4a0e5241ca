import type { Json } from '../../shared/domain/json.ts'
import type { Result } from '../../shared/domain/result.ts'

/** A command that a run wants to start. The seal covers all other fields; without a valid seal nothing starts. */
export interface CommandWish {
  /** The name under which it starts once and is kept. */
  readonly name: string
  readonly runId: string
  readonly cluster: string
  /** The node it works on; empty: none. */
  readonly node: string
  /** The application whose update it starts; absent: none. */
  readonly application?: string
  readonly command: string
  readonly directory: string
  /** The confirming installation's seal; empty: none. */
  readonly seal: string
}

interface Said {
  readonly code: string
  readonly values: { readonly [name: string]: Json }
  readonly message: string
}

export type CommandStart =
  /** It runs in this process group of this machine. */
  | { readonly kind: 'started'; readonly group: number }
  /** A command of this name was started before, so nothing started now. */
  | { readonly kind: 'known' }
  /** Nothing started, for a permanent reason. */
  | { readonly kind: 'refused'; readonly why: Said }

/** The state of a command, as far as this machine knows. */
export type CommandState =
  | { readonly kind: 'nothing-kept' }
  /**
   * Processes of its group exist. `isKept`: a keeper will note its end; without it the end stays unknown. Null: this machine (macOS) cannot say, nor whether
   * the group is still the same.
   */
  | { readonly kind: 'runs'; readonly group: number; readonly isKept: boolean | null }
  /** It may have ended or not. `group` null: its process is unknown too. */
  | { readonly kind: 'may-run'; readonly group: number | null; readonly why: Said }
  /** Its end was noted. Code null: a signal ended it. `othersRun`: the process group of its children that still run; null: none. */
  | {
      readonly kind: 'ended'
      readonly code: number | null
      readonly signal: string | null
      readonly othersRun: number | null
    }
  /** Its processes are gone, and its end was not noted. */
  | { readonly kind: 'end-unseen'; readonly why: Said }

/**
 * The operator's commands on this machine. They outlive this process, so that none is interrupted; their end is known afterwards too. The last of their output
 * is kept in a file that only this user can read, redacted after the end; it never goes into a journal.
 */
export interface CommandPort {
  readonly machine: string
  /** Why this command cannot start from here; null: it can. */
  whyNot(work: Pick<CommandWish, 'command' | 'directory'>): Said | null
  /**
   * Starts a command once under its name. `begins` runs directly before the start; an exception from it prevents the start. Fails if the Lease is lost: then
   * nothing started, and `calledOff` reports it if `begins` had run.
   */
  start(
    wish: CommandWish,
    reported: { readonly begins: () => void; readonly calledOff: (why: Said) => void },
  ): Promise<Result<CommandStart>>
  look(name: string): Promise<Result<CommandState>>
  outputOf(name: string): string
}
