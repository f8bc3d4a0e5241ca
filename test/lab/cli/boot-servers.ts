import { openstack } from './referees.ts'

const TAG = 'openstack.lcm.mirantis.com:maintenance_action='

/** An instance to boot: what its owner asks for by a tag, and the state it is brought to. */
export interface BootedServer {
  readonly name: string
  readonly tag: 'poweroff' | 'live_migrate' | null
  readonly status: 'ACTIVE' | 'PAUSED' | 'SHUTOFF'
}

/** Boots instances on a host with the openstack client and brings each to its state. */
export async function bootServers(host: string, servers: readonly BootedServer[]): Promise<void> {
  for (const { name, tag, status } of servers) {
    const tags = tag === null ? [] : ['--tag', `${TAG}${tag}`]
    const what = ['--flavor', 'm1.tiny', '--image', 'lab-image', '--nic', 'none', '--host', host]
    await openstack('server', 'create', ...what, ...tags, '--wait', name)
    if (status === 'PAUSED') await openstack('server', 'pause', name)
    if (status === 'SHUTOFF') await openstack('server', 'stop', name)
  }
}
