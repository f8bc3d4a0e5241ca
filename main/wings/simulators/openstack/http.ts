import type { Cloud, Token } from './cloud.ts'

/** The services behind the one port; the name is the first part of the path. */
export type ServiceName =
  | 'identity'
  | 'compute'
  | 'network'
  | 'placement'
  | 'image'
  | 'volume'
  | 'infra-optim'
  | 'instance-ha'

/** A request to a service: the path below its prefix, decoded before routing as WSGI does. */
export interface ApiRequest {
  readonly service: ServiceName
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly header: (name: string) => string | null
  /** The parsed JSON body; undefined without a body, null if it is not JSON. */
  readonly body: unknown
  /** The service's address as the client used it, for links; without a slash at the end. */
  readonly base: string
  /** The address of Keystone, for `www-authenticate`. */
  readonly keystone: string
  readonly requestId: string
}

/** A service's answer; without a body, only status and headers are sent. */
export interface ApiAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly html?: string
  /** Sent instead of JSON; `dripped` sends one byte per second. */
  readonly text?: { readonly body: string; readonly type: string; readonly dripped: boolean }
}

export type ServiceHandler = (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>

/** Returns the token of a request if it is valid now. */
export function tokenOf(cloud: Cloud, request: ApiRequest): Token | null {
  const token = cloud.tokens.get(request.header('x-auth-token') ?? '')
  return token === undefined || token.expiresAt <= cloud.clock.now() ? null : token
}

/** Returns keystonemiddleware's 401 for a missing, unknown or expired token (API-EXAMPLES.md). */
export function middlewareUnauthorized(request: ApiRequest): ApiAnswer {
  return {
    status: 401,
    headers: { 'www-authenticate': `Keystone uri="${request.keystone}"` },
    json: {
      error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
    },
  }
}

/** The page of Nova's and Cinder's routers for an unknown path. */
export const HTML_NOT_FOUND: ApiAnswer = {
  status: 404,
  html: '<html>\n <head>\n  <title>404 Not Found</title>\n </head>\n <body>\n  <h1>404 Not Found</h1>\n  The resource could not be found.<br /><br />\n\n\n\n </body>\n</html>',
}

/** Returns a value as an object; any other value becomes an empty one. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
