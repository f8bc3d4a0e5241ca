import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { blocker } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
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
  { world, signal }: Pick<MaintenanceContext, 'world' | 'signal'>,
): Promise<Result<OtherRecords>> {
  if (doublesOf(node, [], services).length === 0) return ok(NONE)
  const nodes = await world.kubernetes.listNodes(signal)
  if (!nodes.ok) return nodes
  const doubles = new Set(doublesOf(node, nodes.value, services))
  const own = computeServiceOf(node, services)
  const others = services.filter(({ host }) => doubles.has(host))
  if (own === null || others.length === 0) return ok(NONE)
  const records = [own, ...others].map(({ host, id, state, updatedAt }) => ({ host, id, state, updatedAt }))
  const isLeftover = own.state === 'up' && others.every(({ state }) => state === 'down')
  return ok(
    isLeftover
      ? { blockers: [], warnings: [found('ComputeRecordLeftOver', { node: node.name, records })] }
      : { blockers: [blocker(fault('SeveralComputeRecords', { node: node.name, records }))], warnings: [] },
  )
}

/** The same of a node by its name, for a step that reads its service alone. */
export async function readOtherRecords(name: string, ctx: MaintenanceContext): Promise<Result<OtherRecords>> {
  const [node, services] = await Promise.all([
    readMachine(name, ctx.world, ctx.signal),
    cloudOf(ctx).computeServices(ctx.signal),
  ])
  if (!node.ok) return node
  return services.ok ? otherRecords(node.value, services.value, ctx) : services
}
