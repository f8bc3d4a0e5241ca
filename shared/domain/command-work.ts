import { z } from 'zod'
import { NodeWorkGate } from './update.ts'

/** So long a command may be: what is longer belongs into a script, which the command names. */
const LONGEST_COMMAND = 1_000

/**
 * A command of the operator's own, run once by the machine at whose terminal it was named: the work on the node is over when it ends with exit code 0. It stands beside
 * the gates of {@link NodeWorkGate}, not among them, so that no window, batch or update can hold one.
 */
export const CommandWork = z.strictObject({
  kind: z.literal('command'),
  /** One line for the shell of that machine. */
  command: z.string().min(1),
  /** The folder in which the operator named it, and in which it runs. */
  directory: z.string().min(1),
})
export type CommandWork = z.infer<typeof CommandWork>

/**
 * A command of the operator's that starts the update of an application, under the same rules. It stands beside the options of an update, not in them, so that no window and no
 * imported update can hold one.
 */
export const ApplicationCommand = z.strictObject({
  /** The controller name that the application's lock bears; a part of the name under which the command is kept. */
  application: z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'must be a plain name, as it has a command'),
  command: z.string().min(1),
  directory: z.string().min(1),
})
export type ApplicationCommand = z.infer<typeof ApplicationCommand>

/** What is known of the work of one node's whole maintenance: how it is seen to be over, or the command that does it. */
export const NodeWork = z.union([NodeWorkGate, CommandWork])
export type NodeWork = z.infer<typeof NodeWork>

/** Why a line cannot be such a command. */
export type NoCommandLine =
  | { readonly code: 'CommandEmpty' }
  | { readonly code: 'CommandNotOneLine' }
  | { readonly code: 'CommandTooLong'; readonly longest: number }

/** Why a line cannot be such a command; null: it can. What is confirmed has to be seen whole. */
export function whyNoCommandLine(command: string): NoCommandLine | null {
  if (command.trim() === '') return { code: 'CommandEmpty' }
  if (/\p{Cc}|\p{Cf}|[\u2028\u2029]/u.test(command)) return { code: 'CommandNotOneLine' }
  return command.length > LONGEST_COMMAND ? { code: 'CommandTooLong', longest: LONGEST_COMMAND } : null
}
