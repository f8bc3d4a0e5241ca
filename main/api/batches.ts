import { createBatchPlanner } from '../windows/batch-planner.ts'
import { createNodeBlocks } from '../windows/node-blocks.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function batchesHandlers(
  services: Pick<ApiServices, 'clock' | 'clusters' | 'newId' | 'plans' | 'runs' | 'worlds'>,
): Pick<Handlers, 'batches.plan' | 'batches.judge'> {
  const { plan, judge } = createBatchPlanner({ ...services, nodeBlocks: createNodeBlocks(services) })
  return {
    'batches.plan': ({ cluster, nodes, wish, scope }) => plan(cluster, nodes, wish, scope ?? 'os'),
    'batches.judge': ({ cluster, batches, wish, scope }) => judge(cluster, batches, wish, scope ?? 'os'),
  }
}
