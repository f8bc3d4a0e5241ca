import { createCinderServices } from './cinder-services.ts'
import type { Cloud, Volume } from './cloud.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  HTML_NOT_FOUND,
  middlewareUnauthorized,
  type ServiceHandler,
  tokenOf,
} from './http.ts'
import { novaTime } from './times.ts'

/** Makes Cinder: its services, its one zone, and the attached volumes of servers. */
export function createCinder(cloud: Cloud, controllers: readonly string[]): ServiceHandler {
  const services = createCinderServices(cloud, controllers)
  return request => {
    const path = request.path.replace(/\/+$/, '')
    if (path === '') return { status: 300, json: versions(request) }
    const token = tokenOf(cloud, request)
    if (token === null) return middlewareUnauthorized(request)
    const asked = /^\/v3\/([^/]+)\/(.+)$/.exec(path)
    if (asked === null) return HTML_NOT_FOUND
    const isAdmin = token.user.role === 'admin'
    const everything = isAdmin && /^(1|true)$/i.test(request.query.get('all_tenants') ?? '')
    const visible = cloud.volumes.filter(
      volume => cloud.servers.has(volume.serverId) && (everything || volume.projectId === token.projectId),
    )
    const headers = { 'openstack-api-version': request.header('openstack-api-version') ?? 'volume 3.0' }
    const answer = (json: unknown): ApiAnswer => ({ status: 200, headers, json })
    const refuse = (rule: string): ApiAnswer => {
      const message = `Policy doesn't allow ${rule} to be performed.`
      return { status: 403, headers, json: { forbidden: { code: 403, message } } }
    }
    const verb = /^os-services\/([\w-]+)$/.exec(asked[2] ?? '')?.[1]
    if (request.method === 'PUT' && verb !== undefined) {
      if (!isAdmin) return refuse('volume_extension:services:update')
      const changed = services.change(verb, request.body)
      return changed === null ? HTML_NOT_FOUND : { ...changed, headers }
    }
    if (request.method !== 'GET') return HTML_NOT_FOUND
    switch (asked[2]) {
      case 'os-availability-zone':
        return answer({ availabilityZoneInfo: [{ zoneName: 'nova', zoneState: { available: true } }] })
      case 'os-services':
        return isAdmin ? { ...services.list(request.query), headers } : refuse('volume_extension:services:index')
      case 'volumes':
        return answer({ volumes: visible.map(({ id, name }) => ({ id, name, links: [] })) })
      case 'volumes/detail':
        return answer({ volumes: visible.map(volume => view(cloud, volume)) })
      default:
        return HTML_NOT_FOUND
    }
  }
}

function versions(request: ApiRequest) {
  return {
    versions: [
      {
        id: 'v3.0',
        status: 'CURRENT',
        version: '3.70',
        min_version: '3.0',
        updated: '2022-08-31T00:00:00Z',
        links: [{ rel: 'self', href: `${request.base}/v3/` }],
        'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.volume+json;version=3' }],
      },
    ],
  }
}

function view(cloud: Cloud, volume: Volume) {
  return {
    id: volume.id,
    name: volume.name,
    status: 'in-use',
    size: volume.sizeGib,
    availability_zone: 'nova',
    created_at: novaTime(volume.createdAt),
    volume_type: 'ceph',
    bootable: String(volume.name.endsWith('-root')),
    encrypted: volume.encrypted,
    multiattach: volume.multiattach,
    attachments: [
      {
        id: volume.id,
        volume_id: volume.id,
        server_id: volume.serverId,
        host_name: cloud.servers.get(volume.serverId)?.host ?? null,
        device: volume.name.endsWith('-root') ? '/dev/vda' : '/dev/vdb',
      },
    ],
    user_id: volume.userId,
    'os-vol-tenant-attr:tenant_id': volume.projectId,
  }
}
