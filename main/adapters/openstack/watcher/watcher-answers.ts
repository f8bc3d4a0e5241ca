import { z } from 'zod'
import type {
  WatcherAction,
  WatcherActionState,
  WatcherPlan,
  WatcherPlanState,
} from '../../../../shared/domain/watcher.ts'
import type { Row } from '../newest-rows.ts'
import { isoTime } from '../service-times.ts'

const ACTION_STATES: ReadonlySet<string> = new Set<WatcherActionState>([
  'PENDING',
  'ONGOING',
  'SUCCEEDED',
  'FAILED',
  'SKIPPED',
  'CANCELLING',
  'CANCELLED',
  'DELETED',
])
const PLAN_STATES: ReadonlySet<string> = new Set<WatcherPlanState>([
  'RECOMMENDED',
  'PENDING',
  'ONGOING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLING',
  'CANCELLED',
  'SUPERSEDED',
  'DELETED',
])

/** The checked part of the answer to a change; the plan is read again afterwards. */
export const ChangedRecord = z.object({ uuid: z.string().min(1), state: z.string().min(1).optional() })

/** Actions on an instance or a hypervisor, which they name. */
const ON_RESOURCES: ReadonlySet<string> = new Set(['change_nova_service_state', 'migrate', 'stop', 'resize'])

export const StrategyDetail = z.object({
  name: z.string(),
  parameters_spec: z.object({ properties: z.record(z.string(), z.unknown()).optional() }),
})
export const Audit = z.object({
  uuid: z.string().min(1),
  name: z.string().nullish(),
  state: z.string().min(1),
  parameters: z.record(z.string(), z.json()).nullable(),
  status_message: z.string().nullish(),
})
export const ActionPlan = z.object({
  uuid: z.string().min(1),
  audit_uuid: z.string().min(1),
  state: z.string().min(1),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
})
export const Action = z
  .object({
    uuid: z.string().min(1),
    action_plan_uuid: z.string().min(1),
    state: z.string().min(1),
    action_type: z.string().min(1),
    input_parameters: z
      .object({
        resource_id: z.string().nullish(),
        resource_name: z.string().nullish(),
        state: z.string().nullish(),
        migration_type: z.string().nullish(),
        destination_node: z.string().nullish(),
      })
      .nullable(),
    parents: z.array(z.string()).nullable(),
    status_message: z.string().nullish(),
    created_at: z.string().nullish(),
    updated_at: z.string().nullish(),
  })
  .refine(
    ({ action_type: type, input_parameters: given }) => !ON_RESOURCES.has(type) || (given?.resource_id ?? '') !== '',
    'no resource',
  )

/** A plan or action as a row: Watcher's answers have no request ids, so only their times reveal a cached answer. */
export function watcherRow(record: z.infer<typeof ActionPlan> | z.infer<typeof Action>): Row {
  const { uuid: id } = record
  const kind = 'action_type' in record ? 'action' : 'action plan'
  return { key: `${kind}/${id}`, is: { kind, id }, changedAt: record.updated_at ?? record.created_at }
}

/** A plan with its actions in order (docs/domain.md B.2). Unknown states and types are kept as unknown. */
export function watcherPlanOf(
  plan: z.infer<typeof ActionPlan>,
  actions: readonly z.infer<typeof Action>[],
): WatcherPlan {
  return {
    uuid: plan.uuid,
    auditUuid: plan.audit_uuid,
    state: isPlanState(plan.state) ? plan.state : 'UNKNOWN',
    createdAt: isoTime(plan.created_at),
    actions: parentsFirst(actions.map(watcherAction)),
  }
}

function watcherAction(action: z.infer<typeof Action>): WatcherAction {
  const given = action.input_parameters ?? {}
  return {
    uuid: action.uuid,
    state: isActionState(action.state) ? action.state : 'UNKNOWN',
    kind: kindOf(action.action_type, given),
    type: action.action_type,
    resourceId: given.resource_id ?? '',
    resourceName: given.resource_name ?? given.resource_id ?? '',
    destination: given.destination_node ?? null,
    parents: action.parents ?? [],
    statusMessage: action.status_message ?? null,
  }
}

function kindOf(type: string, given: NonNullable<z.infer<typeof Action>['input_parameters']>): WatcherAction['kind'] {
  switch (type) {
    case 'change_nova_service_state':
      if (given.state === 'disabled') return 'disable-service'
      return given.state === 'enabled' ? 'enable-service' : 'other'
    case 'migrate':
      if (given.migration_type === 'live') return 'live-migrate'
      return given.migration_type === 'cold' ? 'cold-migrate' : 'other'
    case 'stop':
      return 'stop'
    default:
      return 'other'
  }
}

/** Actions in an executable order; cycles, which Watcher does not create, come last in their given order. */
function parentsFirst(actions: readonly WatcherAction[]): readonly WatcherAction[] {
  const open = new Set(actions.map(({ uuid }) => uuid))
  const ordered: WatcherAction[] = []
  for (;;) {
    const next = actions.filter(({ uuid, parents }) => open.has(uuid) && parents.every(parent => !open.has(parent)))
    if (next.length === 0) return [...ordered, ...actions.filter(({ uuid }) => open.has(uuid))]
    for (const action of next) open.delete(action.uuid)
    ordered.push(...next)
  }
}

function isActionState(state: string): state is WatcherActionState {
  return ACTION_STATES.has(state)
}

function isPlanState(state: string): state is WatcherPlanState {
  return PLAN_STATES.has(state)
}
