import { type Failure, type FailureCode, type FailureMore, failure } from '../domain/failure.ts'
import type { Silence } from '../domain/kubernetes.ts'
import { because } from './reasons.ts'
import type { Finding } from './steps/coded.ts'

/** A failure with a reason of `because()` or `fault()`, as one of the kinds of {@link FailureCode}. */
export function refusal(
  code: FailureCode,
  { code: reason, values, message, remedy = '' }: Finding & { readonly remedy?: string },
  more: FailureMore = {},
): Failure {
  return { ...failure(code, remedy === '' ? message : `${message} ${remedy}`, more), reason, values: { ...values } }
}

/** A failure as the cause of another; without a reason its kind is the code. */
export function causeOf({ code, reason = code, values = {}, message }: Failure): Finding {
  return { code: reason, values, message }
}

/** A failure as a finding, by its reason if it has one. */
export function findingIn({ code, reason, values = {}, message }: Failure): Finding {
  return reason === undefined
    ? because('RequestFailed', { failure: code, cause: message })
    : { code: reason, values, message }
}

/** Why a source is silent, as a finding, by its reason if it has one. */
export function findingOf({ why, reason, values = {} }: Silence): Finding {
  return reason === undefined
    ? because('RequestFailed', { failure: 'unreachable', cause: why })
    : { code: reason, values, message: why }
}
