import { type Failure, type FailureCode, type FailureMore, failure } from '../domain/failure.ts'
import type { Silence } from '../domain/kubernetes.ts'
import { because } from './reasons.ts'
import type { Finding } from './steps/coded.ts'

/** A failure of our own: why it did not happen, by a code of `because()` or `fault()`, as one of the kinds of {@link FailureCode}. */
export function refusal(
  code: FailureCode,
  { code: reason, values, message, remedy = '' }: Finding & { readonly remedy?: string },
  more: FailureMore = {},
): Failure {
  return { ...failure(code, remedy === '' ? message : `${message} ${remedy}`, more), reason, values: { ...values } }
}

/** A failure as why something else did not happen; one that has no reason of ours is known by its kind. */
export function causeOf({ code, reason = code, values = {}, message }: Failure): Finding {
  return { code: reason, values, message }
}

/** Why something failed as what was found: by the code of our own reason, where it has one. */
export function findingIn({ code, reason, values = {}, message }: Failure): Finding {
  return reason === undefined
    ? because('RequestFailed', { failure: code, cause: message })
    : { code: reason, values, message }
}

/** Why something is not heard, as what was found: by the code of our own reason, where it has one. */
export function findingOf({ why, reason, values = {} }: Silence): Finding {
  return reason === undefined
    ? because('RequestFailed', { failure: 'unreachable', cause: why })
    : { code: reason, values, message: why }
}
