import type { OpenStackSeed, ServerSeed, WatcherSeed } from '../openstack/seed.ts'
import { SUNBEAM_NODES } from './demo-sunbeam-names.ts'

/** Variants of the OpenStack side of demo-sunbeam. */
export interface SunbeamOpenStackVariant {
  readonly computeOnly?: true
  readonly watcher?: WatcherSeed
}

/** Three instances are called `worker`, because names need not be unique. */
const SERVERS: readonly ServerSeed[] = [
  { name: 'web-01', host: 'sun-1', flavor: 'm1.small' },
  { name: 'web-02', host: 'sun-1', flavor: 'm1.small', bootFromVolume: true },
  { name: 'db-01', host: 'sun-1', flavor: 'm1.medium', dataVolumes: 1 },
  { name: 'mail-01', host: 'sun-1', flavor: 'm1.small', project: 'demo' },
  { name: 'worker', key: 'worker 1', host: 'sun-1', flavor: 'm1.small' },
  { name: 'worker', key: 'worker 2', host: 'sun-1', flavor: 'm1.small' },

  { name: 'web-03', host: 'sun-2', flavor: 'm1.small' },
  { name: 'api-01', host: 'sun-2', flavor: 'm1.medium' },
  { name: 'batch-01', host: 'sun-2', flavor: 'm1.medium', status: 'PAUSED' },
  { name: 'worker', key: 'worker 3', host: 'sun-2', flavor: 'm1.small', project: 'demo' },

  { name: 'web-04', host: 'sun-3', flavor: 'm1.small' },
  { name: 'api-02', host: 'sun-3', flavor: 'm1.medium' },
  { name: 'build-01', host: 'sun-3', flavor: 'm1.small', status: 'SHUTOFF' },
  { name: 'scratch-01', host: 'sun-3', flavor: 'm1.ephemeral' },
]

const COMPUTE_ONLY_SERVERS: readonly ServerSeed[] = [
  { name: 'web-05', host: 'sun-4', flavor: 'm1.small' },
  { name: 'cache-01', host: 'sun-4', flavor: 'm1.medium' },
]

/** The OpenStack side of demo-sunbeam: three hosts, OVN, a Watcher of 2025.2 with Nova's notifications; Nova's own services run in pods. */
export function demoSunbeamOpenStack({ watcher = {}, computeOnly }: SunbeamOpenStackVariant): OpenStackSeed {
  const hosts = computeOnly === true ? [...SUNBEAM_NODES, 'sun-4'] : SUNBEAM_NODES
  return {
    region: 'RegionOne',
    users: [
      { name: 'admin', password: 'embedded-only', project: 'admin', role: 'admin' },
      { name: 'demo', password: 'embedded-only', project: 'demo', role: 'member' },
    ],
    flavors: [
      { name: 'm1.small', vcpus: 1, ramMib: 2048, diskGib: 20 },
      { name: 'm1.medium', vcpus: 2, ramMib: 4096, diskGib: 40 },
      { name: 'm1.ephemeral', vcpus: 1, ramMib: 2048, diskGib: 20, ephemeralGib: 10 },
    ],
    hosts: hosts.map(name => ({ name, zone: 'nova', memoryMib: 32_768 })),
    controllers: ['nova-0', 'nova-1', 'nova-2'],
    ovn: true,
    servers: computeOnly === true ? [...SERVERS, ...COMPUTE_ONLY_SERVERS] : SERVERS,
    watcher: { answersNova: true, ...watcher },
  }
}
