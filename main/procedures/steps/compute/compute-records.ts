import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { blocker } from '../../answers.ts'
import { computeServiceOf, doublesOf } from './compute-host.ts'

/** What the other records of a node's nova-compute mean for its maintenance. */
interface OtherRecords {
  readonly blockers: readonly Blocker[]
  readonly warnings: readonly Finding[]
}

const NONE: OtherRecords = { blockers: [], warnings: [] }

/**
 * Nova may have several records of one machine, such as after a rename. One that lives beside the record that was found is a second claim, and the
 * instances may be under either: that blocks, whoever wants to override it. A dead one next to a live one is a leftover, and is named.
 */
export async function otherRecords(
  node: ClusterNode,
  services: readonly ComputeService[],
  asking: Asking,
): Promise<Result<OtherRecords>> {
  const doubles = await readDoubles(node, services, asking)
  if (!doubles.ok) return doubles
  const own = computeServiceOf(node, services)
  const others = services.filter(({ host }) => doubles.value.includes(host))
  if (own === null || others.length === 0) return ok(NONE)
  const records = [own, ...others].map(({ host, id, state, updatedAt }) => ({ host, id, state, updatedAt }))
  const isLeftover = own.state === 'up' && others.every(({ state }) => state === 'down')
  return ok(
    isLeftover
      ? { blockers: [], warnings: [found('ComputeRecordLeftOver', { node: node.name, records })] }
      : { blockers: [blocker(fault('SeveralComputeRecords', { node: node.name, records }))], warnings: [] },
  )
}

/** Hosts of Nova that may be the node under another name; the list of nodes is asked for only where there are any. */
export async function readDoubles(
  node: ClusterNode,
  services: readonly ComputeService[],
  { world, signal }: Asking,
): Promise<Result<readonly string[]>> {
  if (doublesOf(node, [], services).length === 0) return ok([])
  const nodes = await world.kubernetes.listNodes(signal)
  return nodes.ok ? ok(doublesOf(node, nodes.value, services)) : nodes
}

type Asking = { readonly world: Pick<MaintenanceWorld, 'kubernetes'>; readonly signal?: AbortSignal | undefined }
