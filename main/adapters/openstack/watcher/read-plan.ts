import type { z } from 'zod'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { ask } from '../ask.ts'
import type { OpenStackSession } from '../keystone-session.ts'
import { listAll } from '../pages.ts'
import { withHostNames } from './host-names.ts'
import { Action, ActionPlan, watcherPlanOf, watcherRow } from './watcher-answers.ts'

const TO_BE_DONE: ReadonlySet<string> = new Set(['RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING'])

/** An action plan and all its actions, as they are now. */
export async function readPlan(
  session: OpenStackSession,
  uuid: string,
  signal?: AbortSignal,
): Promise<Result<WatcherPlan>> {
  const plan = await ask(
    session,
    'infra-optim',
    {
      method: 'GET',
      path: `/action_plans/${encodeURIComponent(uuid)}`,
      doing: `read the action plan ${uuid}`,
      target: `action plan/${uuid}`,
      signal,
    },
    ActionPlan,
    told => (told.uuid === uuid ? null : 'another plan'),
    told => [watcherRow(told)],
  )
  if (!plan.ok) return plan
  const actions = await listAll(session, 'infra-optim', {
    collection: 'actions',
    item: Action,
    idOf: action => action.uuid,
    rowOf: watcherRow,
    isAsked: action => (action.action_plan_uuid === uuid ? null : 'actions of another plan'),
    request: {
      path: '/actions/detail',
      query: { action_plan_uuid: uuid },
      doing: `list the actions of the action plan ${uuid}`,
      target: `action plan/${uuid}`,
      signal,
    },
  })
  if (!actions.ok) return actions
  // A plan with nothing to do is over when it is made (Watcher decision_engine/planner/*, schedule).
  if (actions.value.length === 0 && TO_BE_DONE.has(plan.value.state)) {
    return failed(
      failure(
        'unreadable',
        `Could not read the action plan ${uuid}: Watcher tells no action of it, although it is ${plan.value.state}. Nothing was learnt from that answer.`,
        { target: `action plan/${uuid}` },
      ),
    )
  }
  return ok(await withHostNames(session, watcherPlanOf(plan.value, actions.value), signal))
}

/** The action plans of one audit, or of all, without their actions. */
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
    isAsked: plan => (auditUuid === undefined || plan.audit_uuid === auditUuid ? null : 'plans of another audit'),
    request: {
      path: '/action_plans',
      query: auditUuid === undefined ? {} : { audit_uuid: auditUuid },
      doing: auditUuid === undefined ? 'list the action plans' : `find the action plan of the audit ${auditUuid}`,
      signal,
    },
  })
}
