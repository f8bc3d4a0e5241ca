import { type Failure, type FailureCode, type FailureMore, failure } from '../domain/failure.ts'
import type { Fault } from './step-texts.ts'

/** A failure of our own: what is in the way, as one of the kinds of {@link FailureCode}. */
export function refusal(
  code: FailureCode,
  { code: reason, values, message, remedy }: Omit<Fault, 'never'>,
  more: FailureMore = {},
): Failure {
  return { ...failure(code, remedy === '' ? message : `${message} ${remedy}`, more), reason, values: { ...values } }
}
