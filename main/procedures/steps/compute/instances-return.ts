import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { CheckAnswer, VerifyAnswer } from '../../../../shared/domain/plan.ts'
import { ranBefore } from '../../../../shared/domain/ran-before.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import {
  factText,
  INSTANCE_SEEN,
  INSTANCE_STARTED,
  NODE_BEFORE,
  OPERATOR_ANSWERED,
  START_REQUESTED,
  TRY_AGAIN,
} from '../../../../shared/domain/run-facts.ts'
import { type NamedInstance, namedIn } from '../../../../shared/domain/run-history.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { isPassing } from '../../../runs/engine/outlast.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { instanceLabel, instanceSubject } from './classify-instances.ts'
import { readComputeService } from './compute-service.ts'
import { instanceFound, isRunning, noteInstancesOn } from './note-instances.ts'
import { POWER_ACTS, timesAsked } from './times-asked.ts'

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
  verifyEarly: true,
  withinMs: 900_000,
  verifyEveryMs: 1_000,
  undo: 'Stop again what was started, if its owner wants it down.',
  check,
  apply,
  verify,
}

async function check(input: StepInput, ctx: MaintenanceContext): Promise<CheckAnswer> {
  if (ranOn(input, ctx) === null) {
    return input.ran === UNKNOWN
      ? ready(NOT_NOTED, { warnings: [NOT_NOTED] })
      : ready('Looked at when the node is back.')
  }
  const read = await readDown(input, ctx)
  if (!read.ok) return cannotAsk(`The instances on ${nodeOf(input)}`, read.failure)
  const { down } = read.value
  const seen = down.map(instance => instanceFound(instance, ctx))
  if (down.length === 0) return done(NONE_DOWN, { evidence: seen })
  if (ctx.options.startInstances) {
    return ready(`${counted(down.length, 'instance')} to start: ${named(down)}.`, {
      evidence: seen,
      effects: down.map(instance => ({
        kind: 'change' as const,
        target: `instance ${instanceLabel(instance)}`,
        from: instance.vmState === 'active' ? `${instance.status}, but not running` : instance.status,
        to: 'ACTIVE',
      })),
    })
  }
  return ready(`${downWords(down)}.`, { evidence: seen, warnings: [`${downWords(down)}. ${stayDown(down)}`] })
}

async function apply(input: StepInput, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  if (ranOn(input, ctx) === null) {
    await noteInstancesOn(nodeOf(input), ctx)
    return { kind: 'applied', note: NOT_NOTED }
  }
  const read = await readDown(input, ctx)
  if (!read.ok) return { kind: 'failed', failure: read.failure }
  const { down } = read.value
  const started: Instance[] = []
  const refused: string[] = []
  if (ctx.options.startInstances) {
    const answers = await mapLimited(down, STARTED_AT_ONCE, async instance => ({
      instance,
      answer: await start(instance, ctx),
    }))
    if (ctx.signal.aborted) return { kind: 'stopped' }
    for (const { instance, answer } of answers) {
      if (answer === 'started') started.push(instance)
      else if (answer !== 'not-ours' && isPassing(answer)) return { kind: 'failed', failure: answer }
      else if (answer !== 'not-ours') refused.push(`${instanceLabel(instance)}: ${answer.message}`)
    }
  }
  await noteInstancesOn(nodeOf(input), ctx)
  if (refused.length > 0) {
    return {
      kind: 'question',
      question: `${counted(refused.length, 'instance')} could not be started. ${someOf(refused, 10)} Retry asks Nova again; skip leaves them down.`,
      choices: ['retry', 'skip', 'abort'],
    }
  }
  if (down.length === 0) return { kind: 'applied', note: NONE_DOWN }
  if (!ctx.options.startInstances) return { kind: 'applied', note: `${downWords(down)}. ${stayDown(down)}` }
  const names = someOf(started.map(instanceLabel), 10)
  return {
    kind: 'applied',
    note:
      started.length === 0
        ? 'None had to be started any more.'
        : `${counted(started.length, 'instance')} started: ${names}.`,
  }
}

async function verify(input: StepInput, ctx: MaintenanceContext): Promise<VerifyAnswer> {
  if (ranOn(input, ctx) === null) return holds(NOT_NOTED, [])
  const read = await readDown(input, ctx)
  if (!read.ok) return cannotVerify(`The instances that ran on ${nodeOf(input)}`, read.failure)
  // One that was started and is down again is in its owner's hands.
  const down = read.value.down.filter(instance => !isStartedHere(instance, ctx))
  const seen = down.map(instance => instanceFound(instance, ctx))
  if (down.length > 0 && ctx.options.startInstances) {
    return fails(`${downWords(down)}.`, 'Look at why they do not start (`openstack server show`), then resume.', seen)
  }
  const running = read.value.running.filter(instance => !isStartedHere(instance, ctx))
  const isEarly = running.length > 0 && (await mayNovaBeBehind(nodeOf(input), ctx))
  if (isEarly) {
    return fails(
      `Nova says that ${counted(running.length, 'instance')} still ${running.length === 1 ? 'runs' : 'run'} after the reboot: ${named(running)}. It compares that with the host every 10 min.`,
      'Wait, or look on the host (`virsh list`).',
      running.map(instance => instanceFound(instance, ctx)),
    )
  }
  return holds(down.length === 0 ? NONE_DOWN : `${downWords(down)}. ${stayDown(down)}`, seen)
}

/**
 * Whether Nova may not have seen yet what a reboot did to the instances of a node: it was rebooted since the work on it began, and Nova's comparison of power
 * states with the hypervisor (`sync_power_state_interval`, 600 s) has not surely come since this step first looked, after nova-compute was up.
 */
async function mayNovaBeBehind(node: string, ctx: MaintenanceContext): Promise<boolean> {
  const before = ctx.runHistory().findLast(({ fact, subject }) => fact === NODE_BEFORE && subject === `node/${node}`)
  const bootId = before === undefined ? null : factText(before, 'bootId')
  const lookedAt = ctx.history().find(({ fact }) => fact === INSTANCE_SEEN)?.at
  if (bootId === null || lookedAt === undefined || ctx.clock.now() - Date.parse(lookedAt) >= POWER_SYNC_MS) return false
  const now = await ctx.world.kubernetes.getNode(node, ctx.signal)
  return now.ok && now.value.bootId !== bootId
}

const NOT_NOTED =
  'Which instances ran when the maintenance began is not known: nobody noted it. None is started; look at those that are SHUTOFF.'
const NONE_DOWN =
  'By Nova, no instance on it that ran when the maintenance began is down (after a reboot Nova may notice only minutes later).'

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
  return someOf(
    instances.map(instance => `${instanceLabel(instance)}, ${instance.status}`),
    10,
  )
}

/** What ran on the node: as this run noted it, or as the plan knows it from the run that took the node out of service; null: nobody noted it. */
function ranOn(input: StepInput, ctx: MaintenanceContext): readonly NamedInstance[] | null {
  const noted = ranBefore(nodeOf(input), ctx.runHistory())
  return noted ?? (Array.isArray(input.ran) ? namedIn(input.ran) : null)
}

/**
 * Those that ran and are still on the node, down or running: each is asked for by its id, because a list that lacks one proves nothing. One that was moved away
 * or deleted is in nobody's hands but its owner's.
 */
async function readDown(
  input: StepInput,
  ctx: MaintenanceContext,
): Promise<Result<{ readonly down: readonly Instance[]; readonly running: readonly Instance[] }>> {
  const service = await readComputeService(nodeOf(input), ctx)
  if (!service.ok) return service
  const reads = await mapLimited(ranOn(input, ctx) ?? [], READ_AT_ONCE, ({ id }) =>
    cloudOf(ctx).getInstance(id, ctx.signal),
  )
  const broken = reads.find(read => !read.ok && read.failure.code !== 'not-found')
  if (broken !== undefined && !broken.ok) return broken
  const there = reads.flatMap(read => (read.ok && read.value.host === service.value.host ? [read.value] : []))
  const down = there.filter(instance => !isRunning(instance))
  const touched = await touchedSince(down, ranOn(input, ctx) ?? [], ctx)
  if (!touched.ok) return touched
  return ok({ down: down.filter(({ id }) => !touched.value.has(id)), running: there.filter(isRunning) })
}

/** Ids of those that were stopped or started by somebody since a run stopped them, by what it recorded then: how they are now is their owner's wish. */
async function touchedSince(
  down: readonly Instance[],
  ran: readonly NamedInstance[],
  ctx: MaintenanceContext,
): Promise<Result<ReadonlySet<string>>> {
  const touched = new Set<string>()
  for (const instance of down) {
    const recorded = ran.find(({ id }) => id === instance.id)?.powerActs
    // Of one that this run asked to start, its own request would count.
    if (recorded === undefined || isEverAsked(instance, ctx)) continue
    const acts = await timesAsked(instance, POWER_ACTS, ctx)
    if (!acts.ok) return acts
    if (acts.value > recorded) touched.add(instance.id)
  }
  return ok(touched)
}

function isEverAsked({ id }: Instance, ctx: MaintenanceContext): boolean {
  return ctx.history().some(({ fact, subject }) => fact === START_REQUESTED && subject === instanceSubject(id))
}

/** Whether this run has started it already: what its owner did with it since is theirs. */
function isStartedHere({ id }: Instance, ctx: MaintenanceContext): boolean {
  return ctx.history().some(({ fact, subject }) => fact === INSTANCE_STARTED && subject === instanceSubject(id))
}

/** Starts an instance and waits until it runs; answers with why it does not, or that it is nobody's here any more. */
async function start(instance: Instance, ctx: MaintenanceContext): Promise<Failure | 'started' | 'not-ours'> {
  const subject = instanceSubject(instance.id)
  if (isStartedHere(instance, ctx)) return 'not-ours'
  const cloud = cloudOf(ctx)
  const began = ctx.clock.monotonicMs()
  // Of an earlier process or attempt: it is not sent again before a person has seen that it came to nothing.
  let isAsked = isAskedAlready(subject, ctx)
  while (!ctx.signal.aborted) {
    const read = await ctx.outlast(subject, () => cloud.getInstance(instance.id, ctx.signal))
    if (!read.ok) return read.failure.code === 'not-found' ? 'not-ours' : read.failure
    const { name, host, status, powerState, vmState, taskState } = read.value
    // Its owner, or Nova, took it elsewhere meanwhile.
    if (host !== instance.host) return 'not-ours'
    if (isRunning(read.value)) {
      if (!isAsked) return 'not-ours'
      ctx.report(INSTANCE_STARTED, subject, { name, host, status, powerState })
      return 'started'
    }
    // One whose host went down is still active for Nova until Nova has compared that with the hypervisor.
    if (!isAsked && vmState === 'stopped' && taskState === null) {
      ctx.announce(START_REQUESTED, subject, { name })
      const asked = await cloud.startInstance(instance.id)
      if (!asked.ok) return asked.failure
      isAsked = true
    } else if (ctx.clock.monotonicMs() - began > (!isAsked && vmState === 'active' ? POWER_SYNC_MS : GIVEN_UP_MS)) {
      const task = taskState === null ? '' : ` (${taskState})`
      const why = isAsked
        ? `it is ${status}${task} after Nova was asked to start it; its owner may have stopped it again.`
        : `it is ${status}${task}, and Nova starts only what is stopped.`
      return failure('conflict', why, { target: subject })
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
  return 'not-ours'
}

function isAskedAlready(subject: string, ctx: MaintenanceContext): boolean {
  const last = ctx.history().findLast(({ fact, subject: of }) => {
    return fact === OPERATOR_ANSWERED || fact === TRY_AGAIN || (fact === START_REQUESTED && of === subject)
  })
  return last?.fact === START_REQUESTED
}

const READ_AT_ONCE = 8
const STARTED_AT_ONCE = 8
/** As long as one instance that was asked to start is waited for before a person is asked. */
const GIVEN_UP_MS = 60_000
/** After so long Nova has compared the power states of a host's instances with its hypervisor once (nova.conf `sync_power_state_interval`). */
const POWER_SYNC_MS = 600_000
