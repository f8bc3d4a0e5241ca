import { isDeepStrictEqual } from 'node:util'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { at, type JsonObject, listAt, recordAt, textAt } from '../kubernetes/store/json.ts'
import { isTerminating } from '../kubernetes/store/kubernetes-object.ts'
import type { Stored } from '../kubernetes/store/models.ts'
import { OPENSTACK_NAMESPACE } from '../scenarios/scenario-objects.ts'

const KIND = 'OpenStackDeploymentStatus'

/**
 * Writes the health of every OpenStack component into the OpenStackDeploymentStatus, as Rockoon's health monitor
 * does: `Ready` when all pods of a component are ready, else `Progressing` (docs/domain.md A.3).
 */
export function reportDeploymentHealth(kubernetes: Pick<KubernetesSimulator, 'objects'>): void {
  const { objects } = kubernetes
  const [deployment] = objects.list(KIND, OPENSTACK_NAMESPACE)
  if (deployment === undefined) return
  const health = healthOf(objects.list('Pod', OPENSTACK_NAMESPACE))
  const states = Object.values(health).flatMap(parts => Object.values(parts))
  const ready = states.filter(({ status }) => status === 'Ready').length
  const status: JsonObject = {
    ...recordAt(deployment, 'status'),
    osdpl: { ...recordAt(deployment, 'status', 'osdpl'), health: `${ready}/${states.length}` },
    health,
  }
  if (isDeepStrictEqual(status, recordAt(deployment, 'status'))) return
  objects.change(KIND, OPENSTACK_NAMESPACE, deployment.metadata.name, current => ({ ...current, status }))
}

type Health = Record<string, Record<string, { status: 'Ready' | 'Progressing' }>>

function healthOf(pods: readonly Stored<'Pod'>[]): Health {
  const health: Health = {}
  for (const pod of pods) {
    const { application, component } = pod.metadata.labels ?? {}
    const isOneOff = ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '')
    if (application === undefined || component === undefined || isOneOff) continue
    const parts = health[application] ?? {}
    health[application] = parts
    const before = parts[component]?.status ?? 'Ready'
    parts[component] = { status: before === 'Ready' && isServing(pod) ? 'Ready' : 'Progressing' }
  }
  return health
}

function isServing(pod: Stored<'Pod'>): boolean {
  const ready = listAt(pod, 'status', 'conditions').find(one => at(one, 'type') === 'Ready')
  return !isTerminating(pod) && at(ready, 'status') === 'True'
}
