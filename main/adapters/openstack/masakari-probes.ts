import type { Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { askProbes, lists, type PolicyProbe, type Probe, provesNothing } from './policy-probe.ts'

/** A segment and a host that do not exist: version 4 UUIDs are random. */
const NOBODY = '00000000-0000-4000-8000-000000000000'
const unclear = because('SaysNothing')

/** Reads a host of a missing segment: Masakari checks the policy first and then reports the segment missing. */
const PROBES: readonly Probe[] = [
  {
    service: 'instance-ha',
    need: call('ListFailoverSegments'),
    rule: 'os_masakari_api:segments:index',
    request: { method: 'GET', path: '/segments', query: { limit: '1' } },
    onAnswer: lists('segments'),
    onFailure: provesNothing,
    unclear,
  },
  {
    service: 'instance-ha',
    need: call('SetOnMaintenanceOfAny'),
    rule: 'os_masakari_api:os-hosts:update',
    request: { method: 'PUT', path: `/segments/${NOBODY}/hosts/${NOBODY}`, body: { host: { on_maintenance: true } } },
    onAnswer: provesNothing,
    onFailure: ({ code }) => (code === 'not-found' ? true : 'unknown'),
    unclear,
  },
]

/** Checks whether Masakari's policy allows maintenance notices, without changing anything. */
export async function probeMasakariPolicies(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly PolicyProbe[]>> {
  return askProbes(session, PROBES, signal)
}
