import { z } from 'zod'
import type { Result } from '../../../../shared/domain/result.ts'
import { because, call } from '../../../../shared/words/reasons.ts'
import type { OpenStackSession } from '../openstack-session.ts'
import { askProbes, lists, type PolicyProbe, type Probe, provesNothing } from '../policy-probe.ts'

/** A goal of no Watcher: version 4 UUIDs are random. */
const NO_GOAL = '00000000-0000-4000-8000-000000000000'
const FACTS = { service: 'infra-optim', onFailure: provesNothing, unclear: because('SaysNothing') } as const
const isStrategy = (body: unknown) =>
  z.object({ name: z.literal('host_maintenance') }).safeParse(body).success ? true : 'unknown'

/** Reads, and requests an audit of a missing goal: Watcher checks the policy first and then rejects the goal. */
const PROBES: readonly Probe[] = [
  {
    ...FACTS,
    need: call('ReadEmptyingStrategy'),
    rule: 'strategy:get',
    request: { method: 'GET', path: '/strategies/host_maintenance' },
    onAnswer: isStrategy,
  },
  {
    ...FACTS,
    need: call('AskRecommendation'),
    rule: 'audit:create',
    request: { method: 'POST', path: '/audits', body: { goal: NO_GOAL, audit_type: 'ONESHOT' } },
    onAnswer: provesNothing,
    onFailure: ({ code }) => (code === 'bad-input' || code === 'not-found' ? true : 'unknown'),
  },
  {
    ...FACTS,
    need: call('ListWatcherPlans'),
    rule: 'action_plan:get_all',
    request: { method: 'GET', path: '/action_plans', query: { limit: '1' } },
    onAnswer: lists('action_plans'),
  },
]

/** Checks whether Watcher's policy allows a plan to empty a host, without creating anything. */
export async function probeWatcherPolicies(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly PolicyProbe[]>> {
  return askProbes(session, PROBES, signal)
}
