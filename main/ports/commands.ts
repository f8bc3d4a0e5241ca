import type { Json } from '../../shared/domain/json.ts'
import type { Result } from '../../shared/domain/result.ts'

/** A command as a run is to start it. The seal is over all the rest: without it nothing is started. */
export interface CommandWish {
  /** Under which it is started once, and kept. */
  readonly name: string
  readonly runId: string
  readonly cluster: string
  /** The node on which it works; empty: none. */
  readonly node: string
  /** The application whose update it starts; absent: none. */
  readonly application?: string
  /** One line for the shell, and the folder in which it runs. */
  readonly command: string
  readonly directory: string
  /** The word of the installation that confirmed it; empty: there is none. */
  readonly seal: string
}

/** A text, by a code with values. */
interface Said {
  readonly code: string
  readonly values: { readonly [name: string]: Json }
  readonly message: string
}

/** Starting a command came to this. */
export type CommandStart =
  /** It is under way, in this process group of this machine. */
  | { readonly kind: 'started'; readonly group: number }
  /** Under this name one was started before: nothing was started now. */
  | { readonly kind: 'known' }
  /** Nothing was started, for a reason that does not pass by itself. */
  | { readonly kind: 'refused'; readonly why: Said }

/** How a command that was to be started stands, as far as this machine can tell. */
export type CommandState =
  /** Nothing is kept under its name. */
  | { readonly kind: 'nothing-kept' }
  /**
   * Processes of its group are there. `isKept`: somebody notes how it ends; else that will never be known. Null: this machine (macOS) does not tell, nor whether the
   * group of this number is still the same.
   */
  | { readonly kind: 'runs'; readonly group: number; readonly isKept: boolean | null }
  /** It cannot be told that it is over. `group` null: nor which process it is. */
  | { readonly kind: 'may-run'; readonly group: number | null; readonly why: Said }
  /** Its end was noted. Code null: a signal ended it. `othersRun`: the process group in which others that it started are still there; null: none is seen. */
  | {
      readonly kind: 'ended'
      readonly code: number | null
      readonly signal: string | null
      readonly othersRun: number | null
    }
  /** No process of it is there any more, and how it ended nobody noted. */
  | { readonly kind: 'end-unseen'; readonly why: Said }

/**
 * Commands of an operator's on this machine. They outlive this process, so that nothing is ended in its middle; how they end is known afterwards too. The last of what
 * they print is kept in a file that only this user can read, redacted once they are over: it comes into no journal.
 */
export interface CommandPort {
  /** The machine on which they run. */
  readonly machine: string
  /** Why this one cannot be started from here, whoever confirmed it; null: it can. */
  whyNot(work: Pick<CommandWish, 'command' | 'directory'>): Said | null
  /**
   * Starts it, once for ever under its name. `begins` is called at the last instant before it: what it throws keeps it from being started. Fails where the Lease does
   * not hold any more: then nothing was started, and `calledOff` tells so where `begins` was called already.
   */
  start(
    wish: CommandWish,
    reported: { readonly begins: () => void; readonly calledOff: (why: Said) => void },
  ): Promise<Result<CommandStart>>
  look(name: string): Promise<Result<CommandState>>
  /** Where what it printed is kept. */
  outputOf(name: string): string
}
