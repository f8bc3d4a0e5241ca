import { z } from 'zod'
import type { Volume } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { call } from '../../../shared/words/reasons.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { listAll } from './pages.ts'

const CinderVolume = z.object({ id: z.string().min(1), encrypted: z.boolean(), multiattach: z.boolean() })

/** Volumes per page: Cinder's default maximum (osapi_max_limit). */
const PAGE = '1000'

/** The volumes of all projects. Cinder cannot filter by several ids, and one list costs less than a request per volume. Empty without a block storage service. */
export async function listVolumes(session: OpenStackSession, signal?: AbortSignal): Promise<Result<readonly Volume[]>> {
  if (!session.has('block-storage')) return ok([])
  return listAll(session, 'block-storage', {
    collection: 'volumes',
    item: CinderVolume,
    idOf: volume => volume.id,
    request: {
      path: '/volumes/detail',
      query: { all_tenants: '1', limit: PAGE },
      call: call('ListVolumes'),
      signal,
    },
  })
}
