import type { Cloud, Token, User } from './cloud.ts'
import type { ApiAnswer, ApiRequest } from './http.ts'
import { asObject } from './http.ts'
import { stableHex, unguessable } from './ids.ts'
import { keystoneTime } from './times.ts'

const ROLES_OF = {
  admin: ['admin', 'member', 'reader'],
  manager: ['manager', 'member', 'reader'],
  member: ['member', 'reader'],
} as const
const DOMAIN = { id: 'default', name: 'Default' }
const MALFORMED =
  'The server could not comply with the request since it is either malformed or otherwise incorrect. The client is assumed to be in error.'

/** The authenticated user, and the scope of the token. */
interface Proof {
  readonly user: User
  readonly methods: readonly string[]
  readonly auditIds: readonly string[]
  readonly expiresAt: number
  readonly applicationCredentialId: string | null
  readonly boundProjectId: string | null
}

/** Answers POST /v3/auth/tokens: password, application credential and token; project, system or no scope. */
export function issueToken(cloud: Cloud, request: ApiRequest, tokenSeconds: number): ApiAnswer {
  const auth = asObject(asObject(request.body).auth)
  const identity = asObject(auth.identity)
  if (asObject(request.body).auth === undefined)
    return keystoneError(400, `Expecting to find auth in request body. ${MALFORMED}`)
  const methods = Array.isArray(identity.methods) ? identity.methods.map(String) : []
  const missing = methods.find(method => identity[method] === undefined)
  if (methods.length === 0 || missing !== undefined)
    return keystoneError(400, `Expecting to find ${missing ?? 'methods'} in identity. ${MALFORMED}`)

  const proof = prove(cloud, identity, methods, cloud.clock.now() + tokenSeconds * 1000)
  if (proof === null) return unauthorized(request)
  const scope = resolveScope(cloud, proof, auth.scope)
  if (scope === null) return unauthorized(request)
  const token: Token = {
    id: `gAAAAAB${unguessable(64)}`,
    user: proof.user,
    projectId: scope.projectId,
    systemScope: scope.system,
    methods: proof.methods,
    auditIds: [unguessable(16), ...proof.auditIds],
    issuedAt: cloud.clock.now(),
    expiresAt: proof.expiresAt,
    applicationCredentialId: proof.applicationCredentialId,
  }
  cloud.tokens.set(token.id, token)
  return { status: 201, headers: { 'x-subject-token': token.id }, json: { token: tokenView(cloud, token, request) } }
}

function prove(
  cloud: Cloud,
  identity: Readonly<Record<string, unknown>>,
  methods: readonly string[],
  expiresAt: number,
): Proof | null {
  const fresh = { methods, auditIds: [], expiresAt, applicationCredentialId: null, boundProjectId: null }
  if (methods.includes('password')) {
    const asked = asObject(asObject(identity.password).user)
    const user = findUser(cloud, asked)
    return user === null || user.password !== asked.password ? null : { ...fresh, user }
  }
  if (methods.includes('application_credential')) {
    const asked = asObject(identity.application_credential)
    const asker = findUser(cloud, asObject(asked.user))
    const credential = [...cloud.applicationCredentials.values()].find(
      each => each.id === asked.id || (each.name === asked.name && each.userId === asker?.id),
    )
    const user = cloud.users.find(each => each.id === credential?.userId)
    if (credential === undefined || user === undefined || credential.secret !== asked.secret) return null
    return { ...fresh, user, applicationCredentialId: credential.id, boundProjectId: credential.projectId }
  }
  const old = cloud.tokens.get(String(asObject(identity.token).id))
  if (old === undefined || old.expiresAt <= cloud.clock.now()) return null
  // A token from a token expires with the first one.
  return {
    ...fresh,
    user: old.user,
    methods: [...new Set(['token', ...old.methods])],
    auditIds: old.auditIds.slice(-1),
    expiresAt: old.expiresAt,
    applicationCredentialId: old.applicationCredentialId,
  }
}

function findUser(cloud: Cloud, asked: Readonly<Record<string, unknown>>): User | null {
  const domain = asObject(asked.domain)
  const named = asked.id !== undefined || domain.id === DOMAIN.id || domain.name === DOMAIN.name
  return (named && cloud.users.find(user => user.id === asked.id || user.name === asked.name)) || null
}

function resolveScope(
  cloud: Cloud,
  proof: Proof,
  scope: unknown,
): { readonly projectId: string | null; readonly system: boolean } | null {
  if (proof.boundProjectId !== null) return { projectId: proof.boundProjectId, system: false }
  if (scope === undefined || scope === 'unscoped') return { projectId: null, system: false }
  const asked = asObject(scope)
  if (asked.system !== undefined) return proof.user.role === 'admin' ? { projectId: null, system: true } : null
  if (asked.project === undefined) return null
  const project = asObject(asked.project)
  const domain = asObject(project.domain)
  const found = cloud.projects.find(
    each =>
      each.id === project.id ||
      (each.name === project.name && (domain.id === DOMAIN.id || domain.name === DOMAIN.name)),
  )
  return found === undefined || found.id !== proof.user.projectId ? null : { projectId: found.id, system: false }
}

/** Returns the body of a token, for issuing and validation. */
export function tokenView(cloud: Cloud, token: Token, request: ApiRequest): unknown {
  const scoped = token.projectId !== null || token.systemScope
  const project = cloud.projects.find(each => each.id === token.projectId)
  const credential = cloud.applicationCredentials.get(token.applicationCredentialId ?? '')
  return {
    methods: token.methods,
    user: { domain: DOMAIN, id: token.user.id, name: token.user.name, password_expires_at: null },
    audit_ids: token.auditIds,
    expires_at: keystoneTime(token.expiresAt),
    issued_at: keystoneTime(token.issuedAt),
    ...(project === undefined
      ? {}
      : { project: { domain: DOMAIN, id: project.id, name: project.name }, is_domain: false }),
    ...(token.systemScope ? { system: { all: true } } : {}),
    ...(scoped
      ? {
          roles: ROLES_OF[token.user.role].map(name => ({ id: stableHex(`role ${name}`), name })),
          catalog: catalogue(cloud, token, request),
        }
      : {}),
    ...(credential === undefined
      ? {}
      : { application_credential: { id: credential.id, name: credential.name, restricted: true } }),
  }
}

/** Returns the service catalogue: public, internal and admin endpoints of one region. */
export function catalogue(cloud: Cloud, token: Token, request: ApiRequest): readonly unknown[] {
  const origin = new URL(request.keystone).origin
  const services = [
    { type: 'image', name: 'glance', url: `${origin}/image` },
    { type: 'compute', name: 'nova', url: `${origin}/compute/v2.1` },
    { type: 'network', name: 'neutron', url: `${origin}/network` },
    { type: 'placement', name: 'placement', url: `${origin}/placement` },
    // Cinder's endpoint contains the project, so a system-scoped token gets none.
    ...(token.projectId === null
      ? []
      : [{ type: 'volumev3', name: 'cinder', url: `${origin}/volume/v3/${token.projectId}` }]),
    ...(cloud.hasWatcher ? [{ type: 'infra-optim', name: 'watcher', url: `${origin}/infra-optim` }] : []),
    ...(cloud.segments.length === 0
      ? []
      : [{ type: 'instance-ha', name: 'masakari', url: `${origin}/instance-ha/v1/${token.projectId ?? ''}` }]),
    { type: 'identity', name: 'keystone', url: `${origin}/identity/v3/` },
  ]
  return services.map(service => ({
    endpoints: ['admin', 'internal', 'public'].map(face => ({
      id: stableHex(`endpoint ${service.type} ${face}`),
      interface: face,
      region_id: cloud.region,
      url: service.url,
      region: cloud.region,
    })),
    id: stableHex(`service ${service.type}`),
    type: service.type,
    name: service.name,
  }))
}

export function keystoneError(status: number, message: string): ApiAnswer {
  const title = TITLES[status] ?? 'Error'
  return { status, json: { error: { code: status, message, title } } }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
}

/** Keystone's 401 never says whether the user, the password or the project was wrong. */
export function unauthorized(request: ApiRequest): ApiAnswer {
  return {
    ...keystoneError(401, 'The request you have made requires authentication.'),
    headers: { 'www-authenticate': `Keystone uri="${request.keystone}/v3"` },
  }
}
