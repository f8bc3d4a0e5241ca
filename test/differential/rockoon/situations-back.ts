import { deployment, type KubeObject, object, type Situation } from './situation.ts'
import { lockOf, node } from './situations-node.ts'

interface PodParts {
  readonly ready: boolean
  readonly phase?: string
  readonly owner?: string | null
  readonly labels?: Readonly<Record<string, string>>
  readonly isGoing?: boolean
}

function pod(
  name: string,
  { ready, phase = 'Running', owner = 'ReplicaSet', labels = {}, isGoing }: PodParts,
): KubeObject {
  return object('Pod', name, {
    meta: {
      namespace: 'openstack',
      labels,
      ...(owner === null
        ? {}
        : { ownerReferences: [{ apiVersion: 'v1', kind: owner, name: 'o', uid: 'uid-o', controller: true }] }),
      ...(isGoing ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { nodeName: 'one', containers: [] },
    status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  })
}

const PODS: Readonly<Record<string, readonly KubeObject[]>> = {
  'no pods': [],
  'a pod that is ready': [pod('a', { ready: true })],
  'a pod that is not ready': [pod('a', { ready: false })],
  'a pod that waits for a place': [pod('a', { ready: false, phase: 'Pending' })],
  'one ready, one not': [pod('a', { ready: true }), pod('b', { ready: false })],
  'a pod of a DaemonSet that is not ready': [pod('a', { ready: false, owner: 'DaemonSet' })],
  'a pod of nobody that is not ready': [pod('a', { ready: false, owner: null })],
  'a pod of a Job at work': [pod('a', { ready: false, owner: 'Job' })],
  'a pod of a Job that has ended': [pod('a', { ready: false, owner: 'Job', phase: 'Succeeded' })],
  'a pod that a Job left behind': [pod('a', { ready: false, owner: null, labels: { 'job-name': 'j' } })],
  'a pod that a Job left behind, by the newer label': [
    pod('a', { ready: false, owner: null, labels: { 'batch.kubernetes.io/job-name': 'j' } }),
  ],
  'a pod of a ReplicaSet that has ended': [pod('a', { ready: false, phase: 'Succeeded' })],
  'a pod of a ReplicaSet that failed': [pod('a', { ready: false, phase: 'Failed' })],
  'a pod on its way out': [pod('a', { ready: false, isGoing: true })],
}

interface Parts {
  readonly readiness?: string
  readonly pods: readonly KubeObject[]
  readonly inner?: 'active' | 'inactive' | null
  readonly isDeployed?: boolean
  readonly roles?: readonly 'compute'[]
}

function situation(name: string, parts: Parts): Situation {
  const { inner = 'active' } = parts
  return {
    name: `back: ${name}`,
    handler: 'node_maintenance_request_delete_handler',
    request: object('NodeMaintenanceRequest', 'one', { spec: { nodeName: 'one', scope: 'drain' } }),
    lock: ['NodeWorkloadLock', 'openstack-one'],
    objects: [
      node('one', parts.roles ?? ['compute'], parts.readiness),
      node('spare', ['compute']),
      lockOf('one', inner === 'active' ? 'inactive' : 'active', inner, 'm2'),
      ...parts.pods,
      ...((parts.isDeployed ?? true) ? [deployment(['compute'])] : []),
    ],
    release: 'm2',
    conf: {},
    zones: {},
  }
}

/** When a node counts as back: its own readiness and that of its pods. */
export const BACK: readonly Situation[] = [
  ...['True', 'False', 'Unknown'].flatMap(readiness =>
    Object.entries(PODS).map(([name, pods]) => situation(`${name}; Ready is ${readiness}`, { readiness, pods })),
  ),
  ...Object.entries(PODS).map(([name, pods]) => situation(`never begun; ${name}`, { pods, inner: null })),
  ...Object.entries(PODS).map(([name, pods]) => situation(`no deployment; ${name}`, { pods, isDeployed: false })),
]
