import type { z } from 'zod'
import { seconds } from '../../../../shared/domain/durations.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import type { Clock } from '../../../clock/clock.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import { ask } from '../ask.ts'
import type { OpenStackSession } from '../keystone-session.ts'
import { listAll } from '../pages.ts'
import { listPlans, readPlan } from './read-plan.ts'
import { Audit, AuditTemplate } from './watcher-answers.ts'

type Request = Parameters<WatcherPort['recommend']>[0]

/** How long an audit may stay in one state, as Sunbeam waits (docs/domain.md B.1). */
const STATE_LIMIT_MS = seconds(180)
/** An audit in any other state has ended, and not well. */
const UNDER_WAY: ReadonlySet<string> = new Set(['PENDING', 'ONGOING'])
const FIRST_LOOK_MS = 200
const LATEST_LOOK_MS = seconds(2)

/** Finds or makes the audit template, makes a ONESHOT audit, waits until it is over and reads the plan it made. */
export async function recommend(
  session: OpenStackSession,
  clock: Clock,
  request: Request,
  signal?: AbortSignal,
): Promise<Result<WatcherPlan>> {
  const template = await templateFor(session, request, signal)
  if (!template.ok) return template
  const made = await ask(
    session,
    'infra-optim',
    {
      method: 'POST',
      path: '/audits',
      // The template is told by its UUID: its name is refused.
      body: {
        audit_template_uuid: template.value,
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
  const over = await waitForAudit(session, clock, made.value.uuid, request, signal)
  return over.ok ? planOfAudit(session, made.value.uuid, request, signal) : over
}

async function templateFor(session: OpenStackSession, request: Request, signal?: AbortSignal): Promise<Result<string>> {
  const { goal, strategy } = request
  const found = await findTemplate(session, request, signal)
  if (!found.ok) return found
  if (found.value !== null) return ok(found.value)
  const made = await ask(
    session,
    'infra-optim',
    {
      method: 'POST',
      path: '/audit_templates',
      body: { name: `lockkeeper-${strategy}`, goal, strategy },
      doing: `make an audit template of goal ${goal} and strategy ${strategy}`,
      target: `audit template/lockkeeper-${strategy}`,
      signal,
    },
    AuditTemplate,
    template => (template.name === `lockkeeper-${strategy}` ? null : 'another template'),
  )
  if (made.ok) return ok(made.value.uuid)
  if (made.failure.code !== 'conflict') return made
  // Another console made it at the same time.
  const again = await findTemplate(session, request, signal)
  return again.ok && again.value !== null ? ok(again.value) : made
}

async function findTemplate(
  session: OpenStackSession,
  { goal, strategy }: Request,
  signal?: AbortSignal,
): Promise<Result<string | null>> {
  const templates = await listAll(session, 'infra-optim', {
    collection: 'audit_templates',
    item: AuditTemplate,
    idOf: ({ uuid }) => uuid,
    request: { path: '/audit_templates', doing: 'list the audit templates', signal },
  })
  if (!templates.ok) return templates
  // One with a scope would show Watcher a part of the cloud only.
  const found = templates.value.find(
    ({ goal_name, strategy_name, scope }) =>
      goal_name === goal && strategy_name === strategy && (scope ?? []).length === 0,
  )
  return ok(found?.uuid ?? null)
}

async function waitForAudit(
  session: OpenStackSession,
  clock: Clock,
  uuid: string,
  request: Request,
  signal?: AbortSignal,
): Promise<Result<void>> {
  let state = ''
  let since = clock.monotonicMs()
  let pause = FIRST_LOOK_MS
  for (;;) {
    const read = await ask(
      session,
      'infra-optim',
      { method: 'GET', path: `/audits/${uuid}`, doing: `read the audit ${request.name}`, signal },
      Audit,
      audit => (audit.uuid === uuid ? null : 'another audit'),
    )
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
  if (plan !== undefined) return readPlan(session, plan.uuid, signal)
  return failed(
    failure('not-found', `The audit ${name} (${auditUuid}) succeeded, but Watcher has no action plan of it.`, {
      target: `audit/${auditUuid}`,
    }),
  )
}
