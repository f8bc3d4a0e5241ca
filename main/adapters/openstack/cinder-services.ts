import { z } from 'zod'
import type { VolumeService } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { ask } from './ask.ts'
import type { OpenStackSession } from './keystone-session.ts'

const CinderService = z.object({
  binary: z.string().min(1),
  host: z.string().min(1),
  zone: z.string().nullish(),
  status: z.enum(['enabled', 'disabled']),
  state: z.enum(['up', 'down']),
  disabled_reason: z.string().nullish(),
})
const ServiceList = z.object({ services: z.array(CinderService) })
/** What PUT answers (cinder/api/contrib/services.py, update). */
const Changed = z.object({ host: z.string(), status: z.enum(['enabled', 'disabled']) })

/** Every cinder-volume service; a cloud without a block storage service has none. */
export async function listVolumeServices(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly VolumeService[]>> {
  if (!session.has('block-storage')) return ok([])
  const read = await ask(
    session,
    'block-storage',
    {
      method: 'GET',
      path: '/os-services',
      query: { binary: 'cinder-volume' },
      doing: 'list the cinder-volume services',
      signal,
    },
    ServiceList,
  )
  if (!read.ok) return read
  return ok(
    read.value.services
      .filter(service => service.binary === 'cinder-volume')
      .map(service => ({
        host: service.host,
        zone: service.zone ?? null,
        status: service.status,
        state: service.state,
        disabledReason: service.disabled_reason ?? null,
      })),
  )
}

/** Takes a cinder-volume service out of scheduling with a reason, or puts it back (PUT /os-services/…). */
export async function setVolumeService(
  session: OpenStackSession,
  host: string,
  wanted: { readonly status: 'enabled' } | { readonly status: 'disabled'; readonly reason: string },
  signal?: AbortSignal,
): Promise<Result<void>> {
  const verb = wanted.status === 'enabled' ? 'enable' : 'disable'
  const target = `cinder-volume on ${host}`
  const written = await ask(
    session,
    'block-storage',
    {
      method: 'PUT',
      path: wanted.status === 'enabled' ? '/os-services/enable' : '/os-services/disable-log-reason',
      body: {
        binary: 'cinder-volume',
        host,
        ...(wanted.status === 'enabled' ? {} : { disabled_reason: wanted.reason }),
      },
      doing: `${verb} ${target}`,
      target,
      signal,
    },
    Changed,
    changed =>
      changed.host === host && changed.status === wanted.status
        ? null
        : 'another service, or another status, than asked for',
  )
  return written.ok ? ok(undefined) : written
}
