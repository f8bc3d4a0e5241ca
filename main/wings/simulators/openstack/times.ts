/** Nova's and Cinder's timestamps: microseconds, no zone. */
export function novaTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, '.000000')
}

/** The `created` and `updated` of servers, the times of Glance and of Neutron's networks: whole seconds, UTC. */
export function secondsTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

/** Keystone's timestamps. */
export function keystoneTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, '.000000Z')
}

/** The times of Neutron's agents. */
export function agentTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** Databases keep whole seconds: what a record was changed at, when compared with `changes-since`. */
export function wholeSeconds(at: number): number {
  return Math.floor(at / 1000) * 1000
}
