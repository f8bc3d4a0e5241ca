import { randomUUID } from 'node:crypto'
import { type ApiAnswer, asObject } from './http.ts'
import type { Route } from './routes.ts'
import {
  linksOf,
  notFound,
  page,
  SKIP_MINOR,
  UUID,
  type WatcherCall,
  type WatcherRoute,
  watcherError,
  watcherTime,
} from './watcher-call.ts'
import { GOALS, type GoalSpec, type StrategySpec } from './watcher-goals.ts'
import type { Audit, AuditTemplate } from './watcher-records.ts'

/** Goals, strategies, audit templates and audits. */
export const watcherAudits: readonly Route<WatcherRoute>[] = [
  get('/goals', 'goal:get_all', call => page(call, 'goals', GOALS, goal => goalView(call, goal))),
  get('/strategies', 'strategy:get_all', call => listStrategies(call, false)),
  get('/strategies/detail', 'strategy:detail', call => listStrategies(call, true)),
  get('/strategies/:id', 'strategy:get', call => {
    const found = call.strategies.find(({ uuid, name }) => uuid === call.params.id || name === call.params.id)
    return found === undefined
      ? notFound('Strategy', call.params.id ?? '')
      : { status: 200, json: strategyView(call, found, true) }
  }),
  get('/strategies/:id/state', 'strategy:state', call => {
    const found = call.strategies.find(({ uuid, name }) => uuid === call.params.id || name === call.params.id)
    return found === undefined ? notFound('Strategy', call.params.id ?? '') : { status: 200, json: requirements(found) }
  }),
  get('/audit_templates', 'audit_template:get_all', call => {
    const rows = call.records.templates.filter(({ strategy }) => fitsQuery(call, strategy))
    return page(call, 'audit_templates', rows, row => templateView(call, row, false))
  }),
  { method: 'POST', path: '/audit_templates', to: { rule: 'audit_template:create', answer: createTemplate } },
  get('/audits', 'audit:get_all', call => listAudits(call, false)),
  get('/audits/detail', 'audit:detail', call => listAudits(call, true)),
  get('/audits/:id', 'audit:get', call => {
    const found = call.records.audits.find(({ uuid, name }) => uuid === call.params.id || name === call.params.id)
    return found === undefined
      ? notFound('Audit', call.params.id ?? '')
      : { status: 200, json: auditView(call, found, true) }
  }),
  { method: 'POST', path: '/audits', to: { rule: 'audit:create', answer: createAudit } },
]

function get(path: string, rule: string, answer: WatcherRoute['answer']): Route<WatcherRoute> {
  return { method: 'GET', path, to: { rule, answer } }
}

function fitsQuery(call: WatcherCall, strategy: StrategySpec): boolean {
  const { query } = call.request
  const fits = (asked: string | null, { uuid, name }: { readonly uuid: string; readonly name: string }) =>
    asked === null || asked === uuid || asked === name
  return fits(query.get('goal'), strategy.goal) && fits(query.get('strategy'), strategy)
}

function goalView(call: WatcherCall, goal: GoalSpec) {
  return {
    uuid: goal.uuid,
    name: goal.name,
    display_name: goal.displayName,
    efficacy_specification: [],
    links: linksOf(call, 'goals', goal.uuid),
  }
}

function listStrategies(call: WatcherCall, detailed: boolean): ApiAnswer {
  const rows = call.strategies.filter(strategy => fitsQuery(call, strategy))
  return page(call, 'strategies', rows, row => strategyView(call, row, detailed))
}

function strategyView(call: WatcherCall, strategy: StrategySpec, detailed: boolean) {
  return {
    uuid: strategy.uuid,
    name: strategy.name,
    display_name: strategy.displayName,
    links: linksOf(call, 'strategies', strategy.uuid),
    ...goalOf(strategy),
    ...(detailed
      ? {
          parameters_spec: {
            properties: strategy.parameters,
            ...(strategy.required.length === 0 ? {} : { required: strategy.required }),
          },
        }
      : {}),
  }
}

function requirements({ name, datasource }: StrategySpec) {
  const of = (type: string, state: unknown, mandatory: unknown) => ({ type, state, mandatory, comment: '' })
  const models = [{ compute_model: 'not available' }, { storage_model: 'not available' }]
  return [of('Datasource', datasource, true), of('Metrics', [], false), of('CDM', models, true), of('Name', name, '')]
}

function goalOf({ goal }: StrategySpec) {
  return { goal_uuid: goal.uuid, goal_name: goal.name }
}

function ofStrategy(strategy: StrategySpec) {
  return { ...goalOf(strategy), strategy_uuid: strategy.uuid, strategy_name: strategy.name }
}

function templateView(call: WatcherCall, template: AuditTemplate, detailed: boolean) {
  return {
    uuid: template.uuid,
    name: template.name,
    ...ofStrategy(template.strategy),
    links: linksOf(call, 'audit_templates', template.uuid),
    scope: [],
    ...(detailed
      ? {
          description: template.description,
          created_at: watcherTime(template.createdAt),
          deleted_at: null,
          updated_at: null,
        }
      : {}),
  }
}

function createTemplate(call: WatcherCall): ApiAnswer {
  const { name, goal, strategy, description } = asObject(call.request.body)
  if (typeof name !== 'string' || name === '') return watcherError(400, 'Missing mandatory field: name')
  const found = findStrategy(call, goal, strategy)
  if (found === undefined) return watcherError(400, 'The strategy or goal is invalid')
  if (call.records.templates.some(each => each.name === name))
    return watcherError(409, `An audit_template with UUID or name ${name} already exists`)
  const template: AuditTemplate = {
    uuid: randomUUID(),
    name,
    description: typeof description === 'string' ? description : null,
    strategy: found,
    createdAt: call.now,
  }
  call.records.templates.push(template)
  return created(call, 'audit_templates', template.uuid, templateView(call, template, true))
}

function findStrategy(call: WatcherCall, goal: unknown, strategy: unknown): StrategySpec | undefined {
  const ofGoal = call.strategies.filter(each => each.goal.uuid === goal || each.goal.name === goal)
  return strategy === undefined || strategy === null
    ? ofGoal[0]
    : ofGoal.find(each => each.uuid === strategy || each.name === strategy)
}

function listAudits(call: WatcherCall, detailed: boolean): ApiAnswer {
  const rows = call.records.audits.filter(({ strategy }) => fitsQuery(call, strategy))
  return page(call, 'audits', rows, row => auditView(call, row, detailed))
}

function auditView(call: WatcherCall, audit: Audit, detailed: boolean) {
  return {
    uuid: audit.uuid,
    name: audit.name,
    audit_type: 'ONESHOT',
    state: audit.state,
    ...ofStrategy(audit.strategy),
    links: linksOf(call, 'audits', audit.uuid),
    interval: null,
    scope: [],
    auto_trigger: false,
    next_run_time: null,
    ...(detailed
      ? {
          parameters: audit.parameters,
          hostname: audit.state === 'PENDING' ? null : 'watcher-0',
          force: audit.force,
          created_at: watcherTime(audit.createdAt),
          deleted_at: null,
          updated_at: watcherTime(audit.updatedAt),
          ...(call.minor >= SKIP_MINOR ? { status_message: audit.statusMessage } : {}),
        }
      : {}),
  }
}

function createAudit(call: WatcherCall): ApiAnswer {
  const asked = asObject(call.request.body)
  const template = asked.audit_template_uuid
  if (template !== undefined && !UUID.test(String(template)))
    return watcherError(
      400,
      `Invalid input for field/attribute audit_p. Value: '${JSON.stringify(asked)}'. Expected a uuid but received ${template}`,
    )
  const strategy =
    template === undefined
      ? findStrategy(call, asked.goal, asked.strategy)
      : call.records.templates.find(each => each.uuid === template)?.strategy
  if (strategy === undefined) return watcherError(400, 'The audit template UUID or name specified is invalid')
  if (asked.audit_type !== 'ONESHOT')
    return watcherError(400, `Audit type ${String(asked.audit_type)} is not run by the demo cloud`)
  const parameters = asObject(asked.parameters)
  const unknown = Object.keys(parameters).find(name => !Object.hasOwn(strategy.parameters, name))
  if (unknown !== undefined) return watcherError(400, `Audit parameter ${unknown} are not allowed`)
  const name = typeof asked.name === 'string' ? asked.name : `${strategy.name}-${new Date(call.now).toISOString()}`
  if (call.records.audits.some(each => each.name === name))
    return watcherError(409, `An audit with UUID or name ${name} already exists`)
  const audit: Audit = {
    uuid: randomUUID(),
    name,
    strategy,
    parameters,
    force: asked.force === true,
    createdAt: call.now,
    state: 'PENDING',
    updatedAt: null,
    statusMessage: null,
  }
  call.records.audits.push(audit)
  const view = auditView(call, audit, true)
  call.engine.audit(audit)
  return created(call, 'audits', audit.uuid, view)
}

function created(call: WatcherCall, kind: string, uuid: string, json: unknown): ApiAnswer {
  return { status: 201, headers: { location: `${call.request.base}/v1/${kind}/${uuid}` }, json }
}
