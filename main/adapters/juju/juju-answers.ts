import { z } from 'zod'
import type { JujuActionOutcome, JujuStatus, JujuUnit } from '../../../shared/domain/juju.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { CommandOutput } from '../../ports/kubernetes.ts'

const State = z.object({ status: z.string().min(1), info: z.string().default('') })

const Unit = z.object({
  // Empty without a machine, and for a subordinate.
  machine: z.string(),
  leader: z.boolean().optional(),
  'workload-status': State,
  'agent-status': State,
})

/** Juju lists a subordinate below the unit whose machine it shares. */
const PrincipalUnit = Unit.extend({ subordinates: z.record(z.string(), Unit).nullish() })

const Machine = z.object({ hostname: z.string().optional() })
const MachineWithContainers = Machine.extend({ containers: z.record(z.string(), Machine).nullish() })

export const FullStatus = z.object({
  model: z.object({ name: z.string().min(1) }),
  machines: z.record(z.string(), MachineWithContainers).nullable(),
  applications: z.record(z.string(), z.object({ units: z.record(z.string(), PrincipalUnit).nullish() })).nullable(),
})

/** ModelManager.ListModelSummaries; Juju 4 calls the owner a qualifier. */
export const ModelSummaries = z.object({
  results: z
    .array(
      z.object({
        result: z
          .object({
            name: z.string().min(1),
            uuid: z.string().min(1),
            'owner-tag': z.string().optional(),
            qualifier: z.string().optional(),
            'provider-type': z.string().default(''),
          })
          .nullish(),
      }),
    )
    .nullable()
    .transform(results => results ?? []),
})

export const ApplicationSettings = z.object({ application: z.string(), config: z.record(z.string(), z.unknown()) })

const JujuError = z.object({ message: z.string().default(''), code: z.string().default('') })

/** A task from Action.Actions; `error` if Juju does not have it or did not accept it. */
const Task = z
  .object({
    error: JujuError.nullish(),
    action: z
      .object({ tag: z.string().startsWith('action-'), name: z.string(), receiver: z.string().min(1) })
      .nullish(),
    status: z
      .enum(['pending', 'running', 'completed', 'failed', 'cancelled', 'aborting', 'aborted', 'error'])
      .or(z.literal(''))
      .default(''),
    message: z.string().default(''),
    output: z.record(z.string(), z.unknown()).nullish(),
  })
  .refine(({ error, action, status }) => (error?.message ?? '') !== '' || (action?.tag !== undefined && status !== ''))
export type Task = z.infer<typeof Task>

const OneTask = z.tuple([Task])

const Tasks = z
  .array(Task)
  .nullable()
  .transform(tasks => tasks ?? [])

export const Enqueued = z.object({ actions: OneTask })

export const TaskResults = z.object({ results: OneTask })

export const OperationResults = z.object({
  results: z
    .array(z.object({ actions: Tasks }))
    .nullable()
    .transform(results => results ?? []),
})

/** Why a status belongs to another model; null if it matches. */
export function isStatusOf(reported: z.infer<typeof FullStatus>, model: string): Finding | null {
  if (reported.model.name !== model.split('/').at(-1)) return because('JujuAnswerOfOtherModel')
  const units = Object.values(reported.applications ?? {}).flatMap(({ units }) => Object.values(units ?? {}))
  const isKnown = (machine: string) =>
    machine === '' || machine.includes('/') || Object.hasOwn(reported.machines ?? {}, machine)
  return units.every(({ machine }) => isKnown(machine)) ? null : because('JujuMachineUntold')
}

export function statusOf(
  reported: z.infer<typeof FullStatus>,
  model: Pick<JujuStatus, 'model' | 'cloudType' | 'controllerVersion'>,
): JujuStatus {
  const hostnames = new Map<string, string | null>()
  for (const [id, machine] of Object.entries(reported.machines ?? {})) {
    hostnames.set(id, machine.hostname ?? null)
    for (const [inner, container] of Object.entries(machine.containers ?? {})) {
      hostnames.set(inner, container.hostname ?? null)
    }
  }
  const units = Object.entries(reported.applications ?? {}).flatMap(([, application]) =>
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

export function settingsOf(reported: z.infer<typeof ApplicationSettings>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(reported.config).map(([key, setting]) => [
      key,
      typeof setting === 'object' && setting !== null && ('value' in setting || 'source' in setting)
        ? ((setting as { readonly value?: unknown }).value ?? null)
        : setting,
    ]),
  )
}

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

export function commandOutputOf({ status, output }: JujuActionOutcome): CommandOutput | null {
  const returnCode = z
    .union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)])
    .safeParse(output['return-code'])
  if (!returnCode.success) return null
  const exitCode = returnCode.data
  // A command cut off by its limit did not exit with 0.
  if (status !== 'completed' && exitCode === 0) return null
  return { exitCode, stdout: streamOf(output, 'stdout'), stderr: streamOf(output, 'stderr') }
}

/** Bytes that are not UTF-8 come as base64 (Juju `worker/uniter/runner/runner.go`, encodeBytes). */
function streamOf(output: Readonly<Record<string, unknown>>, name: 'stdout' | 'stderr'): string {
  const text = output[name]
  if (typeof text !== 'string') return ''
  return output[`${name}-encoding`] === 'base64' ? Buffer.from(text, 'base64').toString() : text
}
