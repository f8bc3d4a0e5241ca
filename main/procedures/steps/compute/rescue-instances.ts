import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import {
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  instanceIdOf,
  MIGRATION_REQUESTED,
  subjectName,
} from '../../../../shared/domain/run-facts.ts'
import type { Evidence, VerifyAnswer } from '../../../../shared/domain/step-answers.ts'
import { type Fault, fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { itemsOf, labelOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { applied, asks, cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { cloudOf, isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { staysAway } from '../general/machine-away.ts'
import { instanceSubject } from './classify-instances.ts'
import { proveSilent, staysSilent } from './compute-silence.ts'
import { evacuateInstance } from './evacuate-instance.ts'
import { isPending, statusesBefore } from './evacuation-facts.ts'
import { workOnInstances } from './instance-pool.ts'
import { noteInstancesAfter } from './note-instances.ts'
import { countedInstances, listedOf, proofVerdict, proveInstances } from './prove-instances.ts'
import { isRescued, leftOf, type RescuedInstance, type RescueFacts, readRescue } from './read-rescue.ts'
import { whyReported } from './why.ts'

const USUAL_ATTEMPTS = 2

/**
 * Nova rebuilds the instances elsewhere (its `evacuate`), one request each. Two members of a server group never go together: Nova checks that too
 * late.
 */
export const rescueInstances: Step<MaintenanceWorld> = {
  kind: 'rescue-instances',
  role: 'compute',
  risk: 'disruptive',
  ...stepText('rescue-instances'),
  verifyEarly: false,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 2_000,
  check: async (input, ctx) => {
    const facts = await readRescue(nodeOf(input), ctx)
    if (!facts.ok) return cannotAsk(thing('InstancesOnNode', { node: nodeOf(input) }), facts.failure)
    const { host, instances } = facts.value
    const going = instances.filter(isRescued)
    const more = { counted: countedInstances(instances.map(({ instance }) => instance)) }
    const isUnderWay = pendingIds(ctx).length > 0
    return going.length === 0 && !isUnderWay
      ? done(found('NoInstanceToRebuild', { host: host.service.host }), more)
      : ready(found('InstancesToRebuild', { going: going.length, atOnce: ctx.options.concurrency }), more)
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const facts = await readRescue(node, ctx)
    if (!facts.ok) return { kind: 'failed', failure: facts.failure }
    const answer = await evacuateAll(input, facts.value, ctx)
    if (answer.kind === 'stopped') return { kind: 'stopped' }
    await noteInstancesAfter(node, ctx)
    if (answer.kind === 'failed') return { kind: 'failed', failure: answer.failure }
    // The plan promised to rebuild these: a destination that has gone must be reported.
    const stranded = isOverridden(ctx, 'force') ? [] : strandedOf(facts.value)
    const unresolved = [...answer.unresolved, ...stranded]
    return unresolved.length > 0
      ? asks(found('InstancesNotRebuilt', { instances: itemsOf(unresolved) }), ['retry', 'skip', 'abort'])
      : applied(found('InstancesRebuilt', rescuedBy(ctx.history())))
  },
  verify: async (input, ctx) => {
    const facts = await readRescue(nodeOf(input), ctx)
    if (!facts.ok) return cannotVerify(thing('InstancesOnNode', { node: nodeOf(input) }), facts.failure)
    const { host, instances } = facts.value
    const name = host.service.host
    const staying = instances.filter(each => !isRescued(each))
    const read = evidence(`instances on ${name}`, ctx.at(), {
      left: instances.filter(isRescued).map(({ instance: { id, status } }) => ({ id, status })),
      staying: staying.map(({ instance: { id, status } }) => ({ id, status })),
    })
    const unfinished = unfinishedOf(facts.value, ctx)
    if (unfinished !== null) return fails(unfinished, [read], false)
    const proof = await proveInstances(listedOf(host), ctx)
    const verdict = proofVerdict(proof, [read])
    return verdict ?? verifyRescued(name, staying, [read, proof.evidence], ctx)
  },
}

/** What is left to do on the host; null if there is nothing. */
function unfinishedOf(facts: RescueFacts, ctx: MaintenanceContext): Fault | null {
  const host = facts.host.service.host
  const left = facts.instances.filter(isRescued)
  if (left.length > 0) {
    return fault('RescueIncomplete', { host, instances: namesOf(left.map(({ instance }) => labelOf(instance))) })
  }
  const stranded = isOverridden(ctx, 'force') ? [] : strandedOf(facts)
  if (stranded.length > 0) return fault('RescueStranded', { host, instances: itemsOf(stranded) })
  const pending = pendingIds(ctx)
  return pending.length > 0 ? fault('RescueUnfollowed', { instances: namesOf(pending) }) : null
}

function strandedOf({ instances }: RescueFacts): readonly LeftInstance[] {
  return instances.filter(each => each.policy.kind === 'evacuate' && !isRescued(each)).map(leftOf)
}

type LeftInstance = ReturnType<typeof leftOf>

type RescueOutcome =
  | { readonly kind: 'over'; readonly unresolved: readonly LeftInstance[] }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

async function evacuateAll(input: StepInput, facts: RescueFacts, ctx: MaintenanceContext): Promise<RescueOutcome> {
  const host = facts.host.service.host
  const silent = await proveSilent(facts.host.service, ctx)
  if (!silent.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: silent.failure }
  const pending = pendingIds(ctx)
  const going = facts.instances.filter(isRescued).map(({ instance }) => instance)
  const begun = await readAll(pending, facts, ctx)
  if (!begun.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: begun.failure }
  // Earlier requests are followed first: they may be in progress in Nova and count against the limit.
  const queue = [...begun.value, ...going.filter(({ id }) => !pending.includes(id))]
  const limits = { concurrency: ctx.options.concurrency, attempts: ctx.options.attempts ?? USUAL_ATTEMPTS }
  const answer = await workOnInstances(
    queue.map(instance => ({ instance })),
    limits,
    async ({ instance }) => {
      const isAway = () => staysAway(input, ctx)
      const isSilent = () => staysSilent(silent.value, ctx)
      const came = await evacuateInstance(instance.id, { host, isAway, isSilent }, ctx)
      return came.kind === 'rescued' || came.kind === 'settled' || came.kind === 'stopped' ? { kind: 'over' } : came
    },
    ctx,
  )
  return answer.kind === 'over'
    ? { kind: 'over', unresolved: answer.unresolved.map(({ name, id, code, why }) => ({ name, id, code, why })) }
    : answer
}

function pendingIds(ctx: MaintenanceContext): readonly string[] {
  const subjects = new Set(
    ctx.history().flatMap(({ fact, subject }) => (fact === MIGRATION_REQUESTED ? [subject] : [])),
  )
  return [...subjects].filter(subject => isPending(ctx.history(), subject)).map(instanceIdOf)
}

/** An instance that left the host is read on its own: a deleted one needs nothing, and an unreadable one is not gone. */
async function readAll(
  ids: readonly string[],
  { instances }: RescueFacts,
  ctx: MaintenanceContext,
): Promise<Result<readonly Instance[]>> {
  const all: Instance[] = []
  for (const id of ids) {
    const listed = instances.find(({ instance }) => instance.id === id)?.instance
    if (listed !== undefined) {
      all.push(listed)
      continue
    }
    const subject = instanceSubject(id)
    const read = await ctx.retryTransient(subject, () => cloudOf(ctx).getInstance(id, ctx.signal))
    if (read.ok) all.push(read.value)
    else if (read.failure.code !== 'not-found') return read
    else {
      const reported = ctx.history().findLast(fact => fact.subject === subject)
      ctx.report(INSTANCE_SETTLED, subject, {
        name: reported === undefined ? id : subjectName(reported),
        ...whyReported(found('DeletedMeanwhile')),
      })
    }
  }
  return ok(all)
}

/** Each rescued instance runs, or is stopped as before, on another host. */
async function verifyRescued(
  host: string,
  staying: readonly RescuedInstance[],
  read: readonly Evidence[],
  ctx: MaintenanceContext,
): Promise<VerifyAnswer> {
  const seen = [...read]
  const wrong: (Pick<Instance, 'name' | 'id' | 'status' | 'host'> & { readonly before: string })[] = []
  const before = statusesBefore(ctx.history())
  for (const [id, status] of before) {
    const now = await cloudOf(ctx).getInstance(id, ctx.signal)
    if (!now.ok) {
      if (now.failure.code === 'not-found') continue
      return cannotVerify(thing('InstanceOf', { id }), now.failure)
    }
    const { value } = now
    seen.push(
      evidence(`server/${id} (${value.name})`, ctx.at(), {
        before: status,
        now: value.status,
        host: value.host,
        powerState: value.powerState,
      }),
    )
    // The operator gave it up: it is reported as one that stays.
    if (value.host === host) continue
    const expected = status === 'SHUTOFF' ? 'SHUTOFF' : 'ACTIVE'
    if (value.host === null || value.status !== expected) {
      wrong.push({ name: value.name, id, before: status, status: value.status, host: value.host })
    }
  }
  if (wrong.length > 0) {
    return fails(fault('RescuedChanged', { instances: itemsOf(wrong) }), seen)
  }
  return holds(found('RescueVerified', { ...rescuedBy(ctx.history()), staying: staying.map(leftOf) }), seen)
}

function rescuedBy(history: readonly RunFact[]) {
  const arrived = history.filter(({ fact }) => fact === INSTANCE_MOVED)
  const asked = (subject: string) =>
    history.findLast(fact => fact.subject === subject && fact.fact === MIGRATION_REQUESTED)
  const lost = arrived.filter(({ subject }) => asked(subject)?.values.loses === true)
  return { rebuilt: arrived.length, lost: namesOf(lost.map(subjectName)) }
}
