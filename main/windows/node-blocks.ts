import type { MaintenanceScope } from '../../shared/domain/plan.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { PlanBlock } from '../../shared/domain/window-judgement.ts'
import { blocksOfPlan } from './judge-window.ts'
import type { WindowServices } from './window-services.ts'

/** What blocks the plan of each of these nodes; a node without an entry goes out. */
export type NodeBlocks = (
  cluster: string,
  nodes: readonly string[],
  scope: MaintenanceScope,
) => Promise<Result<ReadonlyMap<string, readonly PlanBlock[]>>>

/** By the checks of the plan itself, each node in a separate batch. Only reads. */
export function createNodeBlocks(
  services: Pick<WindowServices, 'clock' | 'clusters' | 'newId' | 'plans' | 'runs' | 'worlds'>,
): NodeBlocks {
  return async (cluster, nodes, scope) => {
    const found = await blocksOfPlan(
      cluster,
      {
        kind: 'batches',
        scope,
        batches: nodes.map(node => ({ nodes: [node] })),
        work: { kind: 'person' },
        workMinutes: null,
        pauseBetweenBatches: false,
      },
      services,
    )
    if (!found.ok) return found
    const named = found.value.flatMap(block => (block.node === null ? [] : [{ ...block, node: block.node }]))
    return ok(Map.groupBy(named, ({ node }) => node))
  }
}
