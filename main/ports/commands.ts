import type { Json } from '../../shared/domain/json.ts'
import type { Result } from '../../shared/domain/result.ts'

/** A command that a run wants to start. The seal covers all other fields; without a valid seal nothing starts. */
export interface CommandWish {
  readonly name: string
  readonly runId: string
  readonly cluster: string
  readonly node: string
  /** The application whose update it starts; absent if there is none. */
  readonly application?: string
  readonly command: string
  readonly directory: string
  /** The confirming installation's seal; empty if there is none. */
  readonly seal: string
}

interface Said {
  readonly code: string
  readonly values: { readonly [name: string]: Json }
  readonly message: string
}

export type CommandStart =
  | { readonly kind: 'started'; readonly group: number }
  | { readonly kind: 'known' }
  | { readonly kind: 'refused'; readonly why: Said }

export type CommandState =
  | { readonly kind: 'nothing-kept' }
  /** Its process group exists, or null: macOS cannot say. `isKept`: a keeper will note its end. */
  | { readonly kind: 'runs'; readonly group: number; readonly isKept: boolean | null }
  /** It may have ended or not. `group` null: its process is unknown too. */
  | { readonly kind: 'may-run'; readonly group: number | null; readonly why: Said }
  /** Its end was noted. Code null: a signal ended it. `othersRun`: the process group of its children that still run; null if there is none. */
  | {
      readonly kind: 'ended'
      readonly code: number | null
      readonly signal: string | null
      readonly othersRun: number | null
    }
  /** Its processes are gone, and its end was not noted. */
  | { readonly kind: 'end-unseen'; readonly why: Said }

/** The operator's commands on this machine. They outlive this process; the end of their output is in a private file, never in a journal. */
export interface CommandPort {
  readonly machine: string
  /** Why this command cannot start from here; null if it can. */
  whyNot(work: Pick<CommandWish, 'command' | 'directory'>): Said | null
  /** Starts a command once. `begins` runs directly before; its exception, or a lost Lease, prevents the start, and `calledOff` then reports that. */
  start(
    wish: CommandWish,
    reported: { readonly begins: () => void; readonly calledOff: (why: Said) => void },
  ): Promise<Result<CommandStart>>
  look(name: string): Promise<Result<CommandState>>
  outputOf(name: string): string
}
