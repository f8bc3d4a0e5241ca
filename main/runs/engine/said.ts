import type { Failure } from '../../../shared/domain/failure.ts'
import type { Values } from '../../../shared/words/steps/coded.ts'

/** What is said of a run, with the code and the values that it is made of, where it has any. */
export interface Said {
  readonly code?: string | undefined
  readonly values?: Values | undefined
  readonly message: string
}

/** The same of a failure. */
export function saidOf({ reason, values, message }: Failure): Said {
  return { code: reason, values, message }
}

/** The code and the values for an event of the journal, beside its text. */
export function codedOf({ code, values }: Said): { code?: string; values?: Failure['values'] & object } {
  return code === undefined || values === undefined ? {} : { code, values: { ...values } }
}
