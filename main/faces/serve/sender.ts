import type { IncomingMessage } from 'node:http'

/** Why a request is not answered; the reason is logged, without anything that was sent. */
export type Refusal =
  | 'malformed'
  | 'too-many'
  | 'foreign-host'
  | 'foreign-origin'
  | 'other-site'
  | 'not-entered'
  | 'wrong-token'
  | 'wrong-feed'
  | 'wrong-method'

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

/**
 * The address a request asks for; null where it is none that a browser asks a server for: another target than a path (`*`, a whole address,
 * as proxies get), or one that cannot be read.
 */
export function addressOf(request: Pick<IncomingMessage, 'url'>): URL | null {
  const target = request.url ?? ''
  return target.startsWith('/') ? URL.parse(`http://console${target.replace(/^\/+/, '/')}`) : null
}
