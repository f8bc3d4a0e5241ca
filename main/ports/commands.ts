import type { Result } from '../../shared/domain/result.ts'

/** How a command that was started stands. `lost`: it is not there any more, and nobody saw how it ended. */
export type CommandStanding =
  | { readonly kind: 'runs' }
  | { readonly kind: 'ended'; readonly code: number }
  | { readonly kind: 'lost' }

/**
 * Commands of an operator's on this machine. They outlive this process, so that nothing is ended in its middle; how they end is known afterwards too. What they
 * print is kept in a file that only this user can read: it may hold secrets, and comes into no journal.
 */
export interface CommandPort {
  /** Starts it under this id. One that was started under it before is left alone: it is started once. */
  start(
    id: string,
    command: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<Result<{ readonly output: string }>>
  look(id: string): Promise<Result<CommandStanding>>
}
