import type { Clock } from '../../../platform/clock/clock.ts'
import { isoNow } from '../../../platform/clock/clock.ts'
import type { JujuFaultTable } from './juju-faults.ts'
import type { JujuWorld } from './juju-world.ts'

/** One action on one unit, or one command on its machine. */
export interface JujuTask {
  readonly id: string
  readonly operation: string
  readonly unit: string
  /** The action; `juju-exec` for a command. */
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly enqueued: string
  status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'
  started: string | null
  completed: string | null
  message: string
  output: Readonly<Record<string, unknown>>
}

/** Juju's name for a command in its list of tasks. */
export const EXEC = 'juju-exec'

type TaskRequest = Pick<JujuTask, 'unit' | 'name' | 'parameters'>

/** Juju's operations and tasks; both take their ids from one sequence, as in Juju. */
export interface JujuTasks {
  enqueue(requests: readonly TaskRequest[]): { readonly operation: string; readonly tasks: readonly JujuTask[] }
  all(): readonly JujuTask[]
  cancel(task: JujuTask): void
}

interface TaskParts {
  readonly clock: Clock
  readonly world: JujuWorld
  readonly faults: JujuFaultTable
  readonly signal: AbortSignal
}

interface TaskList extends TaskParts {
  readonly tasks: JujuTask[]
  /** The last task of each machine: the next one waits for it. */
  readonly queues: Map<string, Promise<void>>
  lastId: number
}

/** Makes the empty list. Tasks start when the agent of their machine answers, one at a time on a machine. */
export function createJujuTasks(parts: TaskParts): JujuTasks {
  const list: TaskList = { ...parts, tasks: [], queues: new Map(), lastId: 0 }
  return {
    enqueue: requests => {
      const operation = nextId(list)
      const tasks = requests.map(request => newTask(list, operation, request))
      for (const task of tasks) enqueue(list, task)
      return { operation, tasks }
    },
    all: () => list.tasks,
    cancel: task => {
      if (task.status !== 'pending') return
      task.status = 'cancelled'
      task.message = 'action cancelled via the API'
      task.completed = isoNow(list.clock)
    },
  }
}

function nextId(list: TaskList): string {
  list.lastId += 1
  return String(list.lastId)
}

function newTask(list: TaskList, operation: string, { unit, name, parameters }: TaskRequest): JujuTask {
  return {
    id: nextId(list),
    operation,
    unit,
    name,
    parameters,
    enqueued: isoNow(list.clock),
    status: 'pending',
    started: null,
    completed: null,
    message: '',
    output: {},
  }
}

function enqueue(list: TaskList, task: JujuTask): void {
  list.tasks.push(task)
  const hostname = hostnameOf(list.world, task.unit) ?? ''
  const previous = list.queues.get(hostname) ?? Promise.resolve()
  list.queues.set(
    hostname,
    previous.then(() => runTask(list, task, hostname)),
  )
}

async function runTask({ clock, faults, signal, world }: TaskList, task: JujuTask, hostname: string): Promise<void> {
  await faults.untilAgentBack(hostname, signal)
  if (task.status !== 'pending' || signal.aborted) return
  task.status = 'running'
  task.started = isoNow(clock)
  const end = await workOf(world, faults, task, hostname)
  // An agent that is lost meanwhile reports the result when it is back.
  await faults.untilAgentBack(hostname, signal)
  if (signal.aborted) return
  task.status = end.status
  task.message = end.message
  task.output = end.output
  task.completed = isoNow(clock)
}

async function workOf(
  world: JujuWorld,
  faults: JujuFaultTable,
  task: JujuTask,
  hostname: string,
): Promise<{ status: 'completed' | 'failed'; message: string; output: JujuTask['output'] }> {
  try {
    if (task.name === EXEC) {
      const command = String(task.parameters.command ?? '')
      const { exitCode, stdout, stderr } = await world.onExec({ unit: task.unit, hostname, command })
      const output = { 'return-code': exitCode, ...streamOf('stdout', stdout), ...streamOf('stderr', stderr) }
      return { status: 'completed', message: '', output }
    }
    const scripted = faults.failureOf(task.name, hostname)
    if (scripted !== null) return { status: 'failed', message: scripted, output: { 'return-code': 0 } }
    const handler = world.applications.find(({ name }) => name === applicationOf(task.unit))?.actions[task.name]
    if (handler === undefined) return { status: 'failed', message: 'action not implemented', output: {} }
    const end = await handler({ unit: task.unit, hostname, action: task.name, parameters: task.parameters })
    return { status: end.status, message: end.message ?? '', output: { ...end.output, 'return-code': 0 } }
  } catch (problem) {
    return { status: 'failed', message: problem instanceof Error ? problem.message : String(problem), output: {} }
  }
}

export function hostnameOf(world: JujuWorld, unit: string): string | null {
  const found = world.applications.flatMap(({ units }) => units).find(({ name }) => name === unit)
  return world.machines.find(({ id }) => id === found?.machine)?.hostname ?? null
}

export function applicationOf(unit: string): string {
  return unit.split('/')[0] ?? unit
}

/** Juju omits an empty stream (`worker/uniter/runner/runner.go`, updateActionResults). */
function streamOf(name: 'stdout' | 'stderr', text: string): Readonly<Record<string, string>> {
  return text === '' ? {} : { [name]: text }
}
