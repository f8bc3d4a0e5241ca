import type { Clock } from '../../../platform/clock/clock.ts'
import type { JujuFaultTable } from './juju-faults.ts'
import { fullStatus } from './juju-status.ts'
import { applicationOf, EXEC, hostnameOf, type JujuTask, type JujuTasks } from './juju-tasks.ts'
import type { JujuWorld } from './juju-world.ts'

/** The state that the calls of the simulated controller work on. */
export interface JujuApiParts {
  readonly clock: Clock
  readonly world: JujuWorld
  readonly tasks: JujuTasks
  readonly faults: JujuFaultTable
  readonly controllerUuid: string
  readonly modelUuid: string
  readonly version: string
}

/** An error that Juju returns as the answer. */
export class JujuRefusal extends Error {
  override readonly name = 'JujuRefusal'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

type Params = Readonly<Record<string, unknown>>
type Call = (params: Params, parts: JujuApiParts) => unknown

/** The controller's facade versions in Juju 3.6, without those that the simulator lacks. */
export const CONTROLLER_FACADES: Readonly<Record<string, readonly number[]>> = { ModelManager: [9, 10], Pinger: [1] }
/** The same for a model. */
export const MODEL_FACADES: Readonly<Record<string, readonly number[]>> = {
  Action: [7],
  Application: [15, 16, 17, 18, 19],
  Client: [6, 7, 8],
  Pinger: [1],
}

/** The calls that need a login, by facade and method. */
export const CALLS: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['Pinger.Ping', () => ({})],
  ['ModelManager.ListModelSummaries', (_params, parts) => ({ results: [{ result: summaryOf(parts) }] })],
  ['Client.FullStatus', (_params, { world, ...parts }) => fullStatus(world, parts)],
  ['Application.Get', (params, parts) => applicationSettings(textOf(params.application), parts)],
  ['Action.EnqueueOperation', enqueueOperation],
  ['Action.Run', runCommands],
  ['Action.Actions', (params, parts) => ({ results: eachTag(params, tag => taskResult(tag, parts)) })],
  ['Action.Operations', (params, parts) => ({ results: eachTag(params, tag => operationResult(tag, parts)) })],
  ['Action.ListOperations', listOperations],
  ['Action.Cancel', cancel],
])

function summaryOf({ world, controllerUuid, modelUuid, version }: JujuApiParts): unknown {
  return {
    name: world.model.name,
    uuid: modelUuid,
    type: 'iaas',
    'controller-uuid': controllerUuid,
    'is-controller': false,
    'provider-type': world.model.cloudType,
    'cloud-tag': `cloud-${world.model.cloudType}`,
    'owner-tag': `user-${world.model.owner}`,
    life: 'alive',
    'user-access': 'admin',
    'last-connection': null,
    'agent-version': version,
    counts: [{ entity: 'machines', count: world.machines.length }],
    sla: { level: 'unsupported', owner: '' },
  }
}

function applicationSettings(name: string, { world }: JujuApiParts): unknown {
  const application = world.applications.find(each => each.name === name)
  if (application === undefined) throw new JujuRefusal(`application "${name}" not found`, 'not found')
  return {
    application: name,
    charm: name,
    config: Object.fromEntries(
      Object.entries(application.config).map(([key, value]) => [
        key,
        { default: value, description: '', source: 'default', type: typeof value, value },
      ]),
    ),
    'application-config': {},
    constraints: {},
    base: { name: 'ubuntu', channel: '24.04/stable' },
    channel: 'stable',
    'endpoint-bindings': {},
  }
}

function enqueueOperation(params: Params, parts: JujuApiParts): unknown {
  const asked = listOf(params.actions).map(recordOf)
  const answers = asked.map(action => {
    const unit = unitOfTag(textOf(action.receiver))
    const name = textOf(action.name)
    if (hostnameOf(parts.world, unit) === null) return refused(`unit "${unit}" not found`, 'not found')
    const known = parts.world.applications.find(each => each.name === applicationOf(unit))?.actions ?? {}
    if (!(name in known)) return refused(`action "${name}" not defined on unit "${unit}"`, '')
    return { unit, name, parameters: recordOf(action.parameters) }
  })
  const { operation, tasks } = parts.tasks.enqueue(answers.flatMap(answer => ('error' in answer ? [] : [answer])))
  let next = 0
  return {
    operation: `operation-${operation}`,
    actions: answers.map(answer => {
      if ('error' in answer) return answer
      const task = tasks[next]
      next += 1
      return task === undefined ? refused('no task', '') : viewOf(task)
    }),
  }
}

function runCommands(params: Params, parts: JujuApiParts): unknown {
  const units = listOf(params.units).map(textOf)
  const missing = units.find(unit => hostnameOf(parts.world, unit) === null)
  if (missing !== undefined) throw new JujuRefusal(`unit "${missing}" not found`, 'not found')
  const parameters = { command: textOf(params.commands), timeout: params.timeout ?? 0 }
  const { operation, tasks } = parts.tasks.enqueue(units.map(unit => ({ unit, name: EXEC, parameters })))
  return { operation: `operation-${operation}`, actions: tasks.map(viewOf) }
}

function taskResult(tag: string, { tasks }: JujuApiParts): unknown {
  const task = tasks.all().find(({ id }) => `action-${id}` === tag)
  return task === undefined ? refused(`action "${tag}" not found`, 'not found') : viewOf(task)
}

function operationResult(tag: string, { tasks }: JujuApiParts): unknown {
  const own = tasks.all().filter(({ operation }) => `operation-${operation}` === tag)
  return own.length === 0 ? refused(`operation "${tag}" not found`, 'not found') : operationOf(own)
}

const DEFAULT_LIMIT = 50

function listOperations(params: Params, { tasks }: JujuApiParts): unknown {
  const units = listOf(params.units).map(textOf)
  const names = listOf(params.actions).map(textOf)
  const own = tasks
    .all()
    .filter(task => units.length === 0 || units.includes(task.unit))
    .filter(task => names.length === 0 || names.includes(task.name))
  const operations = [...new Set(own.map(({ operation }) => operation))]
  // Juju lists the oldest first, and 50 without a limit (`state/operation.go`).
  const limit = typeof params.limit === 'number' && params.limit > 0 ? params.limit : DEFAULT_LIMIT
  return {
    results: operations.slice(0, limit).map(id => operationOf(own.filter(({ operation }) => operation === id))),
    truncated: operations.length > limit,
  }
}

function cancel(params: Params, parts: JujuApiParts): unknown {
  return {
    results: eachTag(params, tag => {
      const task = parts.tasks.all().find(({ id }) => `action-${id}` === tag)
      if (task !== undefined) parts.tasks.cancel(task)
      return taskResult(tag, parts)
    }),
  }
}

function operationOf(tasks: readonly JujuTask[]): unknown {
  const first = tasks[0]
  return {
    operation: `operation-${first?.operation}`,
    summary: `${first?.name} run on ${tasks.map(({ unit }) => `unit-${unit.replace('/', '-')}`).join(',')}`,
    enqueued: first?.enqueued,
    status: tasks.every(({ status }) => status === 'completed') ? 'completed' : (first?.status ?? 'pending'),
    actions: tasks.map(viewOf),
  }
}

/** Go's zero time, for a time that is not set. */
const NEVER = '0001-01-01T00:00:00Z'

function viewOf(task: JujuTask): Readonly<Record<string, unknown>> {
  return {
    action: {
      tag: `action-${task.id}`,
      receiver: `unit-${task.unit.replace('/', '-')}`,
      name: task.name,
      parameters: task.parameters,
    },
    enqueued: task.enqueued,
    started: task.started ?? NEVER,
    completed: task.completed ?? NEVER,
    status: task.status,
    message: task.message,
    output: task.output,
    log: [],
  }
}

function refused(
  message: string,
  code: string,
): { readonly error: { readonly message: string; readonly code: string } } {
  return { error: { message, code } }
}

function unitOfTag(tag: string): string {
  return tag.replace(/^unit-/, '').replace(/-(\d+)$/, '/$1')
}

function eachTag(params: Params, answer: (tag: string) => unknown): readonly unknown[] {
  return listOf(params.entities).map(entity => answer(textOf(recordOf(entity).tag)))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}
