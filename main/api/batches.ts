import { createBatchPlanner } from '../windows/batch-planner.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function batchesHandlers(
  services: Pick<ApiServices, 'worlds' | 'clock'>,
): Pick<Handlers, 'batches.plan' | 'batches.judge'> {
  const { plan, judge } = createBatchPlanner(services)
  return {
    'batches.plan': ({ cluster, nodes, wish }) => plan(cluster, nodes, wish),
    'batches.judge': ({ cluster, batches, wish }) => judge(cluster, batches, wish),
  }
}
