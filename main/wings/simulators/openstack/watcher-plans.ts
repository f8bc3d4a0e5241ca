import type { ApiAnswer } from './http.ts'
import type { Route } from './routes.ts'
import { setState } from './watcher-applier.ts'
import {
  linksOf,
  notFound,
  page,
  patchError,
  patchedState,
  SKIP_MINOR,
  type WatcherCall,
  type WatcherRoute,
  watcherError,
  watcherTime,
} from './watcher-call.ts'
import type { Action, ActionPlan, PlanState } from './watcher-records.ts'

/** Action plans, their actions, and Watcher's own services. */
export const watcherPlans: readonly Route<WatcherRoute>[] = [
  { method: 'GET', path: '/action_plans', to: { rule: 'action_plan:get_all', answer: call => listPlans(call, false) } },
  {
    method: 'GET',
    path: '/action_plans/detail',
    to: { rule: 'action_plan:detail', answer: call => listPlans(call, true) },
  },
  { method: 'GET', path: '/action_plans/:id', to: { rule: 'action_plan:get', answer: onPlan(showPlan) } },
  { method: 'PATCH', path: '/action_plans/:id', to: { rule: 'action_plan:update', answer: onPlan(patchPlan) } },
  { method: 'POST', path: '/action_plans/:id/start', to: { rule: 'action_plan:start', answer: onPlan(startPlan) } },
  { method: 'GET', path: '/actions', to: { rule: 'action:get_all', answer: call => listActions(call, false) } },
  { method: 'GET', path: '/actions/detail', to: { rule: 'action:detail', answer: call => listActions(call, true) } },
  { method: 'GET', path: '/actions/:id', to: { rule: 'action:get', answer: onAction(showAction) } },
  { method: 'PATCH', path: '/actions/:id', to: { rule: 'action:update', answer: onAction(skipAction) } },
  { method: 'GET', path: '/services', to: { rule: 'service:get_all', answer: listServices } },
]

function onPlan(answer: (call: WatcherCall, plan: ActionPlan) => ApiAnswer): WatcherRoute['answer'] {
  return call => {
    const plan = call.records.plans.find(each => each.uuid === call.params.id)
    return plan === undefined ? notFound('ActionPlan', call.params.id ?? '') : answer(call, plan)
  }
}

function onAction(answer: (call: WatcherCall, action: Action, plan: ActionPlan) => ApiAnswer): WatcherRoute['answer'] {
  return call => {
    for (const plan of call.records.plans) {
      const action = plan.actions.find(each => each.uuid === call.params.id)
      if (action !== undefined) return answer(call, action, plan)
    }
    return notFound('Action', call.params.id ?? '')
  }
}

function listPlans(call: WatcherCall, detailed: boolean): ApiAnswer {
  const audit = call.request.query.get('audit_uuid')
  const strategy = call.request.query.get('strategy')
  const rows = call.records.plans.filter(
    plan =>
      (audit === null || plan.audit.uuid === audit) &&
      (strategy === null || plan.audit.strategy.uuid === strategy || plan.audit.strategy.name === strategy),
  )
  return page(call, 'action_plans', rows, row => planView(call, row, detailed))
}

function planView(call: WatcherCall, plan: ActionPlan, detailed: boolean) {
  return {
    efficacy_indicators: [],
    uuid: plan.uuid,
    audit_uuid: plan.audit.uuid,
    strategy_uuid: plan.audit.strategy.uuid,
    strategy_name: plan.audit.strategy.name,
    global_efficacy: [],
    state: plan.state,
    links: linksOf(call, 'action_plans', plan.uuid),
    updated_at: watcherTime(plan.updatedAt),
    ...(detailed
      ? {
          hostname: plan.state === 'RECOMMENDED' || plan.state === 'PENDING' ? null : 'watcher-0',
          created_at: watcherTime(plan.createdAt),
          deleted_at: null,
          ...(call.minor >= SKIP_MINOR ? { status_message: plan.statusMessage } : {}),
        }
      : {}),
  }
}

function showPlan(call: WatcherCall, plan: ActionPlan): ApiAnswer {
  return { status: 200, json: planView(call, plan, true) }
}

function startPlan(call: WatcherCall, plan: ActionPlan): ApiAnswer {
  if (plan.state !== 'RECOMMENDED') return watcherError(400, `Couldn't start when state is '${plan.state}'.`)
  setState(plan, 'PENDING', call.now)
  const answer = showPlan(call, plan)
  call.engine.launch(plan)
  return answer
}

const TRANSITIONS: Readonly<Partial<Record<PlanState, readonly PlanState[]>>> = {
  RECOMMENDED: ['PENDING', 'CANCELLED'],
  ONGOING: ['CANCELLING'],
  PENDING: ['CANCELLED'],
}

function patchPlan(call: WatcherCall, plan: ActionPlan): ApiAnswer {
  const asked = patchedState(call.request.body)
  if (asked === null) return patchError(call, 'only the state can be changed')
  const wanted = TRANSITIONS[plan.state]?.find(state => state === asked.state)
  if (wanted === undefined) return patchError(call, `State transition not allowed: (${plan.state} -> ${asked.state})`)
  setState(plan, wanted, call.now)
  if (wanted === 'PENDING') call.engine.launch(plan)
  if (wanted === 'CANCELLED') for (const action of plan.actions) setState(action, 'CANCELLED', call.now)
  return showPlan(call, plan)
}

function listActions(call: WatcherCall, detailed: boolean): ApiAnswer {
  const plan = call.request.query.get('action_plan_uuid')
  const audit = call.request.query.get('audit_uuid')
  const rows = call.records.plans
    .filter(each => (plan === null || each.uuid === plan) && (audit === null || each.audit.uuid === audit))
    .flatMap(each => each.actions.map(action => ({ uuid: action.uuid, action, plan: each })))
  return page(call, 'actions', rows, row => actionView(call, row.action, row.plan, detailed))
}

function actionView(call: WatcherCall, action: Action, plan: ActionPlan, detailed: boolean) {
  return {
    uuid: action.uuid,
    action_plan_uuid: plan.uuid,
    state: action.state,
    action_type: action.type,
    parents: action.parents,
    links: linksOf(call, 'actions', action.uuid),
    ...(detailed
      ? {
          description: DESCRIPTIONS[action.type],
          input_parameters: action.input,
          created_at: watcherTime(action.createdAt),
          deleted_at: null,
          updated_at: watcherTime(action.updatedAt),
          ...(call.minor >= SKIP_MINOR ? { status_message: action.statusMessage } : {}),
        }
      : {}),
  }
}

const DESCRIPTIONS: Readonly<Record<Action['type'], string>> = {
  change_nova_service_state:
    'Disables or enables the nova-compute service.A disabled nova-compute service can not be selected by the nova for future deployment of new server.',
  migrate: 'Moving a VM instance from source_node to destination_node',
  stop: 'Stop a VM instance',
}

function showAction(call: WatcherCall, action: Action, plan: ActionPlan): ApiAnswer {
  return { status: 200, json: actionView(call, action, plan, true) }
}

function skipAction(call: WatcherCall, action: Action, plan: ActionPlan): ApiAnswer {
  if (call.minor < SKIP_MINOR) return watcherError(406, 'Request not acceptable.')
  const asked = patchedState(call.request.body)
  if (asked === null) return patchError(call, 'only the state can be changed')
  if (asked.state !== 'SKIPPED' || action.state !== 'PENDING')
    return patchError(call, `State transition not allowed: (${action.state} -> ${asked.state})`)
  if (plan.state !== 'RECOMMENDED' && plan.state !== 'PENDING')
    return patchError(call, `State update not allowed for actionplan state: ${plan.state}`)
  const by = 'Action skipped by user.'
  action.statusMessage = asked.message === null ? by : `${by} Reason: ${asked.message}`
  setState(action, 'SKIPPED', call.now)
  return showAction(call, action, plan)
}

function listServices(call: WatcherCall): ApiAnswer {
  const services = ['watcher-decision-engine', 'watcher-applier'].map((name, index) => ({
    id: index + 1,
    name,
    host: 'watcher-0',
    last_seen_up: watcherTime(call.now),
    status: 'ACTIVE',
    links: linksOf(call, 'services', String(index + 1)),
  }))
  return { status: 200, json: { services } }
}
