import type { ApiAnswer, ApiRequest, ServiceHandler } from './http.ts'
import { HTML_NOT_FOUND, middlewareUnauthorized, tokenOf } from './http.ts'
import { novaActions } from './nova-actions.ts'
import { type NovaHandler, novaError } from './nova-call.ts'
import { novaCatalogue } from './nova-catalogue.ts'
import { novaGroups } from './nova-groups.ts'
import { novaHypervisors } from './nova-hypervisors.ts'
import { novaInstanceActions } from './nova-instance-actions.ts'
import { novaMigrations } from './nova-migrations.ts'
import { novaServers } from './nova-servers.ts'
import { novaServices } from './nova-services.ts'
import { novaTags } from './nova-tags.ts'
import { findRoute, type Route } from './routes.ts'
import type { World } from './world.ts'

const ROUTES: readonly Route<NovaHandler>[] = [
  ...novaServices,
  ...novaServers,
  ...novaActions,
  ...novaTags,
  ...novaMigrations,
  ...novaInstanceActions,
  ...novaHypervisors,
  ...novaGroups,
  ...novaCatalogue,
]

/** The newest microversion of the first Nova with the role manager in its policy. */
const MANAGER_MINOR = 101

/** Makes Nova behind /compute, as recorded in API-EXAMPLES.md; `maximum` such as `2.93`. */
export function createNova(world: World, maximum: string): ServiceHandler {
  const maxMinor = Number(maximum.split('.')[1])
  return async request => {
    const path = request.path.replace(/\/+$/, '')
    if (path === '') return { status: 200, json: { versions: [version(request, maximum)] } }
    if (path === '/v2.1') return withVersion(1, { status: 200, json: { version: versionInFull(request, maximum) } })
    if (!path.startsWith('/v2.1/')) return HTML_NOT_FOUND
    const token = tokenOf(world.cloud, request)
    if (token === null) return middlewareUnauthorized(request)
    const route = findRoute(ROUTES, request.method, path.slice('/v2.1'.length))
    if (route === null) return HTML_NOT_FOUND
    const asked = askedVersion(request)
    if (asked === 'bad')
      return novaError(
        400,
        `API Version String ${versionText(request)} is of invalid format. Must be of format MajorNum.MinorNum.`,
      )
    const minor = asked === 'latest' ? maxMinor : asked
    if (minor < 1 || minor > maxMinor)
      return withVersion(
        minor,
        novaError(406, `Version 2.${minor} is not supported by the API. Minimum is 2.1 and maximum is ${maximum}.`),
      )
    const { role } = token.user
    // Nova 34 refuses system-scoped tokens and has the role manager for migrations; Zed has neither.
    const isNewer = maxMinor >= MANAGER_MINOR
    const isAdmin = role === 'admin' && !(isNewer && token.systemScope)
    const isManager = isNewer ? role === 'manager' : null
    return withVersion(
      minor,
      await route.to({ world, request, token, isAdmin, isManager, minor, params: route.params }),
    )
  }
}

function versionText(request: ApiRequest): string | null {
  const parts = (request.header('openstack-api-version') ?? '').split(',').map(part => part.trim().split(/\s+/))
  return parts.find(part => part[0] === 'compute')?.[1] ?? request.header('x-openstack-nova-api-version')
}

function askedVersion(request: ApiRequest): number | 'latest' | 'bad' {
  const text = versionText(request)
  if (text === null) return 1
  if (text === 'latest') return 'latest'
  const match = /^2\.(\d+)$/.exec(text)
  return match === null ? 'bad' : Number(match[1])
}

function withVersion(minor: number, answer: ApiAnswer): ApiAnswer {
  return {
    ...answer,
    headers: {
      'openstack-api-version': `compute 2.${minor}`,
      'x-openstack-nova-api-version': `2.${minor}`,
      vary: 'OpenStack-API-Version, X-OpenStack-Nova-API-Version',
      ...answer.headers,
    },
  }
}

function version(request: ApiRequest, maximum: string) {
  return {
    id: 'v2.1',
    status: 'CURRENT',
    version: maximum,
    min_version: '2.1',
    updated: '2013-07-23T11:33:21Z',
    links: [{ rel: 'self', href: `${request.base}/v2.1/` }],
  }
}

function versionInFull(request: ApiRequest, maximum: string) {
  const short = version(request, maximum)
  return {
    ...short,
    links: [...short.links, { rel: 'describedby', type: 'text/html', href: 'http://docs.openstack.org/' }],
    'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.compute+json;version=2.1' }],
  }
}
