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

/** Juju's operations and tasks; both take their ids from one sequence, as in Juju. */
export interface JujuTasks {
  enqueue(
    asked: readonly { readonly unit: string; readonly name: string; readonly parameters: JujuTask['parameters'] }[],
  ): { readonly operation: string; readonly tasks: readonly JujuTask[] }
  all(): readonly JujuTask[]
  /** Cancels a task that has not started. */
  cancel(task: JujuTask): void
}

/** Makes the empty list. Tasks start when the agent of their machine answers, one at a time on a machine. */
export function createJujuTasks(parts: {
  readonly clock: Clock
  readonly world: JujuWorld
  readonly faults: JujuFaultTable
  readonly signal: AbortSignal
}): JujuTasks {
  const { clock, world, faults, signal } = parts
  const tasks: JujuTask[] = []
  const lines = new Map<string, Promise<void>>()
  let last = 0
  const nextId = () => {
    last += 1
    return String(last)
  }

  async function run(task: JujuTask, hostname: string): Promise<void> {
    await faults.untilAgentBack(hostname, signal)
    if (task.status !== 'pending' || signal.aborted) return
    task.status = 'running'
    task.started = isoNow(clock)
    const end = await work(task, hostname)
    // An agent that is lost meanwhile reports the result when it is back.
    await faults.untilAgentBack(hostname, signal)
    if (signal.aborted) return
    task.status = end.status
    task.message = end.message
    task.output = end.output
    task.completed = isoNow(clock)
  }

  async function work(
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

  return {
    enqueue: asked => {
      const operation = nextId()
      const added = asked.map(
        ({ unit, name, parameters }): JujuTask => ({
          id: nextId(),
          operation,
          unit,
          name,
          parameters,
          enqueued: isoNow(clock),
          status: 'pending',
          started: null,
          completed: null,
          message: '',
          output: {},
        }),
      )
      for (const task of added) {
        tasks.push(task)
        const hostname = hostnameOf(world, task.unit) ?? ''
        lines.set(
          hostname,
          (lines.get(hostname) ?? Promise.resolve()).then(() => run(task, hostname)),
        )
      }
      return { operation, tasks: added }
    },
    all: () => tasks,
    cancel: task => {
      if (task.status !== 'pending') return
      task.status = 'cancelled'
      task.message = 'action cancelled via the API'
      task.completed = isoNow(clock)
    },
  }
}

/** Returns the machine of a unit; null when the model has no such unit. */
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
