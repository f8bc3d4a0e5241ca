import { z } from 'zod'
import { Json } from './json.ts'

export const FailureCode = z.enum([
  'bad-input',
  'not-found',
  /** The credentials work, but a rule forbids this action; the message names the rule. */
  'not-permitted',
  'unauthenticated',
  /** The operator must approve a command from a kubeconfig before it runs. */
  'not-consented',
  'conflict',
  'unreachable',
  /** No answer, or no result, within the limit. */
  'timed-out',
  'throttled',
  /** 5xx, or an answer outside its protocol. */
  'server-fault',
  /** A good status without an answer to the question: a login page, cut JSON, another object. It says nothing about the cloud. */
  'unreadable',
  'checks-failed',
  'held',
  'damaged',
  'aborted',
  'internal',
])
export type FailureCode = z.infer<typeof FailureCode>

/** In an operator's words (style G11, G37). `detail`: technical, without secrets; `retryable`: the same request may succeed later. */
export const Failure = z.strictObject({
  code: FailureCode,
  /** Our reason by a stable name (docs/terminal.md), with its values; absent means another program's. */
  reason: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
  message: z.string(),
  detail: z.string().optional(),
  /** Absent if there is no HTTP status, or unused. */
  status: z.number().int().optional(),
  retryable: z.boolean(),
  retryAfterMs: z.number().nonnegative().optional(),
  /** For example, `node/cmp-1` or `server/6f1c…`. */
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

/** The code decides the default of `retryable`. */
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
