import type { Failure } from '../../../shared/domain/failure.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { CommandSpec } from './arguments/argument-specs.ts'
import type { Parts } from './command.ts'

/** The commands of this build, in the order of the help, and what they find in its wings. */
export interface Terminal {
  readonly commands: readonly CommandSpec[]
  readonly parts: Parts
}

/** Why a command cannot do what a wing does that this build leaves out. */
export function leftOut(what: string): Failure {
  return refusal('not-found', because('PartLeftOut', { what }))
}
