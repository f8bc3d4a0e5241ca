import { z } from 'zod'
import { Span } from './estimate.ts'
import { Json } from './json.ts'
import type { CheckedPlan } from './plan.ts'
import { openBlockers } from './plan-effects.ts'

/** One thing that blocks a plan: about one of its nodes, or about the whole plan. */
export const PlanBlock = z.strictObject({
  /** Null if it concerns no single node. */
  node: z.string().nullable(),
  code: z.string(),
  values: z.record(z.string(), Json),
  message: z.string(),
  remedy: z.string(),
  /** It may pass until the window opens, such as a run at the same node. */
  passes: z.boolean(),
})
export type PlanBlock = z.infer<typeof PlanBlock>

/** Whether the plan of a window could start, by its checks, and how long it takes. */
export const WindowJudgement = z.strictObject({
  judgedAt: z.string(),
  /** How many nodes it takes out; 0 if the operator starts each run. */
  nodes: z.number().int(),
  /** How many chosen nodes it leaves out. */
  left: z.number().int(),
  blocks: z.array(PlanBlock),
  /** Null if nothing was measured. */
  span: Span.nullable(),
})
export type WindowJudgement = z.infer<typeof WindowJudgement>

/** What blocks a checked plan, by node, as its sheet shows it. */
export function planBlocks(checked: CheckedPlan): readonly PlanBlock[] {
  const nodeOf = new Map(checked.plan.steps.map(({ id, lane }) => [id, lane?.name ?? null]))
  return openBlockers(checked).map(({ stepId, blocker: { code, values, message, remedy, passing } }) => ({
    node: nodeOf.get(stepId) ?? null,
    code,
    values: values ?? {},
    message,
    remedy,
    passes: passing !== undefined,
  }))
}

/** The instance that a block is about; null if it is about something else. */
export function instanceOfBlock({ values: { name, id } }: Pick<PlanBlock, 'values'>): string | null {
  return typeof name === 'string' && typeof id === 'string' ? name : null
}

/** A check that did not get its answer, such as from a silent cloud: it may get it later, and proves nothing now. */
export function isUnread({ code, passes }: Pick<PlanBlock, 'code' | 'passes'>): boolean {
  return passes && code === 'NotRead'
}
