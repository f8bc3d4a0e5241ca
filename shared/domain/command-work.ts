import { z } from 'zod'
import { NodeWorkGate } from './update.ts'

/** A longer command belongs into a script that the command names. */
const LONGEST_COMMAND = 1_000

/**
 * An operator's command for the work on a node, run once on the machine of the operator's terminal: the work has finished when it exits with code
 * 0. It is separate from {@link NodeWorkGate}, so that no window, batch or update can contain one.
 */
export const CommandWork = z.strictObject({
  kind: z.literal('command'),
  command: z.string().min(1),
  /** The folder where the operator gave the command, and where it runs. */
  directory: z.string().min(1),
})
export type CommandWork = z.infer<typeof CommandWork>

/** An operator's command that starts the update of an application. Separate from its options: no window can contain one. */
export const ApplicationCommand = z.strictObject({
  /** The controller name in the application's lock; part of the name under which the command is stored. */
  application: z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'must be a plain name because it has a command'),
  command: z.string().min(1),
  directory: z.string().min(1),
})
export type ApplicationCommand = z.infer<typeof ApplicationCommand>

/** The work of one node's whole maintenance: what shows that it has finished, or the command that does it. */
export const NodeWork = z.union([NodeWorkGate, CommandWork])
export type NodeWork = z.infer<typeof NodeWork>

export type NoCommandLine =
  | { readonly code: 'CommandEmpty' }
  | { readonly code: 'CommandNotOneLine' }
  | { readonly code: 'CommandTooLong'; readonly longest: number }

/** Why a line cannot be such a command; null: it can. The operator must see all of what is confirmed. */
export function whyNoCommandLine(command: string): NoCommandLine | null {
  if (command.trim() === '') return { code: 'CommandEmpty' }
  if (/\p{Cc}|\p{Cf}|[\u2028\u2029]/u.test(command)) return { code: 'CommandNotOneLine' }
  return command.length > LONGEST_COMMAND ? { code: 'CommandTooLong', longest: LONGEST_COMMAND } : null
}
