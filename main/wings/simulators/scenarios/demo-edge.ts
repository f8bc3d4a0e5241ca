import { ATTEMPTS_ANNOTATION, HOST_MODE_ANNOTATION } from '../../../../shared/domain/instance-policy.ts'
import { ACTION_TAG_PREFIX } from '../../../../shared/domain/instance-tags.ts'
import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import type { OpenStackSeed, ServerSeed } from '../openstack/seed.ts'
import type { Scenario } from './demo-plain.ts'
import {
  COMPUTE,
  CONTROL,
  computeDaemonSets,
  replicated,
  scenarioNode,
  WITH_AGENT,
  workload,
} from './scenario-objects.ts'

/** Three nodes have all roles, three only compute; two nodes in each rack. */
const CONVERGED = ['edge-1', 'edge-2', 'edge-3'] as const
const COMPUTE_ONLY = ['edge-4', 'edge-5', 'edge-6'] as const
const ZONE = 'edge'

/** Migration modes: one host waits for its owner, one has an unknown mode. */
const ANNOTATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'edge-5': { [HOST_MODE_ANNOTATION]: 'manual', [ATTEMPTS_ANNOTATION]: '5' },
  'edge-6': { [HOST_MODE_ANNOTATION]: 'evacuate' },
}

const SERVERS: readonly ServerSeed[] = [
  { name: 'pos-01', host: 'edge-1', flavor: 'm1.small' },
  { name: 'pos-02', host: 'edge-2', flavor: 'm1.small' },
  { name: 'pos-03', host: 'edge-3', flavor: 'm1.small', tags: ['team=store'] },
  { name: 'camera-01', host: 'edge-1', flavor: 'm1.medium', tags: [`${ACTION_TAG_PREFIX}poweroff`] },
  { name: 'camera-02', host: 'edge-4', flavor: 'm1.medium', tags: [`${ACTION_TAG_PREFIX}poweroff`] },
  { name: 'gateway-01', host: 'edge-4', flavor: 'm1.small', group: 'gateways' },
  { name: 'gateway-02', host: 'edge-5', flavor: 'm1.small', group: 'gateways' },
  { name: 'stock-01', host: 'edge-4', flavor: 'm1.medium', bootFromVolume: true },
  { name: 'stock-02', host: 'edge-5', flavor: 'm1.medium' },
  { name: 'signage-01', host: 'edge-5', flavor: 'm1.small', status: 'SHUTOFF' },
  { name: 'signage-02', host: 'edge-6', flavor: 'm1.small' },
  { name: 'archive-01', host: 'edge-6', flavor: 'm1.small', status: 'SHUTOFF' },
]

/** A small production site: converged nodes in racks, and hosts with migration modes. edge-4 needs the typed name; edge-6 has an unknown mode. */
export function demoEdge(): Scenario {
  return { name: 'demo-edge', flavour: 'plain', kubernetes: kubernetes(), openstack: openstack() }
}

function kubernetes(): readonly KubernetesObject[] {
  const rack = (index: number) => ({ 'topology.kubernetes.io/rack': `r${(index % 3) + 1}` })
  return [
    ...CONVERGED.map((name, index) =>
      scenarioNode(name, ZONE, {
        ...CONTROL,
        ...COMPUTE,
        ...WITH_AGENT,
        ...rack(index),
        'openstack-gateway': 'enabled',
        'node-role.kubernetes.io/control-plane': '',
      }),
    ),
    ...COMPUTE_ONLY.map((name, index) =>
      scenarioNode(name, ZONE, { ...COMPUTE, ...WITH_AGENT, ...rack(index) }, ANNOTATIONS[name]),
    ),
    ...replicated('Deployment', 'keystone-api', { application: 'keystone', component: 'api' }),
    ...replicated('Deployment', 'nova-api-osapi', { application: 'nova', component: 'os-api' }),
    ...replicated('StatefulSet', 'mariadb-server', { application: 'mariadb', component: 'server' }),
    workload('Deployment', 'store-sync', { application: 'store-sync' }, { replicas: 2, on: COMPUTE }),
    ...computeDaemonSets(),
  ]
}

function openstack(): OpenStackSeed {
  return {
    region: 'EdgeOne',
    users: [{ name: 'admin', password: 'embedded-only', project: 'admin', role: 'admin' }],
    flavors: [
      { name: 'm1.small', vcpus: 1, ramMib: 2048, diskGib: 20 },
      { name: 'm1.medium', vcpus: 2, ramMib: 4096, diskGib: 40 },
    ],
    hosts: [...CONVERGED, ...COMPUTE_ONLY].map(name => ({ name, zone: ZONE })),
    controllers: CONVERGED,
    serverGroups: [{ name: 'gateways', policy: 'anti-affinity' }],
    servers: SERVERS,
  }
}
