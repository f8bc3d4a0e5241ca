import { z } from 'zod'
import type { ComputeService } from '../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { ServiceChange } from '../../../shared/words/reasons/openstack-compute.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { askService } from './ask-service.ts'
import type { Row } from './newest-rows.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { isoTime } from './service-times.ts'

const WholeService = z.object({
  id: z.string().min(1),
  binary: z.string().min(1),
  host: z.string().min(1),
  zone: z.string().nullable(),
  status: z.enum(['enabled', 'disabled']),
  state: z.enum(['up', 'down']),
  disabled_reason: z.string().nullable(),
  forced_down: z.boolean(),
  updated_at: z.string().nullable(),
})

/** Since 2.69: a service of a cell that does not answer. */
const SilentService = z.object({ binary: z.string().min(1), host: z.string().min(1), status: z.literal('UNKNOWN') })

/** A service; one of a down cell has only binary, host and the status UNKNOWN. */
const NovaService = z.union([WholeService, SilentService])

const ServiceList = z.object({ services: z.array(NovaService) })
const ServiceDocument = z.object({ service: WholeService })

/** Nova's maximum length of a reason (nova/api/openstack/compute/schemas/services.py). */
const LONGEST_REASON = 255

/** A service whose cell does not answer counts as down and disabled. */
function computeServiceFrom(service: z.infer<typeof NovaService>): ComputeService {
  const { binary, host } = service
  if (service.status === 'UNKNOWN') {
    const disabledReason = because('HostOfSilentCell').message
    const silent = { status: 'disabled', state: 'down', disabledReason, forcedDown: false, updatedAt: null } as const
    return { id: '', binary, host, zone: null, ...silent }
  }
  return {
    id: service.id,
    binary,
    host,
    zone: service.zone,
    status: service.status,
    state: service.state,
    disabledReason: service.disabled_reason,
    forcedDown: service.forced_down,
    updatedAt: isoTime(service.updated_at),
  }
}

/** The time changes with every heartbeat. With heartbeats in memcache (nova/servicegroup/drivers/mc.py) it can go back by hours, to the last database write. */
function serviceRow(service: z.infer<typeof NovaService>): Row {
  const key = `nova-compute/${service.host}`
  const is = { kind: 'service', binary: 'nova-compute', host: service.host } as const
  if (service.status === 'UNKNOWN') return { key, is, changedAt: null }
  return {
    key,
    is,
    changedAt: service.updated_at,
    says: `${service.status} ${service.disabled_reason ?? ''}`,
    mayGoBack: service.state === 'down',
  }
}

/** The nova-compute services of the cloud or of one host (domain.md C.4: `host` matches exactly). */
export async function listComputeServices(
  session: OpenStackSession,
  host: string | null,
  signal?: AbortSignal,
): Promise<Result<readonly ComputeService[]>> {
  const read = await askService(
    session,
    'compute',
    {
      method: 'GET',
      path: '/os-services',
      query: { binary: 'nova-compute', ...(host === null ? {} : { host }) },
      call: host === null ? call('ListComputeServices') : call('ReadComputeService', { host }),
      signal,
    },
    ServiceList,
    ({ services }) =>
      services.every(each => each.binary === 'nova-compute' && (host === null || each.host === host))
        ? null
        : because('ServicesOfOthers'),
    ({ services }) => services.map(serviceRow),
  )
  return read.ok ? ok(read.value.services.map(computeServiceFrom)) : read
}

/** The wanted state of a compute service; absent fields stay. */
interface WantedService {
  readonly status?: 'enabled' | 'disabled'
  readonly reason?: string
  readonly forcedDown?: boolean
}

/** Enables or disables a compute service with a reason, and sets forced-down (2.53+), which Nova clears only after it has cleaned up evacuated instances. */
export async function setComputeService(
  session: OpenStackSession,
  id: string,
  wanted: WantedService,
  signal?: AbortSignal,
): Promise<Result<ComputeService>> {
  const { status, reason, forcedDown } = wanted
  const change = changeOf(wanted)
  const target = `compute-service/${id}`
  if (id === '') {
    return failed(refusal('conflict', because('ServiceOfSilentCell', { change })))
  }
  if (status === 'disabled' && ((reason ?? '').trim() === '' || (reason ?? '').length > LONGEST_REASON)) {
    return failed(refusal('bad-input', because('DisablingReasonLength', { most: LONGEST_REASON }), { target }))
  }
  const written = await askService(
    session,
    'compute',
    {
      method: 'PUT',
      path: `/os-services/${encodeURIComponent(id)}`,
      body: {
        ...(status === undefined ? {} : { status }),
        ...(status === 'disabled' ? { disabled_reason: reason ?? '' } : {}),
        ...(forcedDown === undefined ? {} : { forced_down: forcedDown }),
      },
      call: call('ChangeComputeService', { id, change }),
      target,
      signal,
    },
    ServiceDocument,
    ({ service }) =>
      service.id === id &&
      (status === undefined || service.status === status) &&
      (status !== 'disabled' || service.disabled_reason === reason) &&
      (forcedDown === undefined || service.forced_down === forcedDown)
        ? null
        : because('ServiceNotAsAsked'),
  )
  if (written.ok) session.rows.changed(serviceRow(written.value.service))
  return written.ok ? ok(computeServiceFrom(written.value.service)) : written
}

function changeOf({ status, forcedDown }: WantedService): ServiceChange {
  if (forcedDown !== undefined) return forcedDown ? 'force-down' : 'force-up'
  return status === 'enabled' ? 'enable' : 'disable'
}
