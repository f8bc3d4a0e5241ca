import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { Evidence, VerifyAnswer } from '../../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import {
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  instanceIdOf,
  MIGRATION_REQUESTED,
  subjectName,
} from '../../../../shared/domain/run-facts.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { cloudOf, isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { staysAway } from '../general/machine-away.ts'
import { instanceLabel, instanceSubject } from './classify-instances.ts'
import { proveSilent, staysSilent } from './compute-silence.ts'
import { evacuateInstance } from './evacuate-instance.ts'
import { isPending, statusesBefore } from './evacuation-facts.ts'
import { workOnInstances } from './instance-pool.ts'
import { noteInstancesAfter } from './note-instances.ts'
import { countedInstances, listedOf, proofVerdict, proveInstances } from './prove-instances.ts'
import { isRescued, type RescueGround, readRescue, whyLeft } from './read-rescue.ts'

const USUAL_ATTEMPTS = 2

/**
 * Nova rebuilds the instances of a machine that is off on other hosts (its `evacuate`), so many at once, each announced before it is asked for and followed
 * to its end. Two members of one server group never go at once: Nova looks at their policy too late to try another host.
 */
export const rescueInstances: Step<MaintenanceWorld> = {
  kind: 'rescue-instances',
  role: 'compute',
  risk: 'disruptive',
  why: 'Their owners are without them until they run on another host.',
  title: input => `Rebuild the instances of ${nodeOf(input)} on other hosts`,
  verifyEarly: false,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 2_000,
  undo: 'None: the machine destroys its copies when it returns. Move the instances back once it is in service.',
  check: async (input, ctx) => {
    const ground = await readRescue(nodeOf(input), ctx)
    if (!ground.ok) return cannotAsk(`The instances on ${nodeOf(input)}`, ground.failure)
    const { host, instances } = ground.value
    const going = instances.filter(isRescued)
    const more = { counted: countedInstances(instances.map(({ instance }) => instance)) }
    const isUnderWay = pendingIds(ctx).length > 0
    return going.length === 0 && !isUnderWay
      ? done(`No instance of ${host.service.host} is to be rebuilt elsewhere.`, more)
      : ready(`${counted(going.length, 'instance')} to rebuild elsewhere, ${ctx.options.concurrency} at once.`, more)
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const ground = await readRescue(node, ctx)
    if (!ground.ok) return { kind: 'failed', failure: ground.failure }
    const answer = await evacuateAll(input, ground.value, ctx)
    if (answer.kind === 'stopped') return { kind: 'stopped' }
    await noteInstancesAfter(node, ctx)
    if (answer.kind === 'failed') return { kind: 'failed', failure: answer.failure }
    // The plan said that they are rebuilt: a place that is gone since is no silence.
    const stranded = isOverridden(ctx, 'force') ? [] : strandedOf(ground.value)
    const unresolved = [...answer.unresolved, ...stranded]
    if (unresolved.length > 0) {
      return {
        kind: 'question',
        question: `${counted(unresolved.length, 'instance')} could not be rebuilt elsewhere: ${someOf(unresolved, 10)}. Retry asks Nova again; skip leaves them on the dead host.`,
        choices: ['retry', 'skip', 'abort'],
      }
    }
    return { kind: 'applied', note: outcomeWords(ctx.history()) }
  },
  verify: async (input, ctx) => {
    const ground = await readRescue(nodeOf(input), ctx)
    if (!ground.ok) return cannotVerify(`The instances on ${nodeOf(input)}`, ground.failure)
    const { host, instances } = ground.value
    const name = host.service.host
    const left = instances.filter(isRescued).map(({ instance }) => instance)
    const staying = instances.filter(found => !isRescued(found))
    const read = evidence(`instances on ${name}`, ctx.at(), {
      left: left.map(({ id, status }) => ({ id, status })),
      staying: staying.map(({ instance: { id, status } }) => ({ id, status })),
    })
    if (left.length > 0) {
      return fails(
        `${counted(left.length, 'instance')} still on ${name}: ${someOf(left.map(instanceLabel))}.`,
        'Resume the run: it asks Nova again for those.',
        [read],
        false,
      )
    }
    const stranded = isOverridden(ctx, 'force') ? [] : strandedOf(ground.value)
    if (stranded.length > 0) {
      return fails(
        `${counted(stranded.length, 'instance')} to be rebuilt and still on ${name}: ${someOf(stranded)}.`,
        'Make room for them, then resume the run.',
        [read],
        false,
      )
    }
    const pending = pendingIds(ctx)
    if (pending.length > 0) {
      return fails(
        `${counted(pending.length, 'instance')} asked for and not seen to its end: ${someOf(pending)}.`,
        'Resume the run: it follows them to their end.',
        [read],
        false,
      )
    }
    const proof = await proveInstances(listedOf(host), ctx)
    const verdict = proofVerdict(proof, [read])
    if (verdict !== null) return verdict
    const stays = staying.map(found => `${instanceLabel(found.instance)} stays on it: ${whyLeft(found)}`)
    return verifyRescued(name, stays, [read, proof.evidence], ctx)
  },
}

/** Who is to be rebuilt and has nowhere to go, with why. */
function strandedOf({ instances }: RescueGround): readonly string[] {
  return instances
    .filter(found => found.policy.kind === 'evacuate' && !isRescued(found))
    .map(found => `${instanceLabel(found.instance)}: ${whyLeft(found)}`)
}

type RescueOutcome =
  | { readonly kind: 'over'; readonly unresolved: readonly string[] }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

async function evacuateAll(input: StepInput, ground: RescueGround, ctx: MaintenanceContext): Promise<RescueOutcome> {
  const host = ground.host.service.host
  const silent = await proveSilent(ground.host.service, ctx)
  if (!silent.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: silent.failure }
  const pending = pendingIds(ctx)
  const going = ground.instances.filter(isRescued).map(({ instance }) => instance)
  const begun = await readAll(pending, ground, ctx)
  if (!begun.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: begun.failure }
  // What was asked for before is followed first: it may be under way in Nova, where it is one of so many at once.
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
    ? { kind: 'over', unresolved: answer.unresolved.map(({ label, why }) => `${label}: ${why}`) }
    : answer
}

/** Ids of instances whose evacuation was announced and has no outcome in the journal. */
function pendingIds(ctx: MaintenanceContext): readonly string[] {
  const subjects = new Set(
    ctx.history().flatMap(({ fact, subject }) => (fact === MIGRATION_REQUESTED ? [subject] : [])),
  )
  return [...subjects].filter(subject => isPending(ctx.history(), subject)).map(instanceIdOf)
}

/** Those that are no longer on the host are asked for by themselves; of one that is deleted there is nothing to follow, and one that cannot be read is not gone. */
async function readAll(
  ids: readonly string[],
  { instances }: RescueGround,
  ctx: MaintenanceContext,
): Promise<Result<readonly Instance[]>> {
  const found: Instance[] = []
  for (const id of ids) {
    const listed = instances.find(({ instance }) => instance.id === id)?.instance
    if (listed !== undefined) {
      found.push(listed)
      continue
    }
    const subject = instanceSubject(id)
    const read = await ctx.outlast(subject, () => cloudOf(ctx).getInstance(id, ctx.signal))
    if (read.ok) found.push(read.value)
    else if (read.failure.code !== 'not-found') return read
    else {
      const told = ctx.history().findLast(fact => fact.subject === subject)
      ctx.report(INSTANCE_SETTLED, subject, {
        name: told === undefined ? id : subjectName(told),
        why: 'it was deleted meanwhile',
      })
    }
  }
  return ok(found)
}

/** Each instance that was rescued runs, or is stopped as it was, on another host; what was lost is said. */
async function verifyRescued(
  host: string,
  stays: readonly string[],
  read: readonly Evidence[],
  ctx: MaintenanceContext,
): Promise<VerifyAnswer> {
  const seen = [...read]
  const wrong: string[] = []
  const before = statusesBefore(ctx.history())
  for (const [id, status] of before) {
    const now = await cloudOf(ctx).getInstance(id, ctx.signal)
    if (!now.ok) {
      if (now.failure.code === 'not-found') continue
      return cannotVerify(`Instance ${id}`, now.failure)
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
    // Given up by an answer: it is on the host, and told as one that stays.
    if (value.host === host) continue
    const expected = status === 'SHUTOFF' ? 'SHUTOFF' : 'ACTIVE'
    if (value.host === null || value.status !== expected) {
      wrong.push(`${instanceLabel(value)} was ${status} and is ${value.status} on ${value.host ?? 'no host'}`)
    }
  }
  if (wrong.length > 0) {
    return fails(
      `${someOf(wrong)}.`,
      'Look at these instances: one that is being rebuilt settles within minutes.',
      seen,
    )
  }
  return holds([outcomeWords(ctx.history()), ...stays].join(' '), seen)
}

/** How many were rebuilt, and what was lost with the machine. */
function outcomeWords(history: readonly RunFact[]): string {
  const arrived = history.filter(({ fact }) => fact === INSTANCE_MOVED)
  const asked = (subject: string) =>
    history.findLast(fact => fact.subject === subject && fact.fact === MIGRATION_REQUESTED)
  const lost = arrived.filter(({ subject }) => asked(subject)?.values.loses === true)
  const rebuilt =
    arrived.length === 0
      ? 'No instance had to be rebuilt.'
      : `${counted(arrived.length, 'instance')} rebuilt on other hosts.`
  return lost.length === 0 ? rebuilt : `${rebuilt} Local disks lost: ${someOf(lost.map(subjectName), 50)}.`
}
