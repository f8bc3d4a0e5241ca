import { FOREIGN_KINDS, type ForeignKind } from '../../../main/adapters/kubernetes/foreign-kinds.ts'
import { createMaintenanceApi } from '../../../main/adapters/kubernetes/maintenance-api.ts'
import {
  readClusterLock,
  readClusterRequest,
  readNodeLock,
  readNodeRequest,
} from '../../../main/adapters/kubernetes/maintenance-objects.ts'
import { readNode } from '../../../main/adapters/kubernetes/read-node.ts'
import { readPod } from '../../../main/adapters/kubernetes/read-pod.ts'
import { folderOf } from '../../../main/adapters/kubernetes/resource-types.ts'
import type { KubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { finalizerOf } from '../../../main/lcm/controllers/worker-parts.ts'
import { type MaintenanceObjects, NO_MAINTENANCE_OBJECTS } from '../../../shared/domain/maintenance-api.ts'
import { hurriedClock } from '../../fixtures/hurried-clock.ts'
import type { FakeAnswer } from '../../fixtures/kubernetes/fake-api.ts'
import { type FakeMaintenance, fakeMaintenance } from '../../fixtures/procedures/fake-controllers.ts'
import { decision, fakeService } from '../../fixtures/procedures/fake-world.ts'
import type { KubeObject, Situation } from './situation.ts'

const FINALIZER = finalizerOf('openstack')
const PATIENCE_MS = 20_000

/** What an API server with the objects of a situation answers about the deployment; its kinds are served where Rockoon runs. */
export function answersOf({ objects }: Situation): Readonly<Record<string, FakeAnswer>> {
  const { OpenStackDeployment, OpenStackDeploymentStatus } = FOREIGN_KINDS
  const list = (kind: ForeignKind) => ({
    body: {
      kind: `${kind.kind}List`,
      apiVersion: kind.apiVersion,
      items: objects.filter(each => each.kind === kind.kind),
    },
  })
  return {
    [folderOf({ type: OpenStackDeployment, namespace: 'openstack' })]: list(OpenStackDeployment),
    [folderOf({ type: OpenStackDeploymentStatus, namespace: 'openstack' })]: list(OpenStackDeploymentStatus),
  }
}

/** The state of the situation's lock after our OpenStack Controller has had time for the request; null: the lock is not there. */
export async function askOurs(situation: Situation, session: KubernetesSession): Promise<string | null> {
  const fake = await worldOf(situation, session)
  const stop = fake.start()
  await fake.clock.advance(PATIENCE_MS)
  const { clusterLocks, nodeLocks } = fake.objects
  const [kind, name] = situation.lock
  const locks = kind === 'ClusterWorkloadLock' ? clusterLocks : nodeLocks
  await stop()
  return locks.find(lock => lock.name === name)?.state ?? null
}

async function worldOf(situation: Situation, session: KubernetesSession): Promise<FakeMaintenance> {
  const { objects, release, conf, zones } = situation
  const of = <T>(kind: string, read: (object: never) => T): readonly T[] =>
    objects.filter(each => each.kind === kind).map(each => read(each as never))
  const nodes = of('Node', readNode)
  const computes = objects.filter(each => each.metadata.labels?.['openstack-compute-node'] !== undefined)
  const services = computes.map(({ metadata: { name } }) => fakeService(name, { zone: zones[name] ?? 'az1' }))
  const fake = fakeMaintenance(
    { nodes: [...nodes], services, decisions: of('Pod', readPod).map(pod => decision(pod)) },
    {
      release: release === '' ? null : release,
      computeMax: Number(conf.nwl_parallel_max_compute ?? 1),
      gatewayMax: Number(conf.nwl_parallel_max_gateway ?? 1),
      respectZone: conf.respect_nova_az === true,
    },
  )
  fake.objects = maintenanceObjectsOf(situation)
  const status = await createMaintenanceApi({ session, clock: hurriedClock(50) }).deploymentStatus('openstack')
  Object.assign(fake.world.maintenanceApi, { deploymentStatus: async () => status })
  return fake
}

/**
 * The current locks, with requests for the nodes that have started; without a request those would be on their way
 * back.
 */
function maintenanceObjectsOf({ objects, request, handler, lock }: Situation): MaintenanceObjects {
  const of = (kind: string) => objects.filter(each => each.kind === kind)
  const nodeLocks = of('NodeWorkloadLock').map(each => readNodeLock(each as never))
  const others = nodeLocks
    .filter(each => each.name !== lock[1] && (each.innerState === 'active' || each.state === 'inactive'))
    .map(each => readNodeRequest(followed(request, each.nodeName) as never))
  const isGoing = handler === 'node_maintenance_request_delete_handler'
  const asked = isGoing ? gone(request) : request
  const isOfCluster = request.kind === 'ClusterMaintenanceRequest'
  return {
    ...NO_MAINTENANCE_OBJECTS,
    nodeLocks,
    clusterLocks: of('ClusterWorkloadLock').map(each => readClusterLock(each as never)),
    nodeRequests: isOfCluster ? [] : [...others, readNodeRequest(asked as never)],
    clusterRequests: isOfCluster ? [readClusterRequest(asked as never)] : [],
  }
}

function followed(request: KubeObject, nodeName: string): KubeObject {
  const { release: _, ...spec } = request.spec
  const metadata = { ...request.metadata, name: nodeName, uid: `uid-request-${nodeName}`, finalizers: [FINALIZER] }
  return { ...request, metadata, spec: { ...spec, nodeName } }
}

function gone(request: KubeObject): KubeObject {
  const metadata = { ...request.metadata, finalizers: [FINALIZER], deletionTimestamp: '2026-01-01T00:00:01Z' }
  return { ...request, metadata }
}
