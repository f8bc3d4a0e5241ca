import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import type { UpdateMoment } from '../../../shared/domain/update.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import { computeServiceOf } from '../../procedures/steps/compute/compute-host.ts'

/** Statuses in which Nova leaves a migration that came to its end well. */
const MOVED: readonly string[] = ['completed', 'done', 'finished', 'confirmed']

type Figures = Pick<Extract<UpdateMoment, { kind: 'sample' }>, 'instancesRemaining' | 'migrationsDone'>

const UNKNOWN: Figures = { instancesRemaining: null, migrationsDone: null }

/** Instances that are still on the nodes being worked on, and migrations that were done since the update began. */
export async function readFigures(
  openstack: OpenStackPort | null,
  nodes: readonly ClusterNode[],
  since: string,
  signal: AbortSignal,
): Promise<Figures> {
  if (openstack === null) return UNKNOWN
  const [services, migrations] = await Promise.all([
    nodes.length === 0 ? null : openstack.computeServices(signal),
    openstack.migrations({ since }, signal),
  ])
  const migrationsDone = migrations.ok ? migrations.value.filter(({ status }) => MOVED.includes(status)).length : null
  if (services === null) return { instancesRemaining: 0, migrationsDone }
  if (!services.ok) return { instancesRemaining: null, migrationsDone }
  const hosts = nodes.flatMap(node => computeServiceOf(node, services.value)?.host ?? [])
  let instancesRemaining = 0
  for (const host of hosts) {
    const there = await openstack.instancesOnHost(host, signal)
    if (!there.ok) return { instancesRemaining: null, migrationsDone }
    instancesRemaining += there.value.items.length
  }
  return { instancesRemaining, migrationsDone }
}
