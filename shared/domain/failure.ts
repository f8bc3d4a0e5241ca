import { z } from 'zod'
import { Json } from './json.ts'

/** The closed set of reasons why an operator's request did not succeed. */
export const FailureCode = z.enum([
  'bad-input',
  'not-found',
  /** The credentials work, but a rule forbids this action; the message names the rule. */
  'not-permitted',
  'unauthenticated',
  /** The operator must see and approve a command from a kubeconfig before it runs. */
  'not-consented',
  /** The server refuses because of the object's state or a concurrent change. */
  'conflict',
  /** No connection, or it broke. */
  'unreachable',
  /** No answer, or no result, within the limit. */
  'timed-out',
  'throttled',
  /** The server failed on its side (5xx), or answered outside its protocol. */
  'server-fault',
  /** An answer with a good status that does not answer the question: a login page, cut JSON, another object. It says nothing about the cloud. */
  'unreadable',
  /** Checks failed; nothing changed. */
  'checks-failed',
  /** Another run, console or process holds it. */
  'held',
  'damaged',
  'aborted',
  /** A bug in Lockkeeper; the log has the stack. */
  'internal',
])
export type FailureCode = z.infer<typeof FailureCode>

/**
 * Why a request did not succeed, in an operator's words (style G11, G37). `message` says what, which, why and what next; `detail` is technical text
 * without secrets; `retryable`: the same request may succeed later without any change.
 */
export const Failure = z.strictObject({
  code: FailureCode,
  /** Our reason, by a stable name (docs/terminal.md), with the values of its message; absent: another program's. */
  reason: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
  message: z.string(),
  detail: z.string().optional(),
  /** The HTTP status of a server's refusal; absent: no status, or unused. */
  status: z.number().int().optional(),
  retryable: z.boolean(),
  /** How long the server asked to wait before the next try. */
  retryAfterMs: z.number().nonnegative().optional(),
  /** The object it concerns, such as `node/cmp-1` or `server/6f1c…`. */
  target: z.string().optional(),
})
export type Failure = z.infer<typeof Failure>

export interface FailureMore {
  readonly detail?: string | undefined
  readonly status?: number | undefined
  readonly target?: string | undefined
  readonly retryable?: boolean
  readonly retryAfterMs?: number | null | undefined
}

/** Builds a failure; the code decides the default of `retryable`. */
export function failure(code: FailureCode, message: string, more: FailureMore = {}): Failure {
  return {
    code,
    message,
    retryable: more.retryable ?? RETRYABLE.has(code),
    ...(more.detail === undefined ? {} : { detail: more.detail }),
    ...(more.status === undefined ? {} : { status: more.status }),
    ...(more.retryAfterMs == null ? {} : { retryAfterMs: more.retryAfterMs }),
    ...(more.target === undefined ? {} : { target: more.target }),
  }
}

const RETRYABLE: ReadonlySet<FailureCode> = new Set([
  'unreachable',
  'timed-out',
  'throttled',
  'server-fault',
  'unreadable',
])
