import { z } from 'zod'
import type { JujuActionOutcome, JujuStatus, JujuUnit } from '../../shared/domain/juju.ts'
import type { CommandOutput } from '../maintenance/ports.ts'

/** What is read of a controller's answers; everything else in them is left alone. */
const State = z.object({ status: z.string().default(''), info: z.string().default('') })
const NO_STATE = { status: 'unknown', info: '' }

const Unit = z.object({
  machine: z.string().default(''),
  leader: z.boolean().optional(),
  'workload-status': State.default(NO_STATE),
  'agent-status': State.default(NO_STATE),
})

/** A subordinate is told below the unit whose machine it shares. */
const PrincipalUnit = Unit.extend({ subordinates: z.record(z.string(), Unit).nullish() })

const Machine = z.object({ hostname: z.string().optional() })
const MachineWithContainers = Machine.extend({ containers: z.record(z.string(), Machine).nullish() })

/** Client.FullStatus. */
export const FullStatus = z.object({
  machines: z.record(z.string(), MachineWithContainers).nullish(),
  applications: z.record(z.string(), z.object({ units: z.record(z.string(), PrincipalUnit).nullish() })).nullish(),
})

/** ModelManager.ListModelSummaries; Juju 4 calls the owner a qualifier. */
export const ModelSummaries = z.object({
  results: z
    .array(
      z.object({
        result: z
          .object({
            name: z.string(),
            uuid: z.string(),
            'owner-tag': z.string().optional(),
            qualifier: z.string().optional(),
            'provider-type': z.string().default(''),
          })
          .nullish(),
      }),
    )
    .nullish()
    .transform(results => results ?? []),
})

/** Application.Get. */
export const ApplicationSettings = z.object({ config: z.record(z.string(), z.unknown()) })

const JujuError = z.object({ message: z.string().default(''), code: z.string().default('') })

/** A task as Action.Actions tells it; `error` when there is none of that id, or it was not taken. */
const Task = z.object({
  error: JujuError.nullish(),
  action: z.object({ tag: z.string(), name: z.string().default(''), receiver: z.string().default('') }).nullish(),
  status: z.string().default(''),
  message: z.string().default(''),
  output: z.record(z.string(), z.unknown()).nullish(),
})
export type Task = z.infer<typeof Task>

const Tasks = z
  .array(Task)
  .nullish()
  .transform(tasks => tasks ?? [])

/** Action.EnqueueOperation and Action.Run. */
export const Enqueued = z.object({ actions: Tasks })

/** Action.Actions. */
export const TaskResults = z.object({ results: Tasks })

/** Action.ListOperations. */
export const OperationResults = z.object({
  results: z
    .array(z.object({ actions: Tasks }))
    .nullish()
    .transform(results => results ?? []),
})

/** What a model holds, in the domain's words. */
export function statusOf(
  told: z.infer<typeof FullStatus>,
  model: Pick<JujuStatus, 'model' | 'cloudType' | 'controllerVersion'>,
): JujuStatus {
  const hostnames = new Map<string, string | null>()
  for (const [id, machine] of Object.entries(told.machines ?? {})) {
    hostnames.set(id, machine.hostname ?? null)
    for (const [inner, container] of Object.entries(machine.containers ?? {})) {
      hostnames.set(inner, container.hostname ?? null)
    }
  }
  const units = Object.entries(told.applications ?? {}).flatMap(([, application]) =>
    Object.entries(application.units ?? {}).flatMap(([name, unit]) => [
      unitOf(name, unit, unit.machine, hostnames),
      ...Object.entries(unit.subordinates ?? {}).map(([below, subordinate]) =>
        unitOf(below, subordinate, unit.machine, hostnames),
      ),
    ]),
  )
  return { ...model, units }
}

function unitOf(
  name: string,
  unit: z.infer<typeof Unit>,
  machine: string,
  hostnames: ReadonlyMap<string, string | null>,
): JujuUnit {
  return {
    name,
    application: name.split('/')[0] ?? name,
    machine,
    hostname: hostnames.get(machine) || null,
    workload: { status: unit['workload-status'].status, message: unit['workload-status'].info },
    agent: { status: unit['agent-status'].status, message: unit['agent-status'].info },
    isLeader: unit.leader ?? false,
  }
}

/** Settings by their values; Juju tells each with its type, source and description. */
export function settingsOf(told: z.infer<typeof ApplicationSettings>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(told.config).map(([key, setting]) => [
      key,
      typeof setting === 'object' && setting !== null && ('value' in setting || 'source' in setting)
        ? ((setting as { readonly value?: unknown }).value ?? null)
        : setting,
    ]),
  )
}

/** How a task ended; null while it has not. */
export function outcomeOf(id: string, task: Task): JujuActionOutcome | null {
  const { status, message } = task
  switch (status) {
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'aborted':
    case 'error':
      return { id, status, message, output: task.output ?? {} }
    default:
      return null
  }
}

/** What a command printed; null when it was not run to its end. */
export function commandOutputOf({ status, output }: JujuActionOutcome): CommandOutput | null {
  const exitCode = Number(output['return-code'] ?? Number.NaN)
  if (!Number.isInteger(exitCode)) return null
  // A command that was cut off by its limit did not end with 0.
  if (status !== 'completed' && exitCode === 0) return null
  return { exitCode, stdout: streamOf(output, 'stdout'), stderr: streamOf(output, 'stderr') }
}

/** What is not UTF-8 comes as base64 (Juju `worker/uniter/runner/runner.go`, encodeBytes). */
function streamOf(output: Readonly<Record<string, unknown>>, name: 'stdout' | 'stderr'): string {
  const text = output[name]
  if (typeof text !== 'string') return ''
  return output[`${name}-encoding`] === 'base64' ? Buffer.from(text, 'base64').toString() : text
}
