/** Writes Nova's and Cinder's timestamps: microseconds, no zone. */
export function novaTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, '.000000')
}

/** Writes whole seconds in UTC: `created` and `updated` of servers, Glance, Neutron's networks. */
export function secondsTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

export function keystoneTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, '.000000Z')
}

export function agentTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** Rounds down to whole seconds, as databases store the times that `changes-since` compares. */
export function wholeSeconds(at: number): number {
  return Math.floor(at / 1000) * 1000
}
