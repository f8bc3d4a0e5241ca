import type { NodeEstimate, Span } from '../../shared/domain/estimate.ts'
import { type FoundNodeEstimate, sumOf } from '../../shared/domain/own-estimate.ts'
import { isNodePlan, isWayBack, type NodePlan, type Plan, takesOut } from '../../shared/domain/plan.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { endUnknownWords } from '../../shared/words/estimates.ts'
import { createEstimateMaker } from './estimate-maker.ts'
import { whyNotKnown } from './update-progress.ts'
import type { WindowServices } from './window-services.ts'

/** How long a plan may take, by its cluster's measurements; null if unknown, for the reason `why`. */
export interface PlanEstimate {
  readonly nodes: readonly Pick<NodeEstimate, 'node' | 'total'>[]
  readonly total: Span | null
  /** Why the total is unknown, in a sentence; empty if it is known. */
  readonly why: string
}

/** Estimates a confirmed plan by the cluster's current state. Only reads. */
export function createPlanEstimate(
  services: Pick<WindowServices, 'runs' | 'worlds' | 'clock'>,
): (plan: Plan) => Promise<Result<PlanEstimate>> {
  const make = createEstimateMaker(services)
  return async plan => {
    const made = await make(
      plan.cluster,
      isNodePlan(plan)
        ? {
            kind: 'batches',
            scope: plan.options.scope,
            batches: [{ nodes: [plan.node] }],
            work: { kind: 'person' },
            // The time of the work on the node is unknown: it is not counted below.
            workMinutes: 1,
            pauseBetweenBatches: false,
          }
        : { kind: 'update', update: plan.update },
    )
    if (!made.ok) return made
    const { own } = made.value
    const nodes = own.nodes.map(each => ({
      node: each.node,
      total: isNodePlan(plan) ? partOf(plan, each) : each.total,
    }))
    const total = isNodePlan(plan) ? (nodes[0]?.total ?? null) : own.total
    return ok({ nodes, total, why: total === null ? endUnknownWords(whyNotKnown(own)) : '' })
  }
}

function partOf({ kind }: NodePlan, { evacuation, drain, back }: FoundNodeEstimate): Span | null {
  if (kind === 'enter') return sumOf([evacuation, drain])
  if (takesOut(kind)) return sumOf([evacuation, drain, back])
  return isWayBack(kind) ? back : null
}
