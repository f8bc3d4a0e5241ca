import type { Failure } from '../../../shared/domain/failure.ts'
import type { Values } from '../../../shared/words/steps/coded.ts'

/** A text about a run with the code and values it was made from, where it has them. */
export interface Said {
  readonly code?: string | undefined
  readonly values?: Values | undefined
  readonly message: string
}

export function saidOf({ reason, values, message }: Failure): Said {
  return { code: reason, values, message }
}

/** The code and values for a journal event, beside its text. */
export function codedOf({ code, values }: Said): { code?: string; values?: Failure['values'] & object } {
  return code === undefined || values === undefined ? {} : { code, values: { ...values } }
}
