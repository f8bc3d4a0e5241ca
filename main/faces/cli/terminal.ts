import type { CommandSpec } from './arguments/argument-specs.ts'
import type { Parts } from './command.ts'

/** The commands of this build, in the order of the help, and what they find in its wings. */
export interface Terminal {
  readonly commands: readonly CommandSpec[]
  readonly parts: Parts
}
