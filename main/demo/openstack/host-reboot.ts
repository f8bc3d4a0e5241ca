import type { Cloud } from './cloud.ts'

/** Power states of a guest that is lost with its host: running, paused, and what libvirt cannot tell. */
const LOST_WITH_HOST = [0, 1, 3]
const SHUTDOWN = 4

/**
 * What a reboot of a host leaves of its instances (nova.conf resume_guests_state_on_host_boot false, as deployments have it): those that
 * ran are off, and Nova stops them in its books when it compares power states.
 */
export function loseGuests(cloud: Cloud, host: string): void {
  for (const server of cloud.servers.values()) {
    if (server.host !== host || !LOST_WITH_HOST.includes(server.powerState)) continue
    server.powerState = SHUTDOWN
    if (server.vmState !== 'error') server.vmState = 'stopped'
    server.taskState = null
    server.updatedAt = cloud.clock.now()
  }
}
