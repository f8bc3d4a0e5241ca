import { z } from 'zod'
import type { FailoverHost, FailoverRecovery } from '../../../shared/domain/masakari.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { askService } from './ask-service.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { listAll } from './pages.ts'
import { isoTime } from './service-times.ts'

const Segment = z.object({ uuid: z.string().min(1), name: z.string() })

/** A host of GET /segments/{segment_id}/hosts (masakari/api/openstack/ha/views/hosts.py). */
const Host = z.object({
  uuid: z.string().min(1),
  name: z.string().min(1),
  failover_segment_id: z.string().min(1),
  on_maintenance: z.boolean(),
})
const HostDocument = z.object({ host: Host })

/** The states of failures that Masakari still handles (masakari/ha/api.py, is_failover_segment_under_recovery). */
const UNFINISHED = ['new', 'running', 'error'] as const

const Notification = z.object({
  notification_uuid: z.string().min(1),
  source_host_uuid: z.string().min(1),
  type: z.string(),
  status: z.enum([...UNFINISHED, 'finished', 'ignored', 'failed']),
  generated_time: z.string().nullish(),
})

/** An explicit limit, so that a full page is recognized as incomplete. */
const PAGE = '100'

/** The hosts of every failover segment; empty without Masakari. */
export async function listFailoverHosts(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly FailoverHost[]>> {
  if (!session.has('instance-ha')) return ok([])
  const segments = await listAll(session, 'instance-ha', {
    collection: 'segments',
    item: Segment,
    idOf: ({ uuid }) => uuid,
    request: { path: '/segments', query: { limit: PAGE }, call: call('ListFailoverSegments'), signal },
  })
  if (!segments.ok) return segments
  const all: FailoverHost[] = []
  for (const { uuid, name } of segments.value) {
    const hosts = await listAll(session, 'instance-ha', {
      collection: 'hosts',
      item: Host,
      idOf: host => host.uuid,
      isAsked: host => (host.failover_segment_id === uuid ? null : because('HostsOfOtherSegment')),
      request: {
        path: `/segments/${encodeURIComponent(uuid)}/hosts`,
        query: { limit: PAGE },
        call: call('ListFailoverHosts', { segment: name }),
        target: `segment/${name}`,
        signal,
      },
    })
    // A removed segment has no hosts.
    if (!hosts.ok && hosts.failure.code === 'not-found') continue
    if (!hosts.ok) return hosts
    all.push(
      ...hosts.value.map(host => ({
        id: host.uuid,
        host: host.name,
        segmentId: uuid,
        segmentName: name,
        onMaintenance: host.on_maintenance,
      })),
    )
  }
  return ok(all)
}

/** Sets or clears a host's maintenance flag. Masakari refuses with 409 while it handles a failure in the segment (masakari/ha/api.py, HostInUse). */
export async function setOnMaintenance(
  session: OpenStackSession,
  { id, host, segmentId }: Pick<FailoverHost, 'id' | 'host' | 'segmentId'>,
  onMaintenance: boolean,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const written = await askService(
    session,
    'instance-ha',
    {
      method: 'PUT',
      path: `/segments/${encodeURIComponent(segmentId)}/hosts/${encodeURIComponent(id)}`,
      body: { host: { on_maintenance: onMaintenance } },
      call: call(onMaintenance ? 'SetOnMaintenance' : 'ClearOnMaintenance', { host }),
      target: `masakari-host/${host}`,
      signal,
    },
    HostDocument,
    answer =>
      answer.host.uuid === id && answer.host.on_maintenance === onMaintenance
        ? null
        : because('FailoverHostNotAsAsked'),
  )
  return written.ok ? ok(undefined) : written
}

export async function listRecoveries(
  session: OpenStackSession,
  { id, host }: Pick<FailoverHost, 'id' | 'host'>,
  signal?: AbortSignal,
): Promise<Result<readonly FailoverRecovery[]>> {
  const found: FailoverRecovery[] = []
  for (const status of UNFINISHED) {
    const listed = await listAll(session, 'instance-ha', {
      collection: 'notifications',
      item: Notification,
      idOf: ({ notification_uuid }) => notification_uuid,
      isAsked: each =>
        each.source_host_uuid === id && each.status === status ? null : because('NotificationsOfOthers'),
      request: {
        path: '/notifications',
        query: { source_host_uuid: id, status, limit: PAGE },
        call: call('ListRecoveries', { host }),
        target: `masakari-host/${host}`,
        signal,
      },
    })
    if (!listed.ok) return failed(listed.failure)
    found.push(
      ...listed.value.map(({ notification_uuid, type, generated_time }) => ({
        id: notification_uuid,
        of: RECOVERED_PARTS[type] ?? ('process' as const),
        status,
        since: isoTime(generated_time ?? null),
      })),
    )
  }
  return ok(found)
}

const RECOVERED_PARTS: Readonly<Record<string, FailoverRecovery['of']>> = { COMPUTE_HOST: 'host', VM: 'instance' }
