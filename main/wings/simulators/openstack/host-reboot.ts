import type { Cloud, Server } from './cloud.ts'

/** Power states of guests that are lost with their host: running, paused and unknown. */
const LOST_WITH_HOST = [0, 1, 3]
const SHUTDOWN = 4

/** Lists the instances that stop with a host now; Nova does not know it yet. */
export function guestsOn(cloud: Cloud, host: string): readonly string[] {
  return [...cloud.servers.values()].filter(server => runsOn(server, host)).map(({ id }) => id)
}

/**
 * Updates Nova when its nova-compute runs again and compares power states (nova.conf resume_guests_state_on_host_boot
 * false, as usual): the lost guests are off, and Nova records them as stopped.
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
