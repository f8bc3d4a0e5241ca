import { failure } from '../../../../shared/domain/failure.ts'
import type { Pod } from '../../../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { HardLock } from '../../../../shared/words/steps/requests-limits.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { refusal } from '../../answers.ts'
import { whyNotWhole } from '../general/pods-gone.ts'

/** StatefulSets that lose data or quorum when too few run, by Rockoon's names for their services (docs/domain.md A.2). */
const QUORUM_SERVICES: readonly (readonly [service: string, part: string])[] = [
  ['database', 'mariadb'],
  ['coordination', 'etcd'],
  ['redis', 'redis'],
  ['metric-storage', 'prometheus'],
]

/** The quorum services that refuse the node now, by the rule of Rockoon's is_node_locked (docs/domain.md A.2). */
export async function hardLocks(
  node: string,
  world: MaintenanceWorld,
  signal: AbortSignal,
): Promise<Result<Readonly<Record<string, HardLock>>>> {
  const namespace = world.cluster.openstackNamespace
  // Most nodes have no replica: only then the lists of the whole cloud are read.
  const here = await world.kubernetes.listPodsOnNode(node, signal)
  if (!here.ok) return here
  const isOfQuorum = ({ controller }: Pod) =>
    controller?.kind === 'StatefulSet' && quorumServiceOf(controller.name) !== null
  if (!here.value.some(pod => pod.namespace === namespace && isOfQuorum(pod))) {
    const doubt = await whyNotWhole(node, here.value, { world, signal })
    return doubt === null ? ok({}) : failed(failure('unreadable', doubt.message, { retryable: true }))
  }
  const [workloads, pods] = await Promise.all([
    world.kubernetes.listWorkloads(['StatefulSet'], signal),
    world.kubernetes.listPods(namespace, signal),
  ])
  if (!workloads.ok) return workloads
  if (!pods.ok) return pods
  const isListed = (seen: Pod) => pods.value.some(({ uid }) => uid === seen.uid)
  const hidden = here.value.find(pod => pod.namespace === namespace && isOfQuorum(pod) && !isListed(pod))
  if (hidden !== undefined) {
    return failed(refusal('unreadable', fault('PodNotListed', { namespace, pod: hidden.name, node })))
  }
  const refusing: Record<string, HardLock> = {}
  for (const [service, part] of QUORUM_SERVICES) {
    for (const set of workloads.value) {
      if (set.namespace !== namespace || !isNamed(set.name, part)) continue
      const replicas = pods.value.filter(pod => pod.controller?.uid === set.uid)
      if (!replicas.some(pod => pod.nodeName === node)) continue
      const others = replicas.filter(pod => pod.nodeName !== node)
      const unready = others.filter(pod => !pod.ready)
      const ready = others.length - unready.length
      if (unready.length > 0) refusing[service] = { by: 'unready', set: set.name, pods: unready.map(pod => pod.name) }
      else if (ready < set.replicas - 1)
        refusing[service] = { by: 'few', set: set.name, ready, others: set.replicas - 1 }
    }
  }
  return ok(refusing)
}

/** The service of a StatefulSet, such as `database`; null if it is not of a quorum service. */
export function quorumServiceOf(set: string): string | null {
  return QUORUM_SERVICES.find(([, part]) => isNamed(set, part))?.[0] ?? null
}

/** `mariadb-server` belongs to mariadb; `openstack-redis-sentinel` to redis; `etcd-etcd` to etcd. */
function isNamed(name: string, part: string): boolean {
  return name.split('-').includes(part)
}
