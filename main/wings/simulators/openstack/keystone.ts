import type { Cloud, Token } from './cloud.ts'
import type { ApiAnswer, ApiRequest, ServiceHandler } from './http.ts'
import { asObject, tokenOf } from './http.ts'
import { stableHex, unguessable } from './ids.ts'
import { catalogue, issueToken, keystoneError, tokenView, unauthorized } from './keystone-tokens.ts'
import { findRoute, type Route } from './routes.ts'

interface Call {
  readonly request: ApiRequest
  readonly token: Token
  readonly params: Readonly<Record<string, string>>
}

/** Makes Keystone v3 as recorded in API-EXAMPLES.md. */
export function createKeystone(cloud: Cloud, tokenSeconds: number): ServiceHandler {
  const routes = keystoneRoutes(cloud)
  return request => {
    const path = request.path.replace(/\/+$/, '')
    if (path === '') return versions(request)
    if (path === '/v3') return { status: 200, json: { version: version(request) } }
    if (path === '/v3/auth/tokens' && request.method === 'POST') return issueToken(cloud, request, tokenSeconds)
    const route = findRoute(routes, request.method === 'HEAD' ? 'GET' : request.method, path)
    if (route === null) return { status: 404, html: '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n' }
    const token = tokenOf(cloud, request)
    if (token === null) return unauthorized(request)
    return route.to({ request, token, params: route.params })
  }
}

function versions(request: ApiRequest): ApiAnswer {
  return {
    status: 300,
    headers: { location: `${request.base}/v3/` },
    json: { versions: { values: [version(request)] } },
  }
}

function version(request: ApiRequest) {
  return {
    id: 'v3.14',
    status: 'stable',
    updated: '2020-04-07T00:00:00Z',
    links: [{ rel: 'self', href: `${request.base}/v3/` }],
    'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' }],
  }
}

function keystoneRoutes(cloud: Cloud): readonly Route<(call: Call) => ApiAnswer>[] {
  const project = (request: ApiRequest, { id, name }: { readonly id: string; readonly name: string }) => ({
    id,
    name,
    domain_id: 'default',
    description: '',
    enabled: true,
    parent_id: 'default',
    is_domain: false,
    tags: [],
    options: {},
    links: { self: `${request.base}/v3/projects/${id}` },
  })
  const list = (request: ApiRequest, name: string, rows: readonly unknown[]): ApiAnswer => ({
    status: 200,
    json: { [name]: rows, links: { next: null, self: `${request.base}${request.path}`, previous: null } },
  })
  const adminOnly = (rule: string, call: Call, answer: () => ApiAnswer) =>
    call.token.user.role === 'admin'
      ? answer()
      : keystoneError(403, `You are not authorized to perform the requested action: ${rule}.`)
  const user = (request: ApiRequest, each: { readonly id: string; readonly name: string }) => ({
    id: each.id,
    name: each.name,
    domain_id: 'default',
    enabled: true,
    password_expires_at: null,
    options: {},
    links: { self: `${request.base}/v3/users/${each.id}` },
  })
  const byIdOrName = <T extends { readonly id: string; readonly name: string }>(rows: readonly T[], wanted: string) =>
    rows.find(row => row.id === wanted)

  return [
    { method: 'GET', path: '/v3/auth/tokens', to: call => validate(cloud, call) },
    {
      method: 'DELETE',
      path: '/v3/auth/tokens',
      to: ({ request }) => {
        cloud.tokens.delete(request.header('x-subject-token') ?? '')
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: '/v3/auth/catalog',
      to: ({ request, token }) => ({
        status: 200,
        json: { catalog: catalogue(cloud, token, request), links: { self: `${request.base}/v3/auth/catalog` } },
      }),
    },
    {
      method: 'GET',
      path: '/v3/auth/projects',
      to: ({ request, token }) =>
        list(
          request,
          'projects',
          cloud.projects.filter(each => each.id === token.user.projectId).map(each => project(request, each)),
        ),
    },
    {
      method: 'GET',
      path: '/v3/projects',
      to: call =>
        adminOnly('identity:list_projects', call, () => {
          const named = call.request.query.get('name')
          const rows = cloud.projects.filter(each => named === null || each.name === named)
          return list(
            call.request,
            'projects',
            rows.map(each => project(call.request, each)),
          )
        }),
    },
    {
      method: 'GET',
      path: '/v3/projects/:id',
      to: call =>
        adminOnly('identity:get_project', call, () => {
          const found = byIdOrName(cloud.projects, call.params.id ?? '')
          return found === undefined
            ? keystoneError(404, `Could not find project: ${call.params.id}.`)
            : { status: 200, json: { project: project(call.request, found) } }
        }),
    },
    {
      method: 'GET',
      path: '/v3/users',
      to: call =>
        adminOnly('identity:list_users', call, () =>
          list(
            call.request,
            'users',
            cloud.users.map(each => user(call.request, each)),
          ),
        ),
    },
    {
      method: 'GET',
      path: '/v3/domains',
      to: call =>
        adminOnly('identity:list_domains', call, () =>
          list(call.request, 'domains', [
            {
              id: 'default',
              name: 'Default',
              description: 'The default domain',
              enabled: true,
              tags: [],
              options: {},
              links: { self: `${call.request.base}/v3/domains/default` },
            },
          ]),
        ),
    },
    {
      method: 'GET',
      path: '/v3/regions',
      to: ({ request }) =>
        list(request, 'regions', [
          {
            id: cloud.region,
            description: '',
            parent_region_id: null,
            links: { self: `${request.base}/v3/regions/${cloud.region}` },
          },
        ]),
    },
    { method: 'POST', path: '/v3/users/:user/application_credentials', to: call => createCredential(cloud, call) },
    {
      method: 'DELETE',
      path: '/v3/users/:user/application_credentials/:id',
      to: ({ params }) =>
        cloud.applicationCredentials.delete(params.id ?? '')
          ? { status: 204 }
          : keystoneError(404, `Could not find Application Credential: ${params.id}.`),
    },
  ]
}

function validate(cloud: Cloud, { request, token }: Call): ApiAnswer {
  const subject = request.header('x-subject-token')
  if (subject === null) return keystoneError(404, 'Could not find token.')
  if (subject !== token.id && token.user.role !== 'admin')
    return keystoneError(403, 'You are not authorized to perform the requested action: identity:validate_token.')
  const asked = cloud.tokens.get(subject)
  if (asked === undefined) return keystoneError(404, 'Could not recognize Fernet token')
  if (asked.expiresAt <= cloud.clock.now()) return keystoneError(404, 'Failed to validate token')
  return {
    status: 200,
    headers: { 'x-subject-token': subject },
    json: { token: tokenView(cloud, asked, request) },
  }
}

function createCredential(cloud: Cloud, { request, token, params }: Call): ApiAnswer {
  const name = String(asObject(asObject(request.body).application_credential).name ?? '')
  if (params.user !== token.user.id || token.projectId === null || name === '')
    return keystoneError(
      403,
      'You are not authorized to perform the requested action: identity:create_application_credential.',
    )
  const credential = {
    id: stableHex(unguessable(16)),
    name,
    secret: unguessable(64),
    userId: token.user.id,
    projectId: token.projectId,
  }
  cloud.applicationCredentials.set(credential.id, credential)
  return {
    status: 201,
    json: {
      application_credential: {
        id: credential.id,
        name,
        description: null,
        user_id: token.user.id,
        project_id: token.projectId,
        system: null,
        expires_at: null,
        unrestricted: null,
        roles: [],
        secret: credential.secret,
        links: { self: `${request.base}/v3/application_credentials/${credential.id}` },
      },
    },
  }
}
