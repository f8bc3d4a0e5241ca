import type { z } from 'zod'
import { seconds } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { because, call } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import { askService } from '../ask-service.ts'
import type { OpenStackSession } from '../openstack-session.ts'
import { listPlans, withActions } from './read-plan.ts'
import { Audit } from './watcher-answers.ts'

type Request = Parameters<WatcherPort['recommend']>[0]

/** How long an audit may stay in one state, as in Sunbeam (docs/domain.md B.1). */
const STATE_LIMIT_MS = seconds(180)
/** In any other state the audit has failed. */
const UNDER_WAY: ReadonlySet<string> = new Set(['PENDING', 'ONGOING'])
/** No real Watcher finishes an audit faster. */
const FIRST_LOOK_MS = 500
const LATEST_LOOK_MS = seconds(2)

const OTHER_AUDIT = because('OtherOne', { kind: 'audit' })

export async function recommend(
  session: OpenStackSession,
  clock: Clock,
  request: Request,
  signal?: AbortSignal,
): Promise<Result<WatcherPlan>> {
  const made = await askService(
    session,
    'infra-optim',
    {
      method: 'POST',
      path: '/audits',
      // By goal and strategy, without a template: a template may limit Watcher to a part of the cloud.
      body: {
        goal: request.goal,
        strategy: request.strategy,
        audit_type: 'ONESHOT',
        name: request.name,
        parameters: { ...request.parameters },
      },
      call: call('MakeAudit', { audit: request.name }),
      target: `audit/${request.name}`,
      signal,
    },
    Audit,
    audit => (audit.name === request.name ? null : OTHER_AUDIT),
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
    if (clock.monotonicMs() - since > STATE_LIMIT_MS) return failed(auditTooLate(state, uuid, request))
    await clock.sleep(pause, signal)
    if (signal?.aborted) return failed(refusal('aborted', because('AuditStopped', { audit: request.name })))
    pause = Math.min(LATEST_LOOK_MS, pause * 1.5)
    read = await askService(
      session,
      'infra-optim',
      { method: 'GET', path: `/audits/${uuid}`, call: call('ReadAudit', { audit: request.name }), signal },
      Audit,
      audit => (audit.uuid === uuid ? null : OTHER_AUDIT),
    )
  }
}

/** Before microversion 1.5 Watcher does not say why an audit failed (seen on a real one: unknown host). */
function auditEnded(
  { uuid, state, status_message: reported }: z.infer<typeof Audit>,
  { name, strategy, parameters }: Request,
): Failure {
  const host = parameters.maintenance_node
  return refusal(
    'server-fault',
    because('AuditEnded', {
      audit: name,
      id: uuid,
      strategy,
      state,
      output: reported || null,
      host: typeof host === 'string' ? host : null,
    }),
    { target: `audit/${uuid}`, retryable: false },
  )
}

/** Watcher cancels an audit while an action plan is running (WA decision_engine/audit/base.py, check_ongoing_action_plans). */
async function auditCancelled(
  session: OpenStackSession,
  uuid: string,
  { name }: Request,
  signal?: AbortSignal,
): Promise<Failure> {
  const plans = await listPlans(session, signal)
  const ongoing = plans.ok ? plans.value.filter(({ state }) => state === 'ONGOING' || state === 'CANCELLING') : []
  return refusal(
    'conflict',
    because('AuditCancelled', { audit: name, id: uuid, plans: namesOf(ongoing.map(plan => plan.uuid)) }),
    { target: `audit/${uuid}`, retryable: true },
  )
}

function auditTooLate(state: string, uuid: string, { name }: Request): Failure {
  return refusal(
    'timed-out',
    because('AuditLate', { audit: name, id: uuid, state: state || null, seconds: STATE_LIMIT_MS / 1_000 }),
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
    refusal('not-found', because('AuditWithoutPlan', { audit: name, id: auditUuid }), {
      target: `audit/${auditUuid}`,
    }),
  )
}
