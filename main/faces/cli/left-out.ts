import type { Failure } from '../../../shared/domain/failure.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

/** Why a command cannot do what a wing does that this build leaves out. */
export function leftOut(what: string): Failure {
  return refusal('not-found', because('PartLeftOut', { what }))
}
