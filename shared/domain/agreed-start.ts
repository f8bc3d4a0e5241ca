import { z } from 'zod'
import { CODED } from './coded.ts'
import { RunOptions } from './plan.ts'

/**
 * What was confirmed of a plan that starts later, as far as it has to be the same then. Pods and instances come and go until it starts: what may not
 * come is another plan, a blocker that nobody lifted, and an instance that goes down and was not shown to.
 */
export const PlanSeal = z.strictObject({
  /** A digest of what is done to each node; under the empty name, of all that belongs to no single one. */
  parts: z.record(z.string(), z.string()),
  /** Blockers that the operator lifted with a reason, by step and words. */
  lifted: z.array(z.string()),
  /** Ids of instances that go down, or wait for their owners. */
  down: z.array(z.string()),
})
export type PlanSeal = z.infer<typeof PlanSeal>

/** What an operator agreed to: that the window starts by itself at its beginning. */
export const StartAgreement = z.strictObject({
  /** The window's beginning, as it was when this was agreed to. */
  startsAt: z.string(),
  /** Later than so much after it nothing starts by itself. */
  lateByMs: z.number().int().positive(),
  options: RunOptions,
  seal: PlanSeal,
  /** The name of a production cluster was typed. */
  typedCluster: z.boolean(),
  by: z.string(),
  machine: z.string(),
})
export type StartAgreement = z.infer<typeof StartAgreement>

/** An agreement with where it stands, as the journal has it. */
export const AgreedStart = StartAgreement.extend({
  /** The number of its event. */
  seq: z.number().int(),
  at: z.string(),
  state: z.discriminatedUnion('kind', [
    /** For the window's beginning. */
    z.strictObject({ kind: z.literal('waits') }),
    /** A console took it, and no other does: it starts the run at once. */
    z.strictObject({ kind: z.literal('taken'), at: z.string(), by: z.string(), machine: z.string() }),
    /** It did not start, and will not by itself. */
    z.strictObject({ kind: z.literal('missed'), at: z.string(), why: z.string(), ...CODED }),
  ]),
})
export type AgreedStart = z.infer<typeof AgreedStart>

/** How late a window may start by itself, in minutes: as it is offered, at least, and at most. */
export const LATE_BY_MINUTES = { usual: 15, least: 1, most: 120 } as const

/** Whether the time of an agreed start has come. */
export function dueness(
  { startsAt, lateByMs }: Pick<AgreedStart, 'startsAt' | 'lateByMs'>,
  endsAt: string,
  nowMs: number,
): 'early' | 'due' | 'late' {
  const beginMs = Date.parse(startsAt)
  if (nowMs < beginMs) return 'early'
  return nowMs <= beginMs + lateByMs && nowMs < Date.parse(endsAt) ? 'due' : 'late'
}

/** What a plan made now has that was not agreed to; all empty: it is what was confirmed. */
export interface NotAgreed {
  /** Nodes to which something else would be done, or that come or go; the empty name: something of the whole. */
  readonly parts: readonly string[]
  readonly lifted: readonly string[]
  readonly down: readonly string[]
}

/** Compares a plan made now with what was confirmed. What is less than was confirmed, is covered by it. */
export function notAgreed(agreed: PlanSeal, now: PlanSeal): NotAgreed {
  const names = [...new Set([...Object.keys(agreed.parts), ...Object.keys(now.parts)])]
  const [lifted, down] = [new Set(agreed.lifted), new Set(agreed.down)]
  return {
    parts: names.filter(name => agreed.parts[name] !== now.parts[name]),
    lifted: now.lifted.filter(each => !lifted.has(each)),
    down: now.down.filter(each => !down.has(each)),
  }
}
