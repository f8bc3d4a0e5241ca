import { z } from 'zod'
import type { InstancePort } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { listAll } from './pages.ts'

/** A port of GET /v2.0/ports. Only administrators see its host and may filter by it. */
const NeutronPort = z.object({
  id: z.string().min(1),
  device_id: z.string(),
  'binding:vnic_type': z.string().min(1),
  'binding:host_id': z.string(),
  // Present with the extension for guaranteed bandwidth.
  resource_request: z.looseObject({}).nullish(),
})

const OF_OTHER_HOST = because('OnesOfOther', { kind: 'port', of: 'host' })

/** The ports bound to a host, each of an instance there (Neutron API, portbindings). */
export async function listPortsOnHost(
  session: OpenStackSession,
  host: string,
  signal?: AbortSignal,
): Promise<Result<readonly InstancePort[]>> {
  const read = await listAll(session, 'network', {
    collection: 'ports',
    item: NeutronPort,
    idOf: port => port.id,
    isAsked: port => (port['binding:host_id'] === host ? null : OF_OTHER_HOST),
    request: { path: '/ports', query: { 'binding:host_id': host }, call: call('ListPortsOn', { host }), signal },
  })
  if (!read.ok) return read
  return ok(
    read.value.map(port => ({
      id: port.id,
      instanceId: port.device_id,
      vnicType: port['binding:vnic_type'],
      hasResourceRequest: port.resource_request !== null && port.resource_request !== undefined,
    })),
  )
}
