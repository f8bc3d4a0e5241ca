import type { Cluster } from './cluster.ts'
import { isWayBack, type Plan } from './plan.ts'

/** Whether a start outside every window has to say why: on a production cloud, unless it brings a node back or rescues. */
export function wantsReason(plan: Pick<Plan, 'kind'>, { production }: Pick<Cluster, 'production'>): boolean {
  return production && !isWayBack(plan.kind) && plan.kind !== 'rescue'
}

/** The reason that came with a plan: the run's reason, else the reason of its first override. Empty if none was given. */
export function reasonOfPlan({ options }: Pick<Plan, 'options'>): string {
  return options.reason.trim() || (options.overrides[0]?.reason.trim() ?? '')
}
