import { createHash, randomBytes } from 'node:crypto'

/** Returns a UUID that is the same at every start, so that screenshots and notes stay valid. */
export function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Returns a stable id in Keystone's form, for users, projects and roles. */
export function stableHex(text: string): string {
  return stableUuid(text).replaceAll('-', '')
}

/** Returns a random value for a token or a secret. */
export function unguessable(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** Returns a request id, as services send it in `x-openstack-request-id`. */
export function newRequestId(): string {
  const hex = randomBytes(16).toString('hex')
  return `req-${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Returns Nova's hostId, which identifies a host to a project without its name. */
export function hostId(projectId: string, host: string | null): string {
  return host === null ? '' : createHash('sha224').update(`${projectId}${host}`).digest('hex')
}
