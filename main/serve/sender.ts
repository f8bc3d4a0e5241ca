import type { IncomingMessage } from 'node:http'

/** Why a request is not answered; the reason is logged, without anything that was sent. */
export type Refusal = 'foreign-host' | 'foreign-origin' | 'other-site' | 'not-entered' | 'wrong-token' | 'wrong-method'

/**
 * Whether a request comes from our own page by its own name (docs/style.md G13). A DNS-rebinding page sends its own name as Host; a
 * foreign page its own Origin, or `cross-site`. Values are compared whole, never by their beginning or end.
 */
export function refusalOf(
  request: Pick<IncomingMessage, 'headers'>,
  hosts: ReadonlySet<string>,
  needsOrigin: boolean,
): Refusal | null {
  const { host, origin, 'sec-fetch-site': site } = request.headers
  if (host === undefined || !hosts.has(host.toLowerCase())) return 'foreign-host'
  if (origin === undefined ? needsOrigin : origin !== `http://${host.toLowerCase()}`) return 'foreign-origin'
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'other-site'
  return null
}
