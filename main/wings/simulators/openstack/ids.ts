import { createHash, randomBytes } from 'node:crypto'

/** A UUID that is the same at every start of the demo, so that screenshots and notes keep their meaning. */
export function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** The form in which Keystone writes ids of users, projects and roles. */
export function stableHex(text: string): string {
  return stableUuid(text).replaceAll('-', '')
}

/** Something nobody guesses: the value of a token or of a secret. */
export function unguessable(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** The id of a request, as every service answers it in `x-openstack-request-id`. */
export function newRequestId(): string {
  const hex = randomBytes(16).toString('hex')
  return `req-${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Nova's hostId: the host as a project may know it, without its name. */
export function hostId(projectId: string, host: string | null): string {
  return host === null ? '' : createHash('sha224').update(`${projectId}${host}`).digest('hex')
}
