import { z } from 'zod'
import { CODED } from './coded.ts'
import { RunOptions } from './plan.ts'

/** What must be the same when a confirmed plan starts later. Another plan, a new blocker or an instance that would go down prevents the start. */
export const PlanSeal = z.strictObject({
  /** A digest of the work on each node; the empty name is work of no single node. */
  parts: z.record(z.string(), z.string()),
  /** Overridden blockers, by step and text. */
  lifted: z.array(z.string()),
  /** They go down or wait for their owners. */
  down: z.array(z.string()),
})
export type PlanSeal = z.infer<typeof PlanSeal>

/** The window starts automatically at its beginning. */
export const StartAgreement = z.strictObject({
  startsAt: z.string(),
  /** How late after its beginning it may still start. */
  lateByMs: z.number().int().positive(),
  options: RunOptions,
  seal: PlanSeal,
  typedCluster: z.boolean(),
  by: z.string(),
  machine: z.string(),
})
export type StartAgreement = z.infer<typeof StartAgreement>

export const AgreedStart = StartAgreement.extend({
  seq: z.number().int(),
  at: z.string(),
  state: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('waits') }),
    /** A console took it and starts the run; no other console does. */
    z.strictObject({ kind: z.literal('taken'), at: z.string(), by: z.string(), machine: z.string() }),
    /** It did not start and will not start automatically. */
    z.strictObject({ kind: z.literal('missed'), at: z.string(), why: z.string(), ...CODED }),
  ]),
})
export type AgreedStart = z.infer<typeof AgreedStart>

/** Minutes. */
export const LATE_BY_MINUTES = { usual: 15, least: 1, most: 120 } as const

export function dueness(
  { startsAt, lateByMs }: Pick<AgreedStart, 'startsAt' | 'lateByMs'>,
  endsAt: string,
  nowMs: number,
): 'early' | 'due' | 'late' {
  const beginMs = Date.parse(startsAt)
  if (nowMs < beginMs) return 'early'
  return nowMs <= beginMs + lateByMs && nowMs < Date.parse(endsAt) ? 'due' : 'late'
}

/** What a new plan has that the operator did not agree to; all empty: the plan is covered. */
export interface NotAgreed {
  /** Nodes with other work, added or removed; the empty name is work of no node. */
  readonly parts: readonly string[]
  readonly lifted: readonly string[]
  readonly down: readonly string[]
}

/** A plan that does less is covered. */
export function notAgreed(agreed: PlanSeal, now: PlanSeal): NotAgreed {
  const names = [...new Set([...Object.keys(agreed.parts), ...Object.keys(now.parts)])]
  const [lifted, down] = [new Set(agreed.lifted), new Set(agreed.down)]
  return {
    parts: names.filter(name => agreed.parts[name] !== now.parts[name]),
    lifted: now.lifted.filter(each => !lifted.has(each)),
    down: now.down.filter(each => !down.has(each)),
  }
}
