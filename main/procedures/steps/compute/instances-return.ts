import type { Failure } from '../../../../shared/domain/failure.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
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
import type { CheckAnswer, VerifyAnswer } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { itemsOf, labelOf } from '../../../../shared/words/steps/coded.ts'
import { beforeStartText } from '../../../../shared/words/steps/compute-return.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { isPassing } from '../../../runs/engine/transient-retry.ts'
import { applied, asks, cannotAsk, cannotVerify, done, fails, holds, ready, refusal } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import { readComputeService } from './compute-service.ts'
import { instanceFound, isRunning, noteInstancesOn } from './note-instances.ts'
import { POWER_ACTS, timesAsked } from './times-asked.ts'

const LOOK_EVERY_MS = 1_000

/** The plan has no record of the running instances. */
export const UNKNOWN = 'unknown'

/**
 * An instance that stayed is off after a reboot, and neither Nova nor a controller starts it: lists them, or starts them if the operator chose that.
 */
export const instancesReturn: Step<MaintenanceWorld> = {
  kind: 'instances-return',
  role: 'compute',
  risk: 'reversible',
  ...stepText('instances-return'),
  verifyEarly: true,
  withinMs: 900_000,
  // Longer than Nova may lag: otherwise a corrected clock would fail the run.
  verifyWithinMs: 720_000,
  verifyEveryMs: 1_000,
  check,
  apply,
  verify,
}

async function check(input: StepInput, ctx: MaintenanceContext): Promise<CheckAnswer> {
  if (ranOn(input, ctx) === null) {
    return input.ran === UNKNOWN
      ? ready(found('NotNotedWhatRan'), { warnings: [found('NotNotedWhatRan')] })
      : ready(found('SeenWhenNodeIsBack'))
  }
  const read = await readDown(input, ctx)
  if (!read.ok) return cannotAsk(thing('InstancesOnNode', { node: nodeOf(input) }), read.failure)
  const { down } = read.value
  const seen = down.map(instance => instanceFound(instance, ctx))
  if (down.length === 0) return done(found('NoneIsDown'), { evidence: seen })
  if (ctx.options.startInstances) {
    return ready(found('InstancesToStart', { instances: statesOf(down) }), {
      evidence: seen,
      effects: down.map(instance => ({
        kind: 'change' as const,
        target: `instance ${labelOf(instance)}`,
        from: beforeStartText(instance),
        to: 'ACTIVE',
      })),
    })
  }
  const instances = statesOf(down)
  return ready(found('InstancesAreDown', { instances }), {
    evidence: seen,
    warnings: [found('InstancesStayDown', { instances })],
  })
}

async function apply(input: StepInput, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  if (ranOn(input, ctx) === null) {
    await noteInstancesOn(nodeOf(input), ctx)
    return applied(found('NotNotedWhatRan'))
  }
  const read = await readDown(input, ctx)
  if (!read.ok) return { kind: 'failed', failure: read.failure }
  const { down } = read.value
  const started: Instance[] = []
  const refused: Refused[] = []
  if (ctx.options.startInstances) {
    const answers = await mapLimited(down, STARTED_AT_ONCE, async instance => ({
      instance,
      answer: await start(instance, ctx),
    }))
    if (ctx.signal.aborted) return { kind: 'stopped' }
    for (const { instance, answer } of answers) {
      if (answer === 'started') started.push(instance)
      else if (answer !== 'not-ours' && isPassing(answer)) return { kind: 'failed', failure: answer }
      else if (answer !== 'not-ours') refused.push({ ...ofInstance(instance), cause: answer.message })
    }
  }
  await noteInstancesOn(nodeOf(input), ctx)
  if (refused.length > 0) {
    return asks(fault('InstancesNotStarted', { refused: itemsOf(refused) }), ['retry', 'skip', 'abort'])
  }
  if (down.length === 0) return applied(found('NoneIsDown'))
  if (!ctx.options.startInstances) return applied(found('InstancesStayDown', { instances: statesOf(down) }))
  return applied(
    started.length === 0
      ? found('NoneHadToBeStarted')
      : found('InstancesStarted', { instances: itemsOf(started.map(ofInstance)) }),
  )
}

async function verify(input: StepInput, ctx: MaintenanceContext): Promise<VerifyAnswer> {
  if (ranOn(input, ctx) === null) return holds(found('NotNotedWhatRan'), [])
  const read = await readDown(input, ctx)
  if (!read.ok) return cannotVerify(thing('InstancesThatRan', { node: nodeOf(input) }), read.failure)
  // Its owner decides about one that was started and is off again.
  const down = read.value.down.filter(instance => !isStartedHere(instance, ctx))
  const seen = down.map(instance => instanceFound(instance, ctx))
  if (down.length > 0 && ctx.options.startInstances) {
    return fails(fault('InstancesDoNotStart', { instances: statesOf(down) }), seen)
  }
  const running = read.value.running.filter(instance => !isStartedHere(instance, ctx))
  const isEarly = running.length > 0 && (await mayNovaBeBehind(nodeOf(input), ctx))
  if (isEarly) {
    return fails(
      fault('RunByNovaAfterReboot', { instances: statesOf(running) }),
      running.map(instance => instanceFound(instance, ctx)),
    )
  }
  return holds(
    down.length === 0 ? found('NoneIsDown') : found('InstancesStayDown', { instances: statesOf(down) }),
    seen,
  )
}

/** Nova compares power states with the hypervisor every 600 s (`sync_power_state_interval`), so after a reboot it may not know yet who is off. */
async function mayNovaBeBehind(node: string, ctx: MaintenanceContext): Promise<boolean> {
  const before = ctx.runHistory().findLast(({ fact, subject }) => fact === NODE_BEFORE && subject === `node/${node}`)
  const bootId = before === undefined ? null : factText(before, 'bootId')
  const lookedAt = ctx.history().find(({ fact }) => fact === INSTANCE_SEEN)?.at
  if (bootId === null || lookedAt === undefined || ctx.clock.now() - Date.parse(lookedAt) >= POWER_SYNC_MS) return false
  const now = await ctx.world.kubernetes.getNode(node, ctx.signal)
  return now.ok && now.value.bootId !== bootId
}

type Refused = ReturnType<typeof ofInstance> & { readonly cause: string }

function statesOf(instances: readonly Instance[]) {
  return itemsOf(instances.map(instance => ({ ...ofInstance(instance), status: instance.status })))
}

function ofInstance({ id, name }: Instance) {
  return { id, name }
}

/** What ran on the node, by this run's note or by the plan's record of the run that took it out; null if there is no record. */
function ranOn(input: StepInput, ctx: MaintenanceContext): readonly NamedInstance[] | null {
  const noted = ranBefore(nodeOf(input), ctx.runHistory())
  return noted ?? (Array.isArray(input.ran) ? namedIn(input.ran) : null)
}

/** The recorded instances that are still on the node, each read by its id, because absence from a list proves nothing. */
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

/** Instances that someone stopped or started since a run stopped them: their owner wants them as they are. */
async function touchedSince(
  down: readonly Instance[],
  ran: readonly NamedInstance[],
  ctx: MaintenanceContext,
): Promise<Result<ReadonlySet<string>>> {
  const touched = new Set<string>()
  for (const instance of down) {
    const recorded = ran.find(({ id }) => id === instance.id)?.powerActs
    // This run's own start request would count as well.
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

function isStartedHere({ id }: Instance, ctx: MaintenanceContext): boolean {
  return ctx.history().some(({ fact, subject }) => fact === INSTANCE_STARTED && subject === instanceSubject(id))
}

async function start(instance: Instance, ctx: MaintenanceContext): Promise<Failure | 'started' | 'not-ours'> {
  const subject = instanceSubject(instance.id)
  if (isStartedHere(instance, ctx)) return 'not-ours'
  const cloud = cloudOf(ctx)
  const began = ctx.clock.monotonicMs()
  // The operator must see the failure before a request of an earlier process is repeated.
  let isAsked = isAskedAlready(subject, ctx)
  while (!ctx.signal.aborted) {
    const read = await ctx.retryTransient(subject, () => cloud.getInstance(instance.id, ctx.signal))
    if (!read.ok) return read.failure.code === 'not-found' ? 'not-ours' : read.failure
    const { name, host, status, powerState, vmState, taskState } = read.value
    // Its owner, or Nova, moved it meanwhile.
    if (host !== instance.host) return 'not-ours'
    if (isRunning(read.value)) {
      if (!isAsked) return 'not-ours'
      ctx.report(INSTANCE_STARTED, subject, { name, host, status, powerState })
      return 'started'
    }
    // Nova shows an instance of a rebooted host as active until it has compared it with the hypervisor.
    if (!isAsked && vmState === 'stopped' && taskState === null) {
      ctx.announce(START_REQUESTED, subject, { name })
      const asked = await cloud.startInstance(instance.id)
      if (!asked.ok) return asked.failure
      isAsked = true
    } else if (ctx.clock.monotonicMs() - began > (!isAsked && vmState === 'active' ? POWER_SYNC_MS : GIVEN_UP_MS)) {
      const seen = { status, task: taskState }
      return refusal('conflict', isAsked ? fault('DownAfterStart', seen) : fault('NotStopped', seen), {
        target: subject,
      })
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
/** After this wait for one started instance the operator is asked. */
const GIVEN_UP_MS = 60_000
/** After this time Nova has compared the power states of a host's instances with its hypervisor (nova.conf `sync_power_state_interval`). */
const POWER_SYNC_MS = 600_000
