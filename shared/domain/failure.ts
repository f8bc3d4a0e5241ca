import { z } from 'zod'
import { Json } from './json.ts'

/** The closed set of reasons why something an operator asked for did not happen. */
export const FailureCode = z.enum([
  /** What the operator or a file gave us cannot be used as it is. */
  'bad-input',
  /** The named object does not exist. */
  'not-found',
  /** The credentials work, but a rule forbids this action; the message names the rule. */
  'not-permitted',
  /** The credentials were refused. */
  'unauthenticated',
  /** A command from a kubeconfig must be shown and agreed to before it may be run. */
  'not-consented',
  /** The object is in a state, or changed meanwhile, so that the server refuses. */
  'conflict',
  /** No connection, or it broke. */
  'unreachable',
  /** No answer, or no result, within the limit. */
  'timed-out',
  /** The server asks to slow down. */
  'throttled',
  /** The server failed on its side (5xx), or answered something that is not its protocol. */
  'server-fault',
  /** An answer came with a good status, but it is not an answer to what was asked: a login page, cut JSON, another object. Nothing was learnt from it. */
  'unreadable',
  /** Checks do not hold; nothing was touched. */
  'checks-failed',
  /** Somebody else holds it: another run, another console, another process. */
  'held',
  /** A file or database of ours is damaged. */
  'damaged',
  /** The operator asked to stop. */
  'aborted',
  /** A bug of ours; the log has the stack. */
  'internal',
])
export type FailureCode = z.infer<typeof FailureCode>

/**
 * Why something did not happen, in an operator's words (style G11, G37).
 * `message` says what, which, why and what next; `detail` is technical text, already free of secrets;
 * `retryable` is true when the same request may succeed later without anybody changing anything.
 */
export const Failure = z.strictObject({
  code: FailureCode,
  /** Which of our own reasons it is, a stable name (docs/terminal.md), and what its message names; absent: another program's. */
  reason: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
  message: z.string(),
  detail: z.string().optional(),
  /** The HTTP status of a server's refusal; absent: none came, or nobody asks for it. */
  status: z.number().int().optional(),
  retryable: z.boolean(),
  /** How long the server asked to wait before the next try. */
  retryAfterMs: z.number().nonnegative().optional(),
  /** The object it is about, such as `node/cmp-1` or `server/6f1c…`. */
  target: z.string().optional(),
})
export type Failure = z.infer<typeof Failure>

/** What else is known of a failure. */
export interface FailureMore {
  readonly detail?: string | undefined
  readonly status?: number | undefined
  readonly target?: string | undefined
  readonly retryable?: boolean
  readonly retryAfterMs?: number | null | undefined
}

/** Builds a failure; retryable defaults to what the code means. */
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
