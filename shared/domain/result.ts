import type { Failure } from './failure.ts'

/** A value, or a failure an operator can act on (style G36). */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function failed(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}
