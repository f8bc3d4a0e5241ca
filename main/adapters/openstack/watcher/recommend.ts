import type { z } from 'zod'
import { seconds } from '../../../../shared/domain/durations.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import type { Clock } from '../../../clock/clock.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import { ask } from '../ask.ts'
import type { OpenStackSession } from '../keystone-session.ts'
import { listPlans, withActions } from './read-plan.ts'
import { Audit } from './watcher-answers.ts'

type Request = Parameters<WatcherPort['recommend']>[0]

/** How long an audit may stay in one state, as Sunbeam waits (docs/domain.md B.1). */
const STATE_LIMIT_MS = seconds(180)
/** An audit in any other state has ended, and not well. */
const UNDER_WAY: ReadonlySet<string> = new Set(['PENDING', 'ONGOING'])
/** No audit of a real Watcher is over sooner. */
const FIRST_LOOK_MS = 500
const LATEST_LOOK_MS = seconds(2)

/** Makes a ONESHOT audit, waits until it is over and reads the plan it made. */
export async function recommend(
  session: OpenStackSession,
  clock: Clock,
  request: Request,
  signal?: AbortSignal,
): Promise<Result<WatcherPlan>> {
  const made = await ask(
    session,
    'infra-optim',
    {
      method: 'POST',
      path: '/audits',
      // By goal and strategy, not by a template: a template may have a scope, which shows Watcher a part of the cloud only.
      body: {
        goal: request.goal,
        strategy: request.strategy,
        audit_type: 'ONESHOT',
        name: request.name,
        parameters: { ...request.parameters },
      },
      doing: `make the audit ${request.name}`,
      target: `audit/${request.name}`,
      signal,
    },
    Audit,
    audit => (audit.name === request.name ? null : 'another audit'),
  )
  if (!made.ok) return made
  const over = await waitForAudit(session, clock, made.value, request, signal)
  return over.ok ? planOfAudit(session, made.value.uuid, request, signal) : over
}

async function waitForAudit(
  session: OpenStackSession,
  clock: Clock,
  made: z.infer<typeof Audit>,
  request: Request,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const { uuid } = made
  let read: Result<z.infer<typeof Audit>> = ok(made)
  let state = ''
  let since = clock.monotonicMs()
  let pause = FIRST_LOOK_MS
  for (;;) {
    if (!read.ok && !read.failure.retryable) return read
    if (read.ok) {
      if (read.value.state === 'SUCCEEDED') return ok(undefined)
      if (read.value.state === 'CANCELLED') return failed(await auditCancelled(session, uuid, request, signal))
      if (!UNDER_WAY.has(read.value.state)) {
        return failed(auditEnded(read.value, request))
      }
      if (read.value.state !== state) since = clock.monotonicMs()
      state = read.value.state
    }
    if (clock.monotonicMs() - since > STATE_LIMIT_MS) return failed(auditLate(state, uuid, request))
    await clock.sleep(pause, signal)
    if (signal?.aborted) return failed(failure('aborted', `Stopped while the audit ${request.name} was made.`))
    pause = Math.min(LATEST_LOOK_MS, pause * 1.5)
    read = await ask(
      session,
      'infra-optim',
      { method: 'GET', path: `/audits/${uuid}`, doing: `read the audit ${request.name}`, signal },
      Audit,
      audit => (audit.uuid === uuid ? null : 'another audit'),
    )
  }
}

/** Before microversion 1.5 Watcher does not tell why an audit failed: the likeliest cause is named (seen on a real one: a host it does not know). */
function auditEnded(audit: z.infer<typeof Audit>, { name, strategy, parameters }: Request): Failure {
  const host = parameters.maintenance_node
  const told = audit.status_message ?? ''
  const why =
    told !== ''
      ? `Watcher says: ${told}`
      : typeof host === 'string'
        ? `Watcher does not say why. Does it know the host ${host}? Its picture of the cloud may be old.`
        : 'Watcher does not say why.'
  return failure(
    'server-fault',
    `The audit ${name} (${audit.uuid}) of strategy ${strategy} ended ${audit.state}. ${why} The log of watcher-decision-engine tells more.`,
    { target: `audit/${audit.uuid}`, retryable: false },
  )
}

/** Watcher cancels an audit while an action plan is under way (WA decision_engine/audit/base.py, check_ongoing_action_plans). */
async function auditCancelled(
  session: OpenStackSession,
  uuid: string,
  { name }: Request,
  signal?: AbortSignal,
): Promise<Failure> {
  const plans = await listPlans(session, signal)
  const ongoing = plans.ok ? plans.value.filter(({ state }) => state === 'ONGOING' || state === 'CANCELLING') : []
  const under = ongoing.map(plan => plan.uuid).join(', ')
  return failure(
    'conflict',
    `The audit ${name} (${uuid}) was cancelled: Watcher recommends nothing while an action plan is under way${
      under === '' ? '' : `, now ${under}`
    }. Try again when it is over.`,
    { target: `audit/${uuid}`, retryable: true },
  )
}

function auditLate(state: string, uuid: string, { name }: Request): Failure {
  return failure(
    'timed-out',
    `The audit ${name} (${uuid}) is ${state || 'not answered for'} for more than ${STATE_LIMIT_MS / 1_000} s. Is watcher-decision-engine running?`,
    { target: `audit/${uuid}` },
  )
}

async function planOfAudit(
  session: OpenStackSession,
  auditUuid: string,
  { name }: Request,
  signal?: AbortSignal,
): Promise<Result<WatcherPlan>> {
  const plans = await listPlans(session, signal, auditUuid)
  if (!plans.ok) return plans
  const plan = plans.value.find(({ audit_uuid }) => audit_uuid === auditUuid)
  if (plan !== undefined) return withActions(session, plan, signal)
  return failed(
    failure('not-found', `The audit ${name} (${auditUuid}) succeeded, but Watcher has no action plan of it.`, {
      target: `audit/${auditUuid}`,
    }),
  )
}
