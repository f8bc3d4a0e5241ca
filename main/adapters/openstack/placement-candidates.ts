import { z } from 'zod'
import type { PlacementNeeds } from '../../../shared/domain/placement-needs.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { CloudReads } from '../../ports/openstack.ts'
import { askService } from './ask-service.ts'
import { isAtLeast, print } from './microversion.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { listProviderNames } from './placement-providers.ts'

/** Placement knows named request groups since 1.33, as flavors use them; forbidden traits (1.22) and roots (1.29) came before. */
const ASKED_WITH = { major: 1, minor: 33 }

const Candidates = z.object({
  allocation_requests: z.array(z.object({ allocations: z.record(z.string(), z.looseObject({})) })),
  provider_summaries: z.record(z.string(), z.object({ root_provider_uuid: z.string().min(1) })),
})

/**
 * Names of the hosts where Placement finds room for these resources with these traits, nested providers counted with their host: the first question of Nova's
 * scheduler (Placement API, allocation candidates).
 */
export async function listCandidateHosts(
  session: OpenStackSession,
  needs: PlacementNeeds,
  signal?: AbortSignal,
  reads?: CloudReads,
): Promise<Result<readonly string[]>> {
  const version = await session.microversion('placement', signal)
  if (!version.ok) return version
  if (version.value === null || !isAtLeast(version.value, ASKED_WITH)) {
    return failed(refusal('bad-input', because('PlacementTooOld', { needed: print(ASKED_WITH) })))
  }
  const [names, read] = await Promise.all([
    reads?.providerNames(signal) ?? listProviderNames(session, signal),
    askService(
      session,
      'placement',
      {
        method: 'GET',
        path: '/allocation_candidates',
        query: needs,
        call: call('ListRoomFor', { needs }),
        signal,
      },
      Candidates,
      ({ allocation_requests, provider_summaries }) =>
        allocation_requests.every(({ allocations }) => Object.keys(allocations).every(id => id in provider_summaries))
          ? null
          : because('CandidatesWithoutProviders'),
    ),
  ])
  if (!names.ok) return names
  if (!read.ok) return read
  const { allocation_requests, provider_summaries } = read.value
  const used = allocation_requests.flatMap(({ allocations }) => Object.keys(allocations))
  const roots = new Set(used.flatMap(id => provider_summaries[id]?.root_provider_uuid ?? []))
  return ok(names.value.filter(({ id }) => roots.has(id)).map(({ name }) => name))
}
