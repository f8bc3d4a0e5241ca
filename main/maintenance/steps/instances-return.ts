import { type Failure, failure } from '../../../shared/domain/failure.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { type RanInstance, ranBefore, runningOf } from '../../../shared/domain/ran-before.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { INSTANCE_STARTED, START_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { isPassing } from '../../engine/outlast.ts'
import type { Step, StepInput } from '../../engine/step.ts'
import { cannotAsk, cannotVerify, count, done, fails, holds, ready, some } from '../answers.ts'
import { instanceLabel, instanceSubject, readComputeHost } from '../classify-instances.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../node-input.ts'
import { instanceFound, isRunning, noteInstancesOn } from '../note-instances.ts'
import type { MaintenanceWorld } from '../ports.ts'

const LOOK_EVERY_MS = 1_000

/**
 * How the instances of a node came through its maintenance. One that stayed is off after a reboot and stays so: Nova starts it by itself only with
 * `resume_guests_state_on_host_boot`, and the OpenStack Controller never does. They are named, and started where the operator chose that.
 */
export const instancesReturn: Step<MaintenanceWorld> = {
  kind: 'instances-return',
  role: 'compute',
  risk: 'reversible',
  why: 'An instance that stayed on a node goes down with it, and nobody starts it by itself.',
  title: input => `See how the instances of ${nodeOf(input)} came through`,
  verifyEarly: false,
  withinMs: 600_000,
  verifyEveryMs: 1_000,
  undo: 'Stop again what was started, if its owner wants it down.',
  check: async (input, ctx) => {
    if (ranOn(input, ctx) === null) return ready('Looked at when the node is back.')
    const read = await readDown(input, ctx)
    if (!read.ok) return cannotAsk(`The instances on ${nodeOf(input)}`, read.failure)
    const down = read.value
    const seen = down.map(instance => instanceFound(instance, ctx))
    if (down.length === 0) return done(NONE_DOWN, { evidence: seen })
    if (ctx.options.startInstances) {
      return ready(`${count(down.length, 'instance')} to start: ${named(down)}.`, {
        evidence: seen,
        effects: down.map(instance => ({
          kind: 'change' as const,
          target: `instance ${instanceLabel(instance)}`,
          from: instance.status,
          to: 'ACTIVE',
        })),
      })
    }
    return ready(`${downWords(down)}.`, { evidence: seen, warnings: [`${downWords(down)}. ${stayDown(down)}`] })
  },
  apply: async (input, ctx) => {
    const read = await readDown(input, ctx)
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    const refused: string[] = []
    if (ctx.options.startInstances) {
      for (const instance of read.value) {
        const why = await start(instance, ctx)
        if (ctx.signal.aborted) return { kind: 'stopped' }
        if (why !== null && isPassing(why)) return { kind: 'failed', failure: why }
        if (why !== null) refused.push(`${instanceLabel(instance)}: ${why.message}`)
      }
    }
    await noteInstancesOn(nodeOf(input), ctx)
    if (refused.length > 0) {
      return {
        kind: 'question',
        question: `${count(refused.length, 'instance')} could not be started. ${some(refused, 10)} Retry asks Nova again; skip leaves them down.`,
        choices: ['retry', 'skip', 'abort'],
      }
    }
    if (read.value.length === 0) return { kind: 'applied', note: NONE_DOWN }
    return ctx.options.startInstances
      ? { kind: 'applied', note: `${count(read.value.length, 'instance')} started: ${named(read.value)}.` }
      : { kind: 'applied', note: `${downWords(read.value)}. ${stayDown(read.value)}` }
  },
  verify: async (input, ctx) => {
    const read = await readDown(input, ctx)
    if (!read.ok) return cannotVerify(`The instances on ${nodeOf(input)}`, read.failure)
    const down = read.value
    const seen = down.map(instance => instanceFound(instance, ctx))
    if (down.length === 0) return holds(NONE_DOWN, seen)
    return ctx.options.startInstances
      ? fails(`${downWords(down)}.`, 'Look at why they do not start (`openstack server show`), then resume.', seen)
      : holds(`${downWords(down)}. ${stayDown(down)}`, seen)
  },
}

const NONE_DOWN = 'No instance on it that ran when the maintenance began is down.'

function downWords(down: readonly Instance[]): string {
  const are =
    down.length === 1
      ? 'instance that ran when the maintenance began is down'
      : 'instances that ran when the maintenance began are down'
  return `${down.length} ${are}: ${named(down)}`
}

function stayDown({ length }: readonly Instance[]): string {
  return length === 1
    ? 'It stays so until somebody starts it: choose --start-instances, or leave it to its owner.'
    : 'They stay so until somebody starts them: choose --start-instances, or leave it to their owners.'
}

function named(instances: readonly Instance[]): string {
  return some(
    instances.map(instance => `${instanceLabel(instance)}, ${instance.status}`),
    10,
  )
}

/** What ran on the node: as the plan knows it from the run that took the node out of service, or as this run noted it. */
function ranOn(input: StepInput, ctx: MaintenanceContext): readonly RanInstance[] | null {
  const noted = ranBefore(nodeOf(input), ctx.runHistory())
  return noted ?? (input.ran === null ? null : runningOf({ values: { running: input.ran ?? null } }))
}

/** Those that ran and are still on the node, down. One that was moved away is in nobody's hands but its owner's. */
async function readDown(input: StepInput, ctx: MaintenanceContext): Promise<Result<readonly Instance[]>> {
  const ran = new Set((ranOn(input, ctx) ?? []).map(({ id }) => id))
  const host = await readComputeHost(nodeOf(input), ctx)
  if (!host.ok) return host
  return ok(
    host.value.instances.flatMap(({ instance }) => (ran.has(instance.id) && !isRunning(instance) ? [instance] : [])),
  )
}

/** Starts an instance and waits until it runs; answers with why it does not. */
async function start(instance: Instance, ctx: MaintenanceContext): Promise<Failure | null> {
  const subject = instanceSubject(instance.id)
  const cloud = cloudOf(ctx)
  // Its owner may have started it, or moved or deleted it, since the host was looked at.
  const fresh = await cloud.getInstance(instance.id, ctx.signal)
  if (!fresh.ok) return fresh.failure.code === 'not-found' ? null : fresh.failure
  if (fresh.value.host !== instance.host) return null
  if (fresh.value.vmState === 'stopped' && fresh.value.taskState === null) {
    ctx.announce(START_REQUESTED, subject, { name: instance.name })
    const asked = await cloud.startInstance(instance.id)
    if (!asked.ok) return asked.failure
  }
  const began = ctx.clock.monotonicMs()
  while (!ctx.signal.aborted) {
    const read = await ctx.outlast(subject, () => cloud.getInstance(instance.id, ctx.signal))
    if (!read.ok) return read.failure.code === 'not-found' ? null : read.failure
    const { name, host, status, powerState, vmState, taskState } = read.value
    if (isRunning(read.value)) {
      ctx.report(INSTANCE_STARTED, subject, { name, host, status, powerState })
      return null
    }
    if (taskState === null && vmState !== 'active' && ctx.clock.monotonicMs() - began > GIVEN_UP_MS) {
      return failure('conflict', `it is ${status} after Nova was asked to start it.`, { target: subject })
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
  return null
}

/** Nova has taken the order and shows no task any more: a while for its answer to catch up, no longer. */
const GIVEN_UP_MS = 30_000
