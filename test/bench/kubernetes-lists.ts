import { createServer } from 'node:http'

export const NODE_COUNT = 500
export const POD_COUNT = 10_000
/** Objects of a page of a list. */
export const PAGE = 500

/** Serves both lists in pages, as an API server writes them. */
export function serveLists(): void {
  const nodes = pagesOf(
    'NodeList',
    Array.from({ length: NODE_COUNT }, (_, index) => node(index)),
  )
  const pods = pagesOf(
    'PodList',
    Array.from({ length: POD_COUNT }, (_, index) => pod(index)),
  )
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const page = (pathname.endsWith('/nodes') ? nodes : pods)[Number(searchParams.get('continue') ?? 0)] ?? ''
    response.writeHead(200, {
      'content-type': 'application/json',
      'audit-id': String(request.headers['audit-id'] ?? crypto.randomUUID()),
    })
    response.end(page)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(typeof address === 'object' ? address?.port : '')
  })
}

function pagesOf(kind: string, items: readonly object[]): readonly string[] {
  return Array.from({ length: Math.ceil(items.length / PAGE) }, (_, page) => {
    const left = items.length - (page + 1) * PAGE
    const metadata = {
      resourceVersion: '1000',
      ...(left > 0 ? { continue: String(page + 1), remainingItemCount: left } : {}),
    }
    return JSON.stringify({ kind, apiVersion: 'v1', metadata, items: items.slice(page * PAGE, (page + 1) * PAGE) })
  })
}

const AT = '2026-11-01T10:00:00Z'
const MANAGED = {
  manager: 'kubelet',
  operation: 'Update',
  apiVersion: 'v1',
  time: AT,
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
    'f:status': { 'f:conditions': {}, 'f:podIPs': {} },
  },
}

function metadata(name: string, index: number, labels: Readonly<Record<string, string>>) {
  return {
    name,
    uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    resourceVersion: String(index + 1),
    creationTimestamp: AT,
    labels,
    annotations: { 'node.alpha.kubernetes.io/ttl': '0' },
    managedFields: [MANAGED, MANAGED],
  }
}

function conditions(types: readonly string[]) {
  return types.map(type => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: AT,
    reason: type,
    message: '',
  }))
}

function node(index: number) {
  const name = `n-${index}`
  return {
    metadata: metadata(name, index, { 'kubernetes.io/hostname': name, 'openstack-compute-node': 'enabled' }),
    spec: { podCIDR: '10.0.0.0/24', providerID: name, taints: [{ key: 'a', value: 'b', effect: 'PreferNoSchedule' }] },
    status: {
      capacity: { cpu: '64', memory: '263882000Ki', pods: '110', 'ephemeral-storage': '100Gi' },
      allocatable: { cpu: '63', memory: '260000000Ki', pods: '110', 'ephemeral-storage': '90Gi' },
      conditions: conditions(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready']),
      addresses: [
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        bootID: name,
        kubeletVersion: 'v1.33.1',
        osImage: 'Ubuntu 24.04',
        kernelVersion: '6.8',
        architecture: 'amd64',
      },
      images: Array.from({ length: 50 }, (_, image) => ({
        names: [
          `registry.example/openstack/image-${image}@sha256:${'0'.repeat(64)}`,
          `registry.example/openstack/image-${image}:2024.1`,
        ],
        sizeBytes: 400_000_000 + image,
      })),
    },
  }
}

function pod(index: number) {
  const container = {
    name: 'main',
    image: 'registry.example/openstack/nova:2024.1',
    env: Array.from({ length: 10 }, (_, nth) => ({ name: `NAME_${nth}`, value: `value ${nth}` })),
    resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
    volumeMounts: Array.from({ length: 6 }, (_, nth) => ({
      name: `v${nth}`,
      mountPath: `/etc/v${nth}`,
      readOnly: true,
    })),
    terminationMessagePath: '/dev/termination-log',
    imagePullPolicy: 'IfNotPresent',
  }
  return {
    metadata: {
      ...metadata(`pod-${index}`, 1000 + index, { app: 'nova', component: 'compute' }),
      namespace: 'openstack',
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'DaemonSet',
          name: 'nova',
          uid: 'x',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeName: `n-${index % NODE_COUNT}`,
      containers: [container, { ...container, name: 'log' }],
      volumes: Array.from({ length: 6 }, (_, nth) =>
        nth === 0 ? { name: 'v0', emptyDir: {} } : { name: `v${nth}`, secret: { secretName: 's', defaultMode: 420 } },
      ),
      tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }],
      nodeSelector: { 'openstack-compute-node': 'enabled' },
      restartPolicy: 'Always',
      serviceAccountName: 'nova',
      schedulerName: 'default-scheduler',
    },
    status: {
      phase: 'Running',
      conditions: conditions(['PodScheduled', 'Initialized', 'ContainersReady', 'Ready']),
      podIP: '10.0.0.9',
      hostIP: '10.0.0.1',
      startTime: AT,
      containerStatuses: ['main', 'log'].map(name => ({
        name,
        ready: true,
        started: true,
        restartCount: 0,
        image: container.image,
        imageID: container.image,
        state: { running: { startedAt: AT } },
        lastState: {},
      })),
    },
  }
}
