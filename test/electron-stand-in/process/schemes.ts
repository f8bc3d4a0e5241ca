type Handler = (request: Request) => Response | Promise<Response>

// Chromium loads no scheme that was not compiled or registered into it. Here, and only here, the stand-in differs from Electron: inside
// Chromium `app://lockkeeper/index.html` is `https://lockkeeper.app.invalid/index.html`, of a top-level domain that is reserved and never
// exists (RFC 2606), answered by interception. Main sees app:// everywhere: in requests, in frames, in navigations. The page sees https.

const handlers = new Map<string, Handler>()

/** What of the browser's traffic comes to us: our schemes' hosts, and every document, for will-navigate. */
export const INTERCEPTED = [
  { urlPattern: 'https://*.invalid/*', requestStage: 'Request' },
  { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' },
]

/** https://www.electronjs.org/docs/latest/api/protocol */
export const protocol = {
  registerSchemesAsPrivileged(
    schemes: readonly { readonly scheme: string; readonly privileges?: { readonly standard?: boolean } }[],
  ): void {
    for (const { scheme, privileges } of schemes) {
      if (privileges?.standard !== true)
        throw new Error(`The Electron stand-in has only standard schemes, and ${scheme} is not one`)
    }
  },
  handle(scheme: string, handler: Handler): void {
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    handlers.set(scheme, handler)
  },
  unhandle(scheme: string): void {
    handlers.delete(scheme)
  },
  isProtocolHandled: (scheme: string): boolean => handlers.has(scheme),
}

/** An address as Chromium has to be given it. */
export function chromiumAddress(address: string): string {
  const url = new URL(address)
  const scheme = url.protocol.slice(0, -1)
  return handlers.has(scheme) ? `https://${url.host}.${scheme}.invalid${url.pathname}${url.search}${url.hash}` : address
}

/** The address that Electron would have shown for one of Chromium's. */
export function appAddress(address: string): string {
  const [, host, scheme, rest] = /^https:\/\/([^/?#]+)\.([a-z0-9+-]+)\.invalid(?=[/?#]|$)(.*)$/.exec(address) ?? []
  return host === undefined || scheme === undefined || !handlers.has(scheme) ? address : `${scheme}://${host}${rest}`
}

/** The answer of the app's own handler, as the DevTools protocol wants it; null: not ours. */
export async function answerRequest(request: {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}): Promise<object | null> {
  const address = appAddress(request.url)
  const handler = address === request.url ? undefined : handlers.get(new URL(address).protocol.slice(0, -1))
  if (handler === undefined) return null
  const response = await handler(new Request(address, { method: request.method, headers: request.headers }))
  return {
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}
