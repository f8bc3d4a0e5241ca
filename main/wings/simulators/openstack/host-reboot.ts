import type { Cloud, Server } from './cloud.ts'

/** Power states of a guest that is lost with its host: running, paused, and what libvirt cannot tell. */
const LOST_WITH_HOST = [0, 1, 3]
const SHUTDOWN = 4

/** The instances that go down with a host now; Nova does not know yet. */
export function guestsOn(cloud: Cloud, host: string): readonly string[] {
  return [...cloud.servers.values()].filter(server => runsOn(server, host)).map(({ id }) => id)
}

/**
 * What Nova finds when its nova-compute runs again and compares power states (nova.conf resume_guests_state_on_host_boot false, as deployments have
 * it): those that went down with the host are off, and it stops them in its books.
 */
export function noticeLostGuests(cloud: Cloud, host: string, lost: readonly string[]): void {
  for (const id of lost) {
    const server = cloud.servers.get(id)
    if (server === undefined || !runsOn(server, host)) continue
    server.powerState = SHUTDOWN
    if (server.vmState !== 'error') server.vmState = 'stopped'
    server.taskState = null
    server.updatedAt = cloud.clock.now()
  }
}

function runsOn(server: Server, host: string): boolean {
  return server.host === host && LOST_WITH_HOST.includes(server.powerState)
}
