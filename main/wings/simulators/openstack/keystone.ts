import type { Cloud, Project, Token } from './cloud.ts'
import type { ApiAnswer, ApiRequest, ServiceHandler } from './http.ts'
import { asObject, tokenOf } from './http.ts'
import { stableHex, unguessable } from './ids.ts'
import { catalogue, issueToken, keystoneError, tokenView, unauthorized } from './keystone-tokens.ts'
import { findRoute, type Route } from './routes.ts'

interface Call {
  readonly cloud: Cloud
  readonly request: ApiRequest
  readonly token: Token
  readonly params: Readonly<Record<string, string>>
}

/** Makes Keystone v3 as recorded in API-EXAMPLES.md. */
export function createKeystone(cloud: Cloud, tokenSeconds: number): ServiceHandler {
  return request => {
    const path = request.path.replace(/\/+$/, '')
    if (path === '') return versions(request)
    if (path === '/v3') return { status: 200, json: { version: version(request) } }
    if (path === '/v3/auth/tokens' && request.method === 'POST') return issueToken(cloud, request, tokenSeconds)
    const route = findRoute(ROUTES, request.method === 'HEAD' ? 'GET' : request.method, path)
    if (route === null) return { status: 404, html: '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n' }
    const token = tokenOf(cloud, request)
    if (token === null) return unauthorized(request)
    return route.to({ cloud, request, token, params: route.params })
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

const ROUTES: readonly Route<(call: Call) => ApiAnswer>[] = [
  { method: 'GET', path: '/v3/auth/tokens', to: validateToken },
  { method: 'DELETE', path: '/v3/auth/tokens', to: revokeToken },
  { method: 'GET', path: '/v3/auth/catalog', to: showCatalogue },
  { method: 'GET', path: '/v3/auth/projects', to: listOwnProjects },
  { method: 'GET', path: '/v3/projects', to: adminOnly('identity:list_projects', listProjects) },
  { method: 'GET', path: '/v3/projects/:id', to: adminOnly('identity:get_project', showProject) },
  { method: 'GET', path: '/v3/users', to: adminOnly('identity:list_users', listUsers) },
  { method: 'GET', path: '/v3/domains', to: adminOnly('identity:list_domains', listDomains) },
  { method: 'GET', path: '/v3/regions', to: listRegions },
  { method: 'POST', path: '/v3/users/:user/application_credentials', to: createCredential },
  { method: 'DELETE', path: '/v3/users/:user/application_credentials/:id', to: deleteCredential },
]

function adminOnly(rule: string, handle: (call: Call) => ApiAnswer): (call: Call) => ApiAnswer {
  return call =>
    call.token.user.role === 'admin'
      ? handle(call)
      : keystoneError(403, `You are not authorized to perform the requested action: ${rule}.`)
}

function listAnswer(request: ApiRequest, name: string, rows: readonly unknown[]): ApiAnswer {
  return {
    status: 200,
    json: { [name]: rows, links: { next: null, self: `${request.base}${request.path}`, previous: null } },
  }
}

function revokeToken({ cloud, request }: Call): ApiAnswer {
  cloud.tokens.delete(request.header('x-subject-token') ?? '')
  return { status: 204 }
}

function showCatalogue({ cloud, request, token }: Call): ApiAnswer {
  return {
    status: 200,
    json: { catalog: catalogue(cloud, token, request), links: { self: `${request.base}/v3/auth/catalog` } },
  }
}

function listOwnProjects({ cloud, request, token }: Call): ApiAnswer {
  const own = cloud.projects.filter(({ id }) => id === token.user.projectId)
  return listAnswer(
    request,
    'projects',
    own.map(project => projectView(request, project)),
  )
}

function listProjects({ cloud, request }: Call): ApiAnswer {
  const wanted = request.query.get('name')
  const rows = cloud.projects.filter(({ name }) => wanted === null || name === wanted)
  return listAnswer(
    request,
    'projects',
    rows.map(project => projectView(request, project)),
  )
}

function showProject({ cloud, request, params }: Call): ApiAnswer {
  const found = cloud.projects.find(({ id }) => id === (params.id ?? ''))
  return found === undefined
    ? keystoneError(404, `Could not find project: ${params.id}.`)
    : { status: 200, json: { project: projectView(request, found) } }
}

function projectView(request: ApiRequest, { id, name }: Project) {
  return {
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
  }
}

function listUsers({ cloud, request }: Call): ApiAnswer {
  const rows = cloud.users.map(({ id, name }) => ({
    id,
    name,
    domain_id: 'default',
    enabled: true,
    password_expires_at: null,
    options: {},
    links: { self: `${request.base}/v3/users/${id}` },
  }))
  return listAnswer(request, 'users', rows)
}

function listDomains({ request }: Call): ApiAnswer {
  return listAnswer(request, 'domains', [
    {
      id: 'default',
      name: 'Default',
      description: 'The default domain',
      enabled: true,
      tags: [],
      options: {},
      links: { self: `${request.base}/v3/domains/default` },
    },
  ])
}

function listRegions({ cloud, request }: Call): ApiAnswer {
  return listAnswer(request, 'regions', [
    {
      id: cloud.region,
      description: '',
      parent_region_id: null,
      links: { self: `${request.base}/v3/regions/${cloud.region}` },
    },
  ])
}

function deleteCredential({ cloud, params }: Call): ApiAnswer {
  return cloud.applicationCredentials.delete(params.id ?? '')
    ? { status: 204 }
    : keystoneError(404, `Could not find Application Credential: ${params.id}.`)
}

function validateToken({ cloud, request, token }: Call): ApiAnswer {
  const subject = request.header('x-subject-token')
  if (subject === null) return keystoneError(404, 'Could not find token.')
  if (subject !== token.id && token.user.role !== 'admin')
    return keystoneError(403, 'You are not authorized to perform the requested action: identity:validate_token.')
  const found = cloud.tokens.get(subject)
  if (found === undefined) return keystoneError(404, 'Could not recognize Fernet token')
  if (found.expiresAt <= cloud.clock.now()) return keystoneError(404, 'Failed to validate token')
  return {
    status: 200,
    headers: { 'x-subject-token': subject },
    json: { token: tokenView(cloud, found, request) },
  }
}

function createCredential({ cloud, request, token, params }: Call): ApiAnswer {
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
