import type { Cloud } from './cloud.ts'
import { HTML_NOT_FOUND, middlewareUnauthorized, type ServiceHandler, tokenOf } from './http.ts'
import { secondsTime } from './times.ts'

/** Makes Glance with the one image that `openstack server list` and `show` look up. */
export function createGlance(cloud: Cloud): ServiceHandler {
  const image = {
    name: 'demo-image',
    disk_format: 'qcow2',
    container_format: 'bare',
    visibility: 'public',
    size: 4096,
    virtual_size: 4096,
    status: 'active',
    protected: false,
    min_ram: 0,
    min_disk: 0,
    os_hidden: false,
    id: cloud.imageId,
    created_at: secondsTime(cloud.bornAt),
    updated_at: secondsTime(cloud.bornAt),
    tags: [],
    self: `/v2/images/${cloud.imageId}`,
    file: `/v2/images/${cloud.imageId}/file`,
    schema: '/v2/schemas/image',
  }
  return request => {
    const path = request.path.replace(/\/+$/, '')
    if (path === '')
      return {
        status: 300,
        json: {
          versions: [
            { id: 'v2.15', status: 'CURRENT', links: [{ rel: 'self', href: `${request.base}/v2/` }] },
            { id: 'v2.0', status: 'SUPPORTED', links: [{ rel: 'self', href: `${request.base}/v2/` }] },
          ],
        },
      }
    if (tokenOf(cloud, request) === null) return middlewareUnauthorized(request)
    if (request.method !== 'GET') return HTML_NOT_FOUND
    if (path === '/v2/images')
      return { status: 200, json: { images: [image], first: '/v2/images', schema: '/v2/schemas/images' } }
    return path === `/v2/images/${cloud.imageId}` ? { status: 200, json: image } : HTML_NOT_FOUND
  }
}
