import type { Failure } from '../../../shared/domain/failure.ts'
import type { Values } from '../../../shared/words/steps/coded.ts'

/** A text about a run with the code and values it was made from, where it has them. */
export interface CodedText {
  readonly code?: string | undefined
  readonly values?: Values | undefined
  readonly message: string
}

export function codedTextOf({ reason, values, message }: Failure): CodedText {
  return { code: reason, values, message }
}

/** The code and values for a journal event, beside its text. */
export function codedOf({ code, values }: CodedText): { code?: string; values?: Failure['values'] & object } {
  return code === undefined || values === undefined ? {} : { code, values: { ...values } }
}
