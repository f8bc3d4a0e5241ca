import type { Cloud, Token } from './cloud.ts'

/** The services behind the one port, each under a path of its own name. */
export type ServiceName =
  | 'identity'
  | 'compute'
  | 'network'
  | 'placement'
  | 'image'
  | 'volume'
  | 'infra-optim'
  | 'instance-ha'

/** A request as a service sees it: the path below the service's prefix, decoded as WSGI does, before routing. */
export interface ApiRequest {
  readonly service: ServiceName
  readonly method: string
  /** Such as `/v2.1/servers/detail`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly header: (name: string) => string | null
  /** The parsed JSON body; undefined when there was none, null when it was not JSON. */
  readonly body: unknown
  /** How the client reached the service: what links in answers begin with, without a slash at the end. */
  readonly base: string
  /** Where Keystone is, for `www-authenticate`. */
  readonly keystone: string
  readonly requestId: string
}

/** What a service answers. Without a body nothing is sent but the status and headers. */
export interface ApiAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Instead of JSON. */
  readonly html?: string
  /** Instead of JSON, as it is; `dripped` a byte a second. */
  readonly text?: { readonly body: string; readonly type: string; readonly dripped: boolean }
}

/** Answers a request of one service. */
export type ServiceHandler = (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>

/** The token a request carries, when it is valid now. */
export function tokenOf(cloud: Cloud, request: ApiRequest): Token | null {
  const token = cloud.tokens.get(request.header('x-auth-token') ?? '')
  return token === undefined || token.expiresAt <= cloud.clock.now() ? null : token
}

/** What keystonemiddleware answers in front of every service for a missing, unknown or expired token (API-EXAMPLES.md). */
export function middlewareUnauthorized(request: ApiRequest): ApiAnswer {
  return {
    status: 401,
    headers: { 'www-authenticate': `Keystone uri="${request.keystone}"` },
    json: {
      error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
    },
  }
}

/** The page that Nova's and Cinder's routers answer for a path they do not have. */
export const HTML_NOT_FOUND: ApiAnswer = {
  status: 404,
  html: '<html>\n <head>\n  <title>404 Not Found</title>\n </head>\n <body>\n  <h1>404 Not Found</h1>\n  The resource could not be found.<br /><br />\n\n\n\n </body>\n</html>',
}

/** A value as an object to look into; anything else has no properties. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
