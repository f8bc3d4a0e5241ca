import type { Failure } from './failure.ts'

/** What an operation that may fail in expected ways answers: a value, or a failure an operator can act on (style G36). */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

/** Wraps a value as a successful answer. */
export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

/** Wraps a failure as an answer. */
export function failed(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}
