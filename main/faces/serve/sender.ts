import type { IncomingMessage } from 'node:http'

/** Why a request is refused; only the reason is logged. */
export type Refusal =
  | 'malformed'
  | 'too-many'
  | 'foreign-host'
  | 'foreign-origin'
  | 'other-site'
  | 'not-entered'
  | 'wrong-token'
  | 'wrong-feed'
  | 'wrong-report'
  | 'wrong-method'

/** Checks that a request comes from the console's own page under its own name (docs/style.md G13). A DNS-rebinding page sends its own name as Host; a foreign page sends its own Origin, or `cross-site`. Compares whole values, never prefixes. */
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

/** The requested address; null if the target is not a path (`*`, or a whole address as for proxies) or cannot be parsed. */
export function addressOf(request: Pick<IncomingMessage, 'url'>): URL | null {
  const target = request.url ?? ''
  return target.startsWith('/') ? URL.parse(`http://console${target.replace(/^\/+/, '/')}`) : null
}
