import { type Failure, type FailureCode, type FailureMore, failure } from '../domain/failure.ts'
import type { Finding } from './steps/coded.ts'

/** A failure of our own: why it did not happen, by a code of `because()` or `fault()`, as one of the kinds of {@link FailureCode}. */
export function refusal(
  code: FailureCode,
  { code: reason, values, message, remedy = '' }: Finding & { readonly remedy?: string },
  more: FailureMore = {},
): Failure {
  return { ...failure(code, remedy === '' ? message : `${message} ${remedy}`, more), reason, values: { ...values } }
}
