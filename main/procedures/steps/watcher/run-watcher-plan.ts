import { failure } from '../../../../shared/domain/failure.ts'
import { isDisabledAndUp } from '../../../../shared/domain/node-conditions.ts'
import type { RunOptions } from '../../../../shared/domain/plan.ts'
import { overrideFor } from '../../../../shared/domain/plan.ts'
import { WATCHER_ACTION_SKIPPED, WATCHER_LEFT } from '../../../../shared/domain/run-facts.ts'
import type { WatcherAction, WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { WatcherStepInput } from '../../../../shared/domain/watcher-input.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import {
  blocked,
  cannotAsk,
  cannotTell,
  cannotVerify,
  done,
  evidence,
  fails,
  holds,
  ready,
  readyUnless,
} from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { instanceLabel, instanceSubject, readComputeHost } from '../compute/classify-instances.ts'
import { computeServiceEvidence } from '../compute/compute-service.ts'
import { noteInstancesBefore, noteInstancesOn } from '../compute/note-instances.ts'
import { countedInstances, listedOf, proofBlockers, proofVerdict, proveInstances } from '../compute/prove-instances.ts'
import { watcherBlockers, watcherEffects } from './watcher-blockers.ts'
import { actionSubject, followWatcherPlan, startWatcherPlan } from './watcher-follow.ts'
import { isNovaAgreed, leftOnHost, moveThroughNova, whyLeft } from './watcher-left.ts'
import { coverageChoices, lookAtWatcherPlan, planSubjectOf, type WatcherLook, watcherOf } from './watcher-look.ts'

/**
 * Watcher's action plan, as it was shown, empties the host (seed 004, compute role, "Audit action plan"; docs/domain.md B.2). What became of
 * it is told by its actions and by Nova, never by the plan's own state.
 */
export const runWatcherPlan: Step<MaintenanceWorld> = {
  kind: 'run-watcher-plan',
  role: 'compute',
  risk: 'disruptive',
  why: 'No instance may be running on the node, and no new one may land there.',
  title: input => `Run Watcher's plan that empties ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Instances stay where they went. A plan that Watcher still carries out is cancelled with `openstack optimize actionplan cancel`; leave enables nova-compute.',
  check: async (raw, ctx) => {
    const input = WatcherStepInput.parse(raw)
    const look = await lookAtWatcherPlan(input, ctx)
    if (!look.ok) return cannotAsk(`Watcher's plan for ${input.node}`, look.failure)
    const { plan, host, standing } = look.value
    const { effects, warnings } = watcherEffects(look.value, ctx.options.backupNode)
    const instances = countedInstances(host.instances.map(({ instance }) => instance))
    const more = { effects, warnings, counted: instances, evidence: evidenceOf(look.value, ctx) }
    if (standing.kind === 'under-way') return ready(`Watcher carries out its plan ${plan.uuid}; it is followed.`, more)
    const blockers = watcherBlockers(look.value)
    if (standing.kind !== 'over') {
      return readyUnless(blockers, `${counted(plan.actions.length, 'action')} of Watcher's plan ${plan.uuid}.`, more)
    }
    if (blockers.length > 0) return blocked(blockers, more)
    const { left } = leftOnHost(host, look.value.choices, ctx)
    if (left.length === 0 && host.service.status === 'disabled') {
      const unproved = proofBlockers(await proveInstances(listedOf(host), ctx))
      return unproved.length > 0
        ? blocked(unproved, more)
        : done(`${host.service.host} is empty and nova-compute is disabled.`, more)
    }
    return ready(`Watcher's plan ${plan.uuid} is over; ${counted(left.length, 'instance')} left on the host.`, more)
  },
  apply: async (raw, ctx) => {
    const input = WatcherStepInput.parse(raw)
    const watcher = watcherOf(ctx)
    if (!watcher.ok) return { kind: 'failed', failure: watcher.failure }
    const look = await lookAtWatcherPlan(input, ctx)
    if (!look.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: look.failure }
    await noteInstancesBefore(input.node, ctx)
    let { plan } = look.value
    if (look.value.standing.kind !== 'over') {
      const run = await carryOut(watcher.value, look.value, ctx)
      if (run.kind !== 'over') return run
      plan = run.plan
    }
    return settle(input, plan, look.value.about.canSkip, ctx)
  },
  verify: async (raw, ctx) => {
    const input = WatcherStepInput.parse(raw)
    const host = await readComputeHost(input.node, ctx)
    if (!host.ok) return cannotVerify(`The instances on ${input.node}`, host.failure)
    if (host.value.unreachable.length > 0)
      return cannotTell(host.value.unreachable.join('; '), 'Mend the cell, then verify again.', [])
    const { service } = host.value
    // Exclusions from the plan do not matter any more: only the instances on the host do.
    const { left, staying } = leftOnHost(host.value, coverageChoices(input, true, ctx), ctx)
    const seen = [
      computeServiceEvidence(service, ctx),
      evidence(`instances on ${service.host}`, ctx.at(), {
        left: left.map(({ instance }) => ({ id: instance.id, name: instance.name, status: instance.status })),
        staying: staying.map(({ instance, reason }) => ({ id: instance.id, status: instance.status, reason })),
      }),
    ]
    if (left.length > 0) {
      return fails(
        `${counted(left.length, 'instance')} still on ${service.host}: ${someOf(left.map(({ instance }) => `${instanceLabel(instance)}, ${instance.status}`))}.`,
        'Make the plan anew, or move them with Nova (--strategy nova).',
        seen,
      )
    }
    const disabled = isDisabledAndUp(service, false)
    if (disabled.holds !== 'holds') {
      return fails(
        disabled.text,
        service.status === 'disabled'
          ? 'Bring nova-compute back: the hypervisor service has to stay active.'
          : 'Somebody enabled it again; find out who before going on.',
        seen,
      )
    }
    const proof = await proveInstances(listedOf(host.value), ctx)
    const doubt = proofVerdict(proof, seen)
    if (doubt !== null) return doubt
    const broken = await brokenElsewhere(input, ctx)
    if (broken.length > 0)
      return fails(
        `${someOf(broken)}.`,
        'Look at these instances: confirm or revert the resize, or mend what is in ERROR.',
        seen,
      )
    const stay =
      staying.length === 0 ? 'no instance' : `only what stays by choice (${counted(staying.length, 'instance')})`
    return holds(`${service.host} has ${stay}; nova-compute is disabled and up.`, [...seen, proof.evidence])
  },
}

type CarriedOut = Exclude<ApplyAnswer, { kind: 'applied' }> | { readonly kind: 'over'; readonly plan: WatcherPlan }

/** Starts the plan, where it is not under way, and follows it to its end. */
async function carryOut(watcher: WatcherPort, look: WatcherLook, ctx: MaintenanceContext): Promise<CarriedOut> {
  let { plan } = look
  if (look.standing.kind !== 'under-way') {
    const open = watcherBlockers(look).filter(blocker => overrideFor(blocker, ctx.options.overrides) === null)
    const first = open[0]
    if (first !== undefined)
      return {
        kind: 'failed',
        failure: failure('conflict', `${first.message} ${first.remedy}`, { target: planSubjectOf(plan.uuid) }),
      }
    const skipped = await leaveOut(watcher, look, ctx)
    if (skipped !== null) return skipped
    const started = await startWatcherPlan(watcher, plan, startedValues(look, ctx.options), ctx)
    if (!started.ok) return { kind: 'failed', failure: started.failure }
    plan = started.value
  }
  return followWatcherPlan(watcher, plan, ctx)
}

/** What the journal keeps of the start: which instances this run set in motion, and which the operator forced to stay. */
function startedValues({ host, plan, fates }: WatcherLook, { overrides }: RunOptions) {
  const forced = overrides.some(({ flag }) => flag === 'force')
  return {
    host: host.service.host,
    actions: plan.actions.length,
    instances: fates.flatMap(({ instance, fate }) => (fate.kind === 'by-watcher' ? [instance.id] : [])),
    forcedToStay: forced ? fates.flatMap(({ instance, fate }) => (fate.kind === 'blocked' ? [instance.id] : [])) : [],
  }
}

/** Leaves out, before the start, every action that is not to run; null when that went well. Where Watcher cannot, such actions fail in Nova or blocked the check. */
async function leaveOut(
  watcher: WatcherPort,
  look: WatcherLook,
  ctx: MaintenanceContext,
): Promise<Exclude<CarriedOut, { kind: 'over' }> | null> {
  if (!look.choices.canSkip) return null
  const unwanted = [
    ...look.fates.flatMap(({ fate }) =>
      fate.kind !== 'by-watcher' && fate.action !== null ? [[fate.action, fate.reason] as const] : [],
    ),
    ...look.astray.map(action => [action, 'its instance is not on the host any more'] as const),
  ].filter(([action]) => action.state === 'PENDING')
  for (const [action, why] of unwanted) {
    if (ctx.signal.aborted) return { kind: 'stopped' }
    ctx.announce(WATCHER_ACTION_SKIPPED, actionSubject(action), skippedValues(look.plan, action, why))
    const skipped = await watcher.skip(action.uuid, `Lockkeeper: ${why}`)
    if (!skipped.ok) return { kind: 'failed', failure: skipped.failure }
  }
  return null
}

function skippedValues(plan: WatcherPlan, { uuid, resourceName }: WatcherAction, why: string) {
  return { plan: plan.uuid, action: uuid, name: resourceName, why }
}

/** Looks what is left on the host once no action goes on, moves through Nova what was agreed, and asks about the rest. */
async function settle(
  input: WatcherStepInput,
  plan: WatcherPlan,
  canSkip: boolean,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  const choices = coverageChoices(input, canSkip, ctx)
  const look = async () => {
    const host = await readComputeHost(input.node, ctx)
    return host.ok ? { ok: true as const, host: host.value, ...leftOnHost(host.value, choices, ctx) } : host
  }
  const before = await look()
  if (!before.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: before.failure }
  if (before.left.length === 0) return emptied(before, ctx)
  if (!choices.novaForRest && !isNovaAgreed(ctx)) return askAboutLeft(before, plan, ctx)
  const ids = new Set(before.left.map(({ instance }) => instance.id))
  const moved = await moveThroughNova(before.host, ids, ctx)
  if (moved.kind === 'stopped') return { kind: 'stopped' }
  if (moved.kind === 'failed') return { kind: 'failed', failure: moved.failure }
  const after = await look()
  if (!after.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: after.failure }
  return after.left.length === 0 ? emptied(after, ctx) : askAboutLeft(after, plan, ctx)
}

type Left = ReturnType<typeof leftOnHost> & { readonly host: WatcherLook['host'] }

/** Who stays is looked at once more: whom Watcher stopped is told at the run's end. */
async function emptied({ host, staying }: Left, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  if (staying.length > 0) await noteInstancesOn(host.node.name, ctx)
  const stay =
    staying.length === 0 ? 'is empty' : `has only what stays by choice (${counted(staying.length, 'instance')})`
  return { kind: 'applied', note: `${host.service.host} ${stay}.` }
}

async function askAboutLeft({ left, host }: Left, plan: WatcherPlan, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const why = await whyLeft(left, plan, ctx)
  if (ctx.signal.aborted) return { kind: 'stopped' }
  ctx.report(WATCHER_LEFT, planSubjectOf(plan.uuid), { ids: left.map(({ instance }) => instance.id) })
  return {
    kind: 'question',
    question: `Watcher's plan is over, and ${counted(left.length, 'instance')} still on ${host.service.host}: ${someOf(why)}. Retry moves them through Nova, skip leaves them (they go down with the node); or abort and make the plan anew.`,
    choices: ['retry', 'skip', 'abort'],
    leansOnAnswer: true,
  }
}

/** Instances of the plan that went elsewhere and are not well there, by id. */
async function brokenElsewhere(input: WatcherStepInput, ctx: MaintenanceContext): Promise<readonly string[]> {
  const moved = input.actions.filter(({ kind }) => kind === 'live-migrate' || kind === 'cold-migrate')
  const reads = await Promise.all(moved.map(({ resourceId }) => cloudOf(ctx).getInstance(resourceId, ctx.signal)))
  return reads.flatMap(read =>
    read.ok &&
    (read.value.status === 'ERROR' || read.value.status === 'VERIFY_RESIZE') &&
    read.value.host !== input.host
      ? [`${instanceLabel(read.value)} is ${read.value.status} on ${read.value.host ?? 'no host'}`]
      : [],
  )
}

function evidenceOf({ plan, host, fates }: WatcherLook, ctx: MaintenanceContext) {
  return [
    evidence(planSubjectOf(plan.uuid), ctx.at(), {
      state: plan.state,
      auditUuid: plan.auditUuid,
      createdAt: plan.createdAt,
      actions: plan.actions.map(({ uuid, kind, state, resourceId }) => ({ uuid, kind, state, resourceId })),
    }),
    computeServiceEvidence(host.service, ctx),
    ...fates.map(({ instance }) =>
      evidence(`${instanceSubject(instance.id)} (${instance.name})`, ctx.at(), {
        status: instance.status,
        vmState: instance.vmState,
      }),
    ),
  ]
}
