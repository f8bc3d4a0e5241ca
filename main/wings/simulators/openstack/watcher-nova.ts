import type { Cloud, Token } from './cloud.ts'
import { asObject, type ServiceHandler } from './http.ts'
import { newRequestId, stableHex, unguessable } from './ids.ts'

/** Calls Nova as Watcher's applier does, with a service user. Null if Nova accepts, else its refusal. */
export interface WatcherNova {
  act(serverId: string, body: Readonly<Record<string, unknown>>): Promise<string | null>
  changeService(id: string, body: Readonly<Record<string, unknown>>): Promise<string | null>
}

/** Makes the client of the service user `watcher`, with microversion 2.56, in which a cold migration may name its host. */
export function createWatcherNova(cloud: Cloud, nova: ServiceHandler): WatcherNova {
  const token = serviceToken(cloud)
  const headers: Readonly<Record<string, string>> = {
    'x-auth-token': token.id,
    'openstack-api-version': 'compute 2.56',
  }
  const callNova = async (method: string, path: string, body: unknown): Promise<string | null> => {
    const answer = await nova({
      service: 'compute',
      method,
      path: `/v2.1${path}`,
      query: new URLSearchParams(),
      header: name => headers[name] ?? null,
      body,
      base: 'http://127.0.0.1/compute',
      keystone: 'http://127.0.0.1/identity',
      requestId: newRequestId(),
    })
    if (answer.status < 300) return null
    const [refusal] = Object.values(asObject(answer.json))
    return `${String(asObject(refusal).message ?? 'Nova refused')} (HTTP ${answer.status})`
  }
  return {
    act: (serverId, body) => callNova('POST', `/servers/${serverId}/action`, body),
    changeService: (id, body) => callNova('PUT', `/os-services/${id}`, body),
  }
}

/** Makes a token that no clouds.yaml has and that never expires. */
function serviceToken(cloud: Cloud): Token {
  const project = cloud.projects.find(each => each.name === 'service')
  const token: Token = {
    id: unguessable(32),
    user: {
      id: stableHex('user watcher'),
      name: 'watcher',
      password: unguessable(32),
      projectId: project?.id ?? '',
      role: 'admin',
    },
    projectId: project?.id ?? null,
    systemScope: false,
    methods: ['password'],
    auditIds: [unguessable(16)],
    issuedAt: cloud.clock.now(),
    expiresAt: Number.POSITIVE_INFINITY,
    applicationCredentialId: null,
  }
  cloud.tokens.set(token.id, token)
  return token
}
