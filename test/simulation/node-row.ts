import { nodeHandlers } from '../../main/api/nodes.ts'
import { stateText } from '../../main/faces/cli/render/render-nodes.ts'
import type { Clock } from '../../main/platform/clock/clock.ts'
import type { ControllerWorld } from '../../main/ports/world.ts'
import type { RunService } from '../../main/runs/run-service.ts'
import type { NodeSummary } from '../../shared/domain/node-summary.ts'
import { ok } from '../../shared/domain/result.ts'
import type { RunEnding } from '../../shared/domain/run-ending.ts'

/** The rows of `nodes`, as a console that nothing disturbs reads them; null: it could not. */
export async function readRows(
  world: ControllerWorld,
  services: { readonly clock: Clock; readonly runs: RunService },
): Promise<readonly NodeSummary[] | null> {
  const worlds = { open: async () => ok({ world, openstackFailure: null }) }
  const listed = await nodeHandlers({ ...services, worlds } as never)['node.list']({ cluster: world.cluster.name })
  return listed.ok ? listed.value.nodes : null
}

/** How the row of a node differs from the end of its last run; null if they agree or cannot be compared. */
export function rowDiffers(ending: RunEnding, row: NodeSummary | undefined): string | null {
  if (!('verdict' in ending)) return null
  if (row === undefined) return `${ending.node} has no row`
  const { verdict } = ending
  const shown = `the row of ${row.name} says ${stateText(row)} (${row.state}, ${row.verdict?.kind ?? 'no verdict'})`
  switch (verdict.kind) {
    case 'Empty':
      return row.verdict?.kind === 'Empty' ? null : `its run ended Empty, ${shown}`
    case 'NotEmpty': {
      const left = names(verdict.instances)
      const here = row.verdict?.kind === 'NotEmpty' ? names(row.verdict.instances) : 'none'
      return left === here ? null : `its run left ${left}, the row has ${here}, ${shown}`
    }
    case 'InService':
      return row.state === 'active' ? null : `its run ended InService, ${shown}`
    case 'HeldBack':
      return row.state === 'active' ? `its run ended HeldBack, ${shown}` : null
    case 'Unknown':
      return null
  }
}

/** The names of instances that stay where they are; a moving instance changes later anyway. */
function names(instances: readonly { readonly name: string; readonly code: string }[]): string {
  return instances
    .filter(({ code }) => code !== 'Arriving' && code !== 'AwaitsConfirmation' && code !== 'Busy')
    .map(({ name }) => name)
    .join(', ')
}
