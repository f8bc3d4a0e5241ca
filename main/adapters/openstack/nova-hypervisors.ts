import { z } from 'zod'
import type { Hypervisor } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { askService } from './ask-service.ts'
import { isAtLeast } from './microversion.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { listAll } from './pages.ts'

/** Since 2.88 Nova no longer counts a hypervisor's instances, and asks each nova-compute for its uptime during the request (`_view_hypervisor`). */
export const BEFORE_UPTIME = { major: 2, minor: 87 } as const
/** Since this version a hypervisor without instances has an empty list; before, none. */
const ALWAYS_WITH_SERVERS = { major: 2, minor: 75 } as const

/** A hypervisor of GET /os-hypervisors/detail at 2.53 to 2.87. */
const NovaHypervisor = z.object({
  id: z.string().min(1),
  hypervisor_hostname: z.string().min(1),
  hypervisor_type: z.string(),
  state: z.enum(['up', 'down']),
  service: z.object({ id: z.string().min(1), host: z.string().min(1) }),
  running_vms: z.number().int().nonnegative(),
})

const WithServers = z.object({
  hypervisor: z.object({
    id: z.string().min(1),
    servers: z.array(z.object({ uuid: z.string().min(1) })).optional(),
  }),
})

/** Every hypervisor with a nova-compute record; Nova omits those whose service was deleted. */
export async function listHypervisors(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly Hypervisor[]>> {
  const read = await listAll(session, 'compute', {
    collection: 'hypervisors',
    item: NovaHypervisor,
    idOf: ({ id }) => id,
    request: {
      path: '/os-hypervisors/detail',
      call: call('ListHypervisors'),
      notAfter: BEFORE_UPTIME,
      signal,
    },
  })
  if (!read.ok) return read
  return ok(
    read.value.map(({ id, hypervisor_hostname, hypervisor_type, state, service, running_vms }) => ({
      id,
      name: hypervisor_hostname,
      host: service.host,
      serviceId: service.id,
      type: hypervisor_type,
      state,
      instances: running_vms,
    })),
  )
}

/** Ids of the instances on a hypervisor's host, from Nova's database and without the server list's filters. */
export async function listHypervisorInstances(
  session: OpenStackSession,
  id: string,
  signal?: AbortSignal,
): Promise<Result<readonly string[]>> {
  const version = await session.microversion('compute', signal)
  if (!version.ok) return version
  const isAlwaysListed = version.value !== null && isAtLeast(version.value, ALWAYS_WITH_SERVERS)
  const read = await askService(
    session,
    'compute',
    {
      method: 'GET',
      path: `/os-hypervisors/${encodeURIComponent(id)}`,
      query: { with_servers: 'true' },
      call: call('ListHypervisorInstances', { id }),
      target: `hypervisor/${id}`,
      notAfter: BEFORE_UPTIME,
      signal,
    },
    WithServers,
    ({ hypervisor }) => {
      if (hypervisor.id !== id) return because('HypervisorNotAsked')
      return hypervisor.servers === undefined && isAlwaysListed ? because('HypervisorWithoutServers') : null
    },
  )
  return read.ok ? ok((read.value.hypervisor.servers ?? []).map(({ uuid }) => uuid)) : read
}
