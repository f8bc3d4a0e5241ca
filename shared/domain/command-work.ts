import { z } from 'zod'
import { NodeWorkGate } from './update.ts'

/** A longer command belongs into a script. */
const LONGEST_COMMAND = 1_000

/** Runs once on the machine of the operator's terminal; exit code 0: the work has finished. No window, batch or update can contain one. */
export const CommandWork = z.strictObject({
  kind: z.literal('command'),
  command: z.string().min(1),
  directory: z.string().min(1),
})
export type CommandWork = z.infer<typeof CommandWork>

/** Starts the update of an application. No window can contain one. */
export const ApplicationCommand = z.strictObject({
  /** The controller name in the application's lock; part of the command's stored name. */
  application: z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'must be a plain name because it has a command'),
  command: z.string().min(1),
  directory: z.string().min(1),
})
export type ApplicationCommand = z.infer<typeof ApplicationCommand>

/** What shows that the work on one node has finished, or the command that does it. */
export const NodeWork = z.union([NodeWorkGate, CommandWork])
export type NodeWork = z.infer<typeof NodeWork>

export type NoCommandLine =
  | { readonly code: 'CommandEmpty' }
  | { readonly code: 'CommandNotOneLine' }
  | { readonly code: 'CommandTooLong'; readonly longest: number }

/** The operator must see all of what is confirmed. Null if the line is valid. */
export function whyNoCommandLine(command: string): NoCommandLine | null {
  if (command.trim() === '') return { code: 'CommandEmpty' }
  if (/\p{Cc}|\p{Cf}|[\u2028\u2029]/u.test(command)) return { code: 'CommandNotOneLine' }
  return command.length > LONGEST_COMMAND ? { code: 'CommandTooLong', longest: LONGEST_COMMAND } : null
}
