import type { NodeKnowledge, SeenCluster, SeenNode } from '../../../../main/lcm/observer/derive.ts'
import { NOTHING_KNOWN } from '../../../../main/lcm/observer/derive.ts'
import type {
  ClusterMaintenanceRequest,
  ClusterWorkloadLock,
  LockState,
  MaintenanceObjects,
  NodeMaintenanceRequest,
  NodeWorkloadLock,
} from '../../../../shared/domain/maintenance-api.ts'

export const T0 = Date.parse('2026-11-21T06:00:00Z')
export const at = (seconds: number) => new Date(T0 + seconds * 1000).toISOString()

const head = (name: string, uid: string) => ({
  uid,
  name,
  resourceVersion: '1',
  createdAt: at(0),
  deletingSince: null,
  finalizers: [],
  annotations: {},
  writers: [],
  faults: [],
})
const lock = { release: null, errorMessage: '', innerState: null, progress: null }

export function clusterLock(
  controller: string,
  state: LockState = 'active',
  more: Partial<ClusterWorkloadLock> = {},
): ClusterWorkloadLock {
  return { ...head(`${controller}-osh`, `cwl-${controller}`), ...lock, controller, state, ...more }
}

export function nodeLock(
  controller: string,
  nodeName: string,
  state: LockState = 'active',
  more: Partial<NodeWorkloadLock> = {},
): NodeWorkloadLock {
  return {
    ...head(`${controller}-${nodeName}`, `nwl-${controller}-${nodeName}`),
    ...lock,
    controller,
    nodeName,
    nodeDeletionRequestSupported: false,
    state,
    ...more,
  }
}

export function clusterRequest(more: Partial<ClusterMaintenanceRequest> = {}): ClusterMaintenanceRequest {
  return { ...head('update', 'cmr-1'), scope: 'os', release: null, ...more }
}

export function nodeRequest(nodeName: string, more: Partial<NodeMaintenanceRequest> = {}): NodeMaintenanceRequest {
  return { ...head(`m-${nodeName}`, `nmr-${nodeName}`), nodeName, scope: 'os', release: null, ...more }
}

export function node(name: string, more: Partial<SeenNode> = {}): SeenNode {
  return { name, isControl: name.startsWith('ctl'), unschedulable: false, ready: true, bootId: 'boot-1', ...more }
}

/** Two workers with locks, a control node with one and one without, under a cluster request, by default. */
export function seen(
  more: Partial<Omit<SeenCluster, 'objects'>> & { readonly objects?: Partial<MaintenanceObjects> } = {},
): SeenCluster {
  return {
    nodes: more.nodes ?? [node('ctl-1'), node('ctl-2'), node('cmp-1'), node('cmp-2')],
    pods: more.pods === undefined ? new Map() : more.pods,
    lcm: more.lcm ?? { phase: null, upgraded: [], done: [] },
    objects: {
      clusterLocks: [clusterLock('openstack', 'inactive'), clusterLock('ceph', 'inactive')],
      nodeLocks: ['ctl-1', 'cmp-1', 'cmp-2'].map(name => nodeLock('openstack', name)),
      clusterRequests: [clusterRequest()],
      nodeRequests: [],
      disableNotifications: [],
      deletionRequests: [],
      ...more.objects,
    },
  }
}

/** What is remembered about a node under the request that {@link nodeRequest} makes. */
export function known(name: string, more: Partial<NodeKnowledge>): NodeKnowledge {
  return { ...NOTHING_KNOWN, requestUid: `nmr-${name}`, bootId: 'boot-1', ...more }
}
