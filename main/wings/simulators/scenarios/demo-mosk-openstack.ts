import { ACTION_TAG_PREFIX } from '../../../../shared/domain/instance-tags.ts'
import type { ComputeHostSeed, OpenStackSeed, ServerSeed } from '../openstack/seed.ts'
import { MOSK_COMPUTE_NODES, MOSK_CONTROL_NODES, MOSK_GATEWAY_NODES, moskZoneOf } from './demo-mosk-names.ts'

const MOVE = `${ACTION_TAG_PREFIX}live_migrate`
const POWEROFF = `${ACTION_TAG_PREFIX}poweroff`
const NOTIFY = `${ACTION_TAG_PREFIX}notify`

/**
 * The mode of its host (demo-mosk-kubernetes.ts) and its tag decide what happens to an instance (docs/domain.md A.5, A.6):
 * - mosk-cmp-01 and mosk-cmp-05 (live): all instances move.
 * - mosk-cmp-02 (live): one instance is tagged `notify`, so the lock waits until the tag changes.
 * - mosk-cmp-03 (manual): untagged instances wait for their owners.
 * - mosk-cmp-04 and mosk-cmp-08 (skip): instances stop with the host, unless a tag says otherwise.
 * - mosk-cmp-06 has one in ERROR that is off, and suspended and stopped ones; these delay nothing.
 * - mosk-cmp-07 (manual): every instance has a tag, so no owner is asked.
 */
const SERVERS: readonly ServerSeed[] = [
  { name: 'portal-01', host: 'mosk-cmp-01', flavor: 'm1.small' },
  { name: 'portal-02', host: 'mosk-cmp-01', flavor: 'm1.small', bootFromVolume: true },
  { name: 'ledger-01', host: 'mosk-cmp-01', flavor: 'm1.medium', pinnedZone: 'az1', group: 'ledger', dataVolumes: 1 },
  { name: 'render-01', host: 'mosk-cmp-01', flavor: 'm1.medium', status: 'PAUSED' },
  { name: 'ci-01', host: 'mosk-cmp-01', flavor: 'm1.small', tags: [POWEROFF] },

  { name: 'portal-03', host: 'mosk-cmp-02', flavor: 'm1.small' },
  { name: 'ledger-02', host: 'mosk-cmp-02', flavor: 'm1.medium', pinnedZone: 'az1', group: 'ledger' },
  { name: 'licence-01', host: 'mosk-cmp-02', flavor: 'm1.small', tags: [NOTIFY, 'owner=finance'] },
  { name: 'ci-02', host: 'mosk-cmp-02', flavor: 'm1.small', status: 'SHUTOFF' },

  { name: 'sap-01', host: 'mosk-cmp-03', flavor: 'm1.large' },
  { name: 'sap-02', host: 'mosk-cmp-03', flavor: 'm1.large', tags: [MOVE] },
  { name: 'tenant-01', host: 'mosk-cmp-03', flavor: 'm1.small', project: 'demo', tags: [POWEROFF] },

  { name: 'batch-01', host: 'mosk-cmp-04', flavor: 'm1.medium' },
  { name: 'batch-02', host: 'mosk-cmp-04', flavor: 'm1.medium' },
  { name: 'ledger-03', host: 'mosk-cmp-04', flavor: 'm1.medium', pinnedZone: 'az1', group: 'ledger', tags: [MOVE] },

  { name: 'portal-04', host: 'mosk-cmp-05', flavor: 'm1.small', pinnedZone: 'az2' },
  { name: 'queue-01', host: 'mosk-cmp-05', flavor: 'm1.medium', group: 'queue' },
  { name: 'queue-02', host: 'mosk-cmp-06', flavor: 'm1.medium', group: 'queue' },
  { name: 'tenant-02', host: 'mosk-cmp-05', flavor: 'm1.small', project: 'demo', tags: ['team=shop'] },

  { name: 'portal-05', host: 'mosk-cmp-06', flavor: 'm1.small' },
  {
    name: 'broken-01',
    host: 'mosk-cmp-06',
    flavor: 'm1.small',
    status: 'ERROR',
    powerState: 4,
    faultMessage: 'Volume 71c0 did not become available after 300 seconds.',
  },
  { name: 'sleep-01', host: 'mosk-cmp-06', flavor: 'm1.tiny', status: 'SUSPENDED' },
  { name: 'ci-03', host: 'mosk-cmp-06', flavor: 'm1.small', status: 'SHUTOFF' },

  { name: 'sap-03', host: 'mosk-cmp-07', flavor: 'm1.large', tags: [MOVE] },
  { name: 'tenant-03', host: 'mosk-cmp-07', flavor: 'm1.small', project: 'demo', tags: [POWEROFF] },

  { name: 'batch-03', host: 'mosk-cmp-08', flavor: 'm1.medium' },
  { name: 'batch-04', host: 'mosk-cmp-08', flavor: 'm1.medium', status: 'PAUSED' },
  { name: 'portal-06', host: 'mosk-cmp-08', flavor: 'm1.small', tags: [MOVE] },

  { name: 'shelf-01', host: null, flavor: 'm1.small', status: 'SHELVED_OFFLOADED' },
]

/** The OpenStack side of demo-mosk: eight hosts in two zones, thirty instances, and no Neutron agents with Tungsten Fabric. */
export function demoMoskOpenStack(tungstenFabric: boolean): OpenStackSeed {
  return {
    region: 'RegionOne',
    users: [
      { name: 'admin', password: 'embedded-only', project: 'admin', role: 'admin' },
      { name: 'demo', password: 'embedded-only', project: 'demo', role: 'member' },
    ],
    flavors: [
      { name: 'm1.tiny', vcpus: 1, ramMib: 512, diskGib: 1 },
      { name: 'm1.small', vcpus: 1, ramMib: 2048, diskGib: 20 },
      { name: 'm1.medium', vcpus: 2, ramMib: 4096, diskGib: 40 },
      { name: 'm1.large', vcpus: 4, ramMib: 8192, diskGib: 80 },
    ],
    hosts: MOSK_COMPUTE_NODES.map((name): ComputeHostSeed => ({ name, zone: moskZoneOf(name) })),
    controllers: MOSK_CONTROL_NODES,
    networkNodes: tungstenFabric ? [] : [MOSK_CONTROL_NODES[0], ...MOSK_GATEWAY_NODES],
    computeAgents: !tungstenFabric,
    serverGroups: [
      { name: 'ledger', policy: 'anti-affinity' },
      { name: 'queue', policy: 'anti-affinity' },
    ],
    servers: SERVERS,
  }
}
