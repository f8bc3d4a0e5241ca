import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { mapLimited } from '../../../shared/domain/map-limited.ts'
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

/** In the input of a plan that was made although nobody noted what ran. */
export const UNKNOWN = 'unknown'

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
    if (ranOn(input, ctx) === null) {
      return input.ran === UNKNOWN
        ? ready(NOT_NOTED, { warnings: [NOT_NOTED] })
        : ready('Looked at when the node is back.')
    }
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
    if (ranOn(input, ctx) === null) {
      await noteInstancesOn(nodeOf(input), ctx)
      return { kind: 'applied', note: NOT_NOTED }
    }
    const read = await readDown(input, ctx)
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    const refused: string[] = []
    if (ctx.options.startInstances) {
      const whys = await mapLimited(read.value, STARTED_AT_ONCE, instance => start(instance, ctx))
      if (ctx.signal.aborted) return { kind: 'stopped' }
      const passing = whys.find(why => why !== null && isPassing(why))
      if (passing !== undefined && passing !== null) return { kind: 'failed', failure: passing }
      whys.forEach((why, at) => {
        const instance = read.value[at]
        if (why !== null && instance !== undefined) refused.push(`${instanceLabel(instance)}: ${why.message}`)
      })
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
    if (ranOn(input, ctx) === null) return holds(NOT_NOTED, [])
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

const NOT_NOTED =
  'Which instances ran when the maintenance began is not known: nobody noted it. None is started; look at those that are SHUTOFF.'
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

/** What ran on the node: as this run noted it, or as the plan knows it from the run that took the node out of service; null: nobody noted it. */
function ranOn(input: StepInput, ctx: MaintenanceContext): readonly RanInstance[] | null {
  const noted = ranBefore(nodeOf(input), ctx.runHistory())
  return noted ?? (Array.isArray(input.ran) ? runningOf({ values: { running: input.ran } }) : null)
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
  const began = ctx.clock.monotonicMs()
  let isAsked = false
  while (!ctx.signal.aborted) {
    const read = await ctx.outlast(subject, () => cloud.getInstance(instance.id, ctx.signal))
    if (!read.ok) return read.failure.code === 'not-found' ? null : read.failure
    const { name, host, status, powerState, vmState, taskState } = read.value
    // Its owner, or Nova, took it elsewhere meanwhile.
    if (host !== instance.host) return null
    if (isRunning(read.value)) {
      if (isAsked) ctx.report(INSTANCE_STARTED, subject, { name, host, status, powerState })
      return null
    }
    // One whose host went down is still active for Nova until Nova has compared that with the hypervisor.
    if (!isAsked && vmState === 'stopped' && taskState === null) {
      ctx.announce(START_REQUESTED, subject, { name })
      const asked = await cloud.startInstance(instance.id)
      if (!asked.ok) return asked.failure
      isAsked = true
    } else if (ctx.clock.monotonicMs() - began > GIVEN_UP_MS) {
      const task = taskState === null ? '' : ` (${taskState})`
      const why = isAsked
        ? `it is ${status}${task} after Nova was asked to start it.`
        : `it is ${status}${task}, and Nova starts only what is stopped.`
      return failure('conflict', why, { target: subject })
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
  return null
}

const STARTED_AT_ONCE = 8
/** As long as one instance is waited for before a person is asked. */
const GIVEN_UP_MS = 60_000
