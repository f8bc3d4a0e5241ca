import { z } from 'zod'
import { CODED } from './coded.ts'
import { RunOptions } from './plan.ts'

/** What must be the same when a confirmed plan starts later. Another plan, a new blocker or an instance that would go down prevents the start. */
export const PlanSeal = z.strictObject({
  /** What the digests and the blockers are made of: codes and values. Absent means an earlier version, which included the texts. */
  rule: z.literal('codes').optional(),
  /** A digest of the work on each node; the empty name is the work that belongs to no single node. */
  parts: z.record(z.string(), z.string()),
  /** Blockers that the operator overrode with a reason, by step, code and values. */
  lifted: z.array(z.string()),
  /** They go down or wait for their owners. */
  down: z.array(z.string()),
})
export type PlanSeal = z.infer<typeof PlanSeal>

export const StartAgreement = z.strictObject({
  startsAt: z.string(),
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
    z.strictObject({ kind: z.literal('missed'), at: z.string(), why: z.string(), ...CODED }),
  ]),
})
export type AgreedStart = z.infer<typeof AgreedStart>

/** In minutes: how late a window may start automatically. */
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
  /** The seal of an earlier version includes texts, and differs: in texts alone, or in the work. Nothing tells which. */
  readonly isUnclear: boolean
}

/** Compares a new plan with the confirmed one, both sealed by the same rule. A plan that does less is covered. */
export function notAgreed(agreed: PlanSeal, now: PlanSeal): NotAgreed {
  const names = [...new Set([...Object.keys(agreed.parts), ...Object.keys(now.parts)])]
  const [had, down] = [new Set(agreed.lifted), new Set(agreed.down)]
  const parts = names.filter(name => agreed.parts[name] !== now.parts[name])
  const lifted = now.lifted.filter(each => !had.has(each))
  const more = now.down.filter(each => !down.has(each))
  if (agreed.rule === 'codes') return { parts, lifted, down: more, isUnclear: false }
  const isCertain = (name: string) => agreed.parts[name] === undefined || now.parts[name] === undefined
  const steps = new Set(agreed.lifted.map(stepOf))
  return {
    parts: parts.filter(isCertain),
    lifted: lifted.filter(each => !steps.has(stepOf(each))),
    down: more,
    isUnclear: !parts.every(isCertain) || lifted.some(each => steps.has(stepOf(each))),
  }
}

/** The id of the step that an overridden blocker belongs to. */
function stepOf(lifted: string): string {
  return lifted.split(': ', 1)[0] ?? lifted
}
