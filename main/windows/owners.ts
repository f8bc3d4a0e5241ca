import type { OwnersList } from '../../shared/domain/batches.ts'
import { type Announcement, type OwnedInstance, ownersByProject, ownersCsv } from '../../shared/domain/owners.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { WindowPlan } from '../../shared/domain/window.ts'
import { nodesOfPlan } from '../../shared/domain/window-draft.ts'
import { messageToOwners } from '../../shared/words/owner-messages.ts'
import { because } from '../../shared/words/reasons.ts'
import { isoNow } from '../platform/clock/clock.ts'
import { policyOf } from '../procedures/steps/compute/classify-instances.ts'
import { createProjectNames } from './project-names.ts'
import type { WindowServices } from './window-services.ts'
import { readWorkFacts, type WorkNode } from './work-facts.ts'

/** Owners whose instances wait for them or are stopped by a plan. Only reads. */
type OwnersReader = (cluster: string, plan: WindowPlan, announced: Announcement | null) => Promise<Result<OwnersList>>

export function createOwnersReader(services: Pick<WindowServices, 'worlds' | 'clock'>): OwnersReader {
  const projectNames = createProjectNames(services.clock)
  return async (cluster, plan, announced) => {
    const connected = await services.worlds.open(cluster)
    if (!connected.ok) return connected
    const { world, openstackFailure } = connected.value
    const facts = await readWorkFacts(world, openstackFailure?.message ?? null)
    if (!facts.ok) return facts
    const touched = nodesOfPlan(plan)
    const nodes = facts.value.nodes.filter(({ node }) => touched.includes(node.name))
    // With scope drain instances stay: no owner needs a message.
    const leaves = plan.kind === 'batches' ? plan.scope === 'os' : plan.kind === 'update' && plan.update.scope === 'os'
    const owned = leaves ? nodes.flatMap(node => ownedOn(node, batchOf(plan, node.node.name))) : []
    const unread = leaves ? nodes.filter(({ instances }) => instances === null).map(({ node }) => node.name) : []
    const unknown = touched.filter(name => facts.value.nodes.every(({ node }) => node.name !== name))
    const names = owned.length === 0 || world.openstack === null ? null : await projectNames(cluster, world.openstack)
    const projects = ownersByProject(owned, id => names?.nameOf(id) ?? null)
    const findings = [
      ...(unread.length === 0 ? [] : [because('OwnersMayBeMissing', { nodes: unread })]),
      ...(unknown.length === 0 ? [] : [because('OwnersNodesMissing', { cluster, nodes: unknown })]),
      ...(names?.failure == null ? [] : [because('ProjectsNamedByIds', { cause: names.failure })]),
    ]
    return ok({
      cluster,
      readAt: isoNow(services.clock),
      projects: projects.map(project => ({ ...project, message: messageToOwners(project, cluster, announced) })),
      unreachable: [...facts.value.unreachable, ...findings.map(({ message }) => message)],
      findings,
      csv: ownersCsv(projects),
    })
  }
}

function ownedOn(
  { node, instances }: WorkNode,
  batch: number | null,
): readonly (OwnedInstance & { readonly projectId: string | null })[] {
  return (instances ?? []).flatMap(instance => {
    const { action, reason } = policyOf(instance, node)
    if (action !== 'notify' && action !== 'poweroff') return []
    const { id, name, projectId, status } = instance
    return [{ id, name, projectId, node: node.name, batch, status, action, reason }]
  })
}

function batchOf(plan: WindowPlan, node: string): number | null {
  if (plan.kind !== 'batches') return null
  const at = plan.batches.findIndex(batch => batch.nodes.includes(node))
  return at < 0 ? null : at + 1
}
