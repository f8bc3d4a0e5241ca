import type { ComputeHostSeed, OpenStackSeed, ServerSeed } from '../openstack/seed.ts'
import { COMPUTE_NODES, CONTROL_NODES, zoneOfCompute } from './demo-plain-names.ts'

const ACTION = 'openstack.lcm.mirantis.com:maintenance_action'
const MOVE = `${ACTION}=live_migrate`
const POWEROFF = `${ACTION}=poweroff`
const NOTIFY = `${ACTION}=notify`

/**
 * The instances of demo-plain, with every kind in domain.md A.5 and A.6:
 * - cmp-01 and cmp-02 can be taken out of service without further steps; cmp-02 adds notes (two tags, an unknown tag, an
 *   ephemeral disk).
 * - cmp-03 and cmp-05 are ordinary; cmp-03 has the locked instance.
 * - cmp-04 and cmp-07 have instances in ERROR, which block their plans.
 * - cmp-06 has instances tagged `notify`: the run waits for their owners.
 * - cmp-08 has two members of a hard affinity group: Nova finds no other host for either.
 */
const SERVERS: readonly ServerSeed[] = [
  { name: 'web-01', host: 'cmp-01', flavor: 'm1.small', tags: [MOVE] },
  { name: 'web-02', host: 'cmp-01', flavor: 'm1.small', bootFromVolume: true },
  { name: 'db-01', host: 'cmp-01', flavor: 'm1.large', pinnedZone: 'az1', group: 'db', dataVolumes: 1 },
  { name: 'shop-01', host: 'cmp-01', flavor: 'm1.small', project: 'demo', tags: ['team=shop'] },
  { name: 'batch-01', host: 'cmp-01', flavor: 'm1.medium', status: 'PAUSED' },
  { name: 'build-01', host: 'cmp-01', flavor: 'm1.small', status: 'SHUTOFF' },
  { name: 'cache-01', host: 'cmp-01', flavor: 'm1.tiny', tags: [POWEROFF, 'team=web'] },

  { name: 'web-03', host: 'cmp-02', flavor: 'm1.small' },
  { name: 'web-04', host: 'cmp-02', flavor: 'm1.small', tags: [MOVE, POWEROFF] },
  { name: 'web-05', host: 'cmp-02', flavor: 'm1.small', tags: [`${ACTION}=evacuate`] },
  { name: 'db-02', host: 'cmp-02', flavor: 'm1.large', pinnedZone: 'az1', group: 'db', dataVolumes: 1 },
  { name: 'scratch-01', host: 'cmp-02', flavor: 'm1.ephemeral' },
  { name: 'shop-02', host: 'cmp-02', flavor: 'm1.small', project: 'demo' },
  { name: 'build-02', host: 'cmp-02', flavor: 'm1.small', status: 'SHUTOFF' },
  { name: 'sleep-01', host: 'cmp-02', flavor: 'm1.tiny', status: 'SUSPENDED' },

  { name: 'web-06', host: 'cmp-03', flavor: 'm1.small' },
  { name: 'web-07', host: 'cmp-03', flavor: 'm1.small', pinnedZone: 'az1' },
  { name: 'db-03', host: 'cmp-03', flavor: 'm1.large', pinnedZone: 'az1', group: 'db', dataVolumes: 1 },
  { name: 'vault-01', host: 'cmp-03', flavor: 'm1.medium', locked: true },
  { name: 'api-01', host: 'cmp-03', flavor: 'm1.medium', group: 'api' },
  { name: 'report-01', host: 'cmp-03', flavor: 'm1.medium', tags: [POWEROFF] },
  { name: 'shop-03', host: 'cmp-03', flavor: 'm1.small', project: 'demo', status: 'SHUTOFF' },

  { name: 'web-08', host: 'cmp-04', flavor: 'm1.small' },
  {
    name: 'broken-01',
    host: 'cmp-04',
    flavor: 'm1.small',
    status: 'ERROR',
    faultMessage: 'Volume 5a3f did not become available after 300 seconds.',
  },
  // In ERROR without a fault, as after a live migration that could not be rolled back (PROOF.md).
  { name: 'broken-02', host: 'cmp-04', flavor: 'm1.tiny', status: 'ERROR' },
  { name: 'api-02', host: 'cmp-04', flavor: 'm1.medium', group: 'api' },
  { name: 'batch-02', host: 'cmp-04', flavor: 'm1.medium', status: 'PAUSED' },
  { name: 'mail-01', host: 'cmp-04', flavor: 'm1.small', bootFromVolume: true, dataVolumes: 1 },
  { name: 'shop-04', host: 'cmp-04', flavor: 'm1.small', project: 'demo' },

  { name: 'web-09', host: 'cmp-05', flavor: 'm1.small' },
  { name: 'web-10', host: 'cmp-05', flavor: 'm1.small', pinnedZone: 'az2' },
  { name: 'queue-01', host: 'cmp-05', flavor: 'm1.medium', pinnedZone: 'az2', group: 'queue' },
  { name: 'api-03', host: 'cmp-05', flavor: 'm1.medium', group: 'api' },
  { name: 'scratch-02', host: 'cmp-05', flavor: 'm1.ephemeral', tags: [MOVE] },
  { name: 'build-03', host: 'cmp-05', flavor: 'm1.small', status: 'SHUTOFF' },
  { name: 'sleep-02', host: 'cmp-05', flavor: 'm1.tiny', status: 'SUSPENDED' },

  { name: 'web-11', host: 'cmp-06', flavor: 'm1.small' },
  { name: 'licence-01', host: 'cmp-06', flavor: 'm1.medium', tags: [NOTIFY] },
  { name: 'licence-02', host: 'cmp-06', flavor: 'm1.medium', tags: [NOTIFY, 'owner=finance'], project: 'demo' },
  { name: 'web-14', host: 'cmp-06', flavor: 'm1.small', pinnedZone: 'az2' },
  { name: 'mail-02', host: 'cmp-06', flavor: 'm1.small', bootFromVolume: true },
  { name: 'batch-03', host: 'cmp-06', flavor: 'm1.medium', status: 'PAUSED', tags: [MOVE] },
  { name: 'shop-05', host: 'cmp-06', flavor: 'm1.small', project: 'demo', group: 'renderers' },

  { name: 'web-12', host: 'cmp-07', flavor: 'm1.small' },
  { name: 'broken-03', host: 'cmp-07', flavor: 'm1.small', status: 'ERROR', project: 'demo' },
  { name: 'queue-02', host: 'cmp-07', flavor: 'm1.medium', pinnedZone: 'az2', group: 'queue' },
  { name: 'api-04', host: 'cmp-07', flavor: 'm1.medium', group: 'api' },
  { name: 'big-01', host: 'cmp-07', flavor: 'm1.xlarge' },
  { name: 'report-02', host: 'cmp-07', flavor: 'm1.medium', tags: [POWEROFF] },
  { name: 'build-04', host: 'cmp-07', flavor: 'm1.small', status: 'SHUTOFF' },

  { name: 'web-13', host: 'cmp-08', flavor: 'm1.small', pinnedZone: 'az2' },
  { name: 'queue-03', host: 'cmp-08', flavor: 'm1.medium', pinnedZone: 'az2', group: 'queue' },
  { name: 'big-02', host: 'cmp-08', flavor: 'm1.xlarge', bootFromVolume: true },
  { name: 'pair-01', host: 'cmp-08', flavor: 'm1.small', group: 'pair' },
  { name: 'pair-02', host: 'cmp-08', flavor: 'm1.small', group: 'pair' },
  { name: 'scratch-03', host: 'cmp-08', flavor: 'm1.ephemeral', pinnedZone: 'az2' },
  { name: 'cache-02', host: 'cmp-08', flavor: 'm1.tiny', tags: [POWEROFF] },
  { name: 'shop-06', host: 'cmp-08', flavor: 'm1.small', project: 'demo', group: 'renderers', tags: [MOVE] },
  { name: 'sleep-03', host: 'cmp-08', flavor: 'm1.tiny', status: 'SUSPENDED' },

  { name: 'shelf-01', host: null, flavor: 'm1.small', status: 'SHELVED_OFFLOADED' },
  { name: 'shelf-02', host: null, flavor: 'm1.medium', status: 'SHELVED_OFFLOADED', bootFromVolume: true },
  { name: 'shelf-03', host: null, flavor: 'm1.small', status: 'SHELVED_OFFLOADED', project: 'demo' },
]

/** The OpenStack side of demo-plain: two users, eight hosts in two zones, sixty instances. */
export function demoPlainOpenStack(): OpenStackSeed {
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
      { name: 'm1.xlarge', vcpus: 8, ramMib: 16_384, diskGib: 160 },
      { name: 'm1.ephemeral', vcpus: 1, ramMib: 2048, diskGib: 20, ephemeralGib: 10 },
    ],
    hosts: COMPUTE_NODES.map((name): ComputeHostSeed => ({ name, zone: zoneOfCompute(name) })),
    controllers: CONTROL_NODES,
    serverGroups: [
      { name: 'db', policy: 'anti-affinity' },
      { name: 'api', policy: 'anti-affinity' },
      { name: 'queue', policy: 'anti-affinity' },
      { name: 'pair', policy: 'affinity' },
      { name: 'renderers', policy: 'soft-anti-affinity', project: 'demo' },
    ],
    servers: SERVERS,
  }
}
