import { z } from 'zod'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { moveOf } from '../../../../shared/domain/watcher-moves.ts'
import { because, call } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { askService } from '../ask-service.ts'
import type { OpenStackSession } from '../openstack-session.ts'
import { listAll } from '../pages.ts'
import { Action, ActionPlan, watcherPlanOf, watcherRow } from './watcher-answers.ts'

const TO_BE_DONE: ReadonlySet<string> = new Set(['RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING'])

export async function readPlan(
  session: OpenStackSession,
  uuid: string,
  signal?: AbortSignal,
): Promise<Result<WatcherPlan>> {
  const plan = await readPlanAlone(session, uuid, signal)
  return plan.ok ? withActions(session, plan.value, signal) : plan
}

/** A plan without its actions. */
export function readPlanAlone(
  session: OpenStackSession,
  uuid: string,
  signal?: AbortSignal,
): Promise<Result<z.infer<typeof ActionPlan>>> {
  return askService(
    session,
    'infra-optim',
    {
      method: 'GET',
      path: `/action_plans/${encodeURIComponent(uuid)}`,
      call: call('ReadActionPlan', { plan: uuid }),
      target: `action plan/${uuid}`,
      signal,
    },
    ActionPlan,
    reported => (reported.uuid === uuid ? null : because('OtherOne', { kind: 'plan' })),
    reported => [watcherRow(reported)],
  )
}

export async function withActions(
  session: OpenStackSession,
  plan: z.infer<typeof ActionPlan>,
  signal?: AbortSignal,
): Promise<Result<WatcherPlan>> {
  const { uuid, state } = plan
  const actions = await listAll(session, 'infra-optim', {
    collection: 'actions',
    item: Action,
    idOf: action => action.uuid,
    rowOf: watcherRow,
    isAsked: action =>
      action.action_plan_uuid === uuid ? null : because('OnesOfOther', { kind: 'action', of: 'plan' }),
    request: {
      path: '/actions/detail',
      query: { action_plan_uuid: uuid },
      call: call('ListActionsOfPlan', { plan: uuid }),
      target: `action plan/${uuid}`,
      signal,
    },
  })
  if (!actions.ok) return actions
  // A plan without actions is finished on creation (Watcher decision_engine/planner/*, schedule).
  if (actions.value.length === 0 && TO_BE_DONE.has(state)) {
    return failed(
      refusal('unreadable', because('PlanWithoutActions', { plan: uuid, state }), { target: `action plan/${uuid}` }),
    )
  }
  return ok(
    await withInstanceNames(session, await withHostNames(session, watcherPlanOf(plan, actions.value), signal), signal),
  )
}

export function listPlans(
  session: OpenStackSession,
  signal?: AbortSignal,
  auditUuid?: string,
): Promise<Result<readonly z.infer<typeof ActionPlan>[]>> {
  return listAll(session, 'infra-optim', {
    collection: 'action_plans',
    item: ActionPlan,
    idOf: ({ uuid }) => uuid,
    rowOf: watcherRow,
    isAsked: plan =>
      auditUuid === undefined || plan.audit_uuid === auditUuid
        ? null
        : because('OnesOfOther', { kind: 'plan', of: 'audit' }),
    request: {
      // Only details contain the creation time.
      path: auditUuid === undefined ? '/action_plans' : '/action_plans/detail',
      query: auditUuid === undefined ? {} : { audit_uuid: auditUuid },
      call: auditUuid === undefined ? call('ListActionPlans') : call('FindPlanOfAudit', { id: auditUuid }),
      signal,
    },
  })
}

const Providers = z.object({ resource_providers: z.array(z.object({ uuid: z.string(), name: z.string() })) })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const known = new WeakMap<OpenStackSession, Map<string, string>>()

/** Replaces the UUIDs of destination hosts by names: Watcher uses the UUID of the resource provider. Unknown UUIDs stay. */
async function withHostNames(session: OpenStackSession, plan: WatcherPlan, signal?: AbortSignal): Promise<WatcherPlan> {
  const names = known.get(session) ?? new Map<string, string>()
  known.set(session, names)
  const wanted = plan.actions.flatMap(({ destination }) =>
    destination !== null && UUID.test(destination) ? [destination] : [],
  )
  if (wanted.some(uuid => !names.has(uuid))) {
    const read = await askService(
      session,
      'placement',
      { method: 'GET', path: '/resource_providers', call: call('NameHostsOfPlan'), signal },
      Providers,
    )
    for (const { uuid, name } of read.ok ? read.value.resource_providers : []) names.set(uuid, name)
  }
  if (wanted.length === 0) return plan
  return {
    ...plan,
    actions: plan.actions.map(action => {
      const name = action.destination === null ? undefined : names.get(action.destination)
      return name === undefined ? action : { ...action, destination: name }
    }),
  }
}

const NamedServer = z.object({ server: z.object({ id: z.string(), name: z.string() }) })

/** Watcher names the instances that it stops by id only (seen on 17.0, host_maintenance.py). Each name is read from Nova once per session; unknown ids stay. */
async function withInstanceNames(
  session: OpenStackSession,
  plan: WatcherPlan,
  signal?: AbortSignal,
): Promise<WatcherPlan> {
  const nameless = plan.actions.filter(action => moveOf(action) !== null && action.resourceName === action.resourceId)
  if (nameless.length === 0) return plan
  for (const { resourceId } of nameless) {
    if (session.names.nameOf(resourceId) !== null) continue
    const path = `/servers/${encodeURIComponent(resourceId)}`
    const read = await askService(
      session,
      'compute',
      { method: 'GET', path, call: call('NameInstancesOfPlan'), signal },
      NamedServer,
      ({ server }) => (server.id === resourceId ? null : because('OtherOne', { kind: 'instance' })),
    )
    if (read.ok) session.names.received(resourceId, read.value.server.name)
  }
  const unnamed = new Set(nameless.map(({ uuid }) => uuid))
  return {
    ...plan,
    actions: plan.actions.map(action =>
      unnamed.has(action.uuid)
        ? { ...action, resourceName: session.names.nameOf(action.resourceId) ?? action.resourceId }
        : action,
    ),
  }
}
