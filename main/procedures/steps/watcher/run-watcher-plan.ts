import type { RunOptions } from '../../../../shared/domain/plan.ts'
import { WATCHER_ACTION_SKIPPED, WATCHER_LEFT } from '../../../../shared/domain/run-facts.ts'
import type { WatcherAction, WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { WatcherStepInput } from '../../../../shared/domain/watcher-input.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { itemsOf, labelOf } from '../../../../shared/words/steps/coded.ts'
import { fateWords } from '../../../../shared/words/watcher-fates.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import {
  applied,
  asks,
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
  refusal,
} from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject, readComputeHost } from '../compute/classify-instances.ts'
import { computeServiceEvidence } from '../compute/compute-service.ts'
import { noteInstancesBefore, noteInstancesOn } from '../compute/note-instances.ts'
import { countedInstances, listedOf, proofBlockers, proofVerdict, proveInstances } from '../compute/prove-instances.ts'
import { watcherBlockers, watcherEffects } from './watcher-blockers.ts'
import { actionSubject, followWatcherPlan, startWatcherPlan } from './watcher-follow.ts'
import { isNovaAgreed, leftOnHost, moveThroughNova, whyLeft } from './watcher-left.ts'
import { coverageChoices, lookAtWatcherPlan, planSubjectOf, type WatcherLook, watcherOf } from './watcher-look.ts'

/** Runs Watcher's shown plan to empty the host (seed 004; docs/domain.md B.2). Its actions and Nova show the result, never the plan's own state. */
export const runWatcherPlan: Step<MaintenanceWorld> = {
  kind: 'run-watcher-plan',
  role: 'compute',
  risk: 'disruptive',
  ...stepText('run-watcher-plan'),
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  check: async (raw, ctx) => {
    const input = WatcherStepInput.parse(raw)
    const look = await lookAtWatcherPlan(input, ctx)
    if (!look.ok) return cannotAsk(thing('WatcherPlanOfNode', { node: input.node }), look.failure)
    const { plan, host, status } = look.value
    const { effects, warnings } = watcherEffects(look.value, ctx.options.backupNode)
    const instances = countedInstances(host.instances.map(({ instance }) => instance))
    const more = { effects, warnings, counted: instances, evidence: evidenceOf(look.value, ctx) }
    if (status.kind === 'under-way') return ready(found('WatcherPlanFollowed', { plan: plan.uuid }), more)
    const blockers = watcherBlockers(look.value)
    if (status.kind !== 'over') {
      return readyUnless(blockers, found('WatcherPlanReady', { plan: plan.uuid, actions: plan.actions.length }), more)
    }
    if (blockers.length > 0) return blocked(blockers, more)
    const { left } = leftOnHost(host, look.value.choices, ctx)
    if (left.length === 0 && host.service.status === 'disabled') {
      const unproved = proofBlockers(await proveInstances(listedOf(host), ctx))
      return unproved.length > 0
        ? blocked(unproved, more)
        : done(found('HostEmptyAndDisabled', { host: host.service.host }), more)
    }
    return ready(found('WatcherPlanOver', { plan: plan.uuid, left: left.length }), more)
  },
  apply: async (raw, ctx) => {
    const input = WatcherStepInput.parse(raw)
    const watcher = watcherOf(ctx)
    if (!watcher.ok) return { kind: 'failed', failure: watcher.failure }
    const look = await lookAtWatcherPlan(input, ctx)
    if (!look.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: look.failure }
    await noteInstancesBefore(input.node, ctx)
    let { plan } = look.value
    if (look.value.status.kind !== 'over') {
      const run = await carryOut(watcher.value, look.value, ctx)
      if (run.kind !== 'over') return run
      plan = run.plan
    }
    return settle(input, plan, look.value.about.canSkip, ctx)
  },
  verify: async (raw, ctx) => {
    const input = WatcherStepInput.parse(raw)
    const host = await readComputeHost(input.node, ctx)
    if (!host.ok) return cannotVerify(thing('InstancesOnNode', { node: input.node }), host.failure)
    const { service, unreachable } = host.value
    if (unreachable.length > 0) return cannotTell(fault('CellsUnreachable', { causes: unreachable }), [])
    // Only the instances on the host matter now, not exclusions from the plan.
    const { left, staying } = leftOnHost(host.value, coverageChoices(input, true, ctx), ctx)
    const seen = [
      computeServiceEvidence(service, ctx),
      evidence(`instances on ${service.host}`, ctx.at(), {
        left: left.map(({ instance }) => ({ id: instance.id, name: instance.name, status: instance.status })),
        staying: staying.map(({ instance, why }) => ({ id: instance.id, status: instance.status, why })),
      }),
    ]
    if (left.length > 0) {
      const instances = itemsOf(left.map(({ instance }) => ({ instance: labelOf(instance), status: instance.status })))
      return fails(fault('InstancesLeftOnHost', { host: service.host, instances }), seen)
    }
    if (service.status !== 'disabled') return fails(fault('ComputeEnabledAgain', { host: service.host }), seen)
    if (service.state !== 'up') return fails(fault('ComputeDisabledButDown', { host: service.host }), seen)
    const proof = await proveInstances(listedOf(host.value), ctx)
    const doubt = proofVerdict(proof, seen)
    if (doubt !== null) return doubt
    const broken = await brokenElsewhere(input, ctx)
    if (broken.length > 0) {
      return fails(fault('InstancesNotWellElsewhere', { instances: itemsOf(broken) }), seen)
    }
    return holds(found('HostHasWhatStays', { host: service.host, staying: staying.length }), [...seen, proof.evidence])
  },
}

type CarriedOut = Exclude<ApplyAnswer, { kind: 'applied' }> | { readonly kind: 'over'; readonly plan: WatcherPlan }

/** Starts the plan, unless it runs, and follows it to its end. */
async function carryOut(watcher: WatcherPort, look: WatcherLook, ctx: MaintenanceContext): Promise<CarriedOut> {
  let { plan } = look
  if (look.status.kind !== 'under-way') {
    const open = watcherBlockers(look).filter(blocker => ctx.liftedBy(blocker) === null)
    const first = open[0]
    if (first !== undefined) {
      const { code, values = {}, message, remedy } = first
      const target = planSubjectOf(plan.uuid)
      return { kind: 'failed', failure: refusal('conflict', { code, values, message, remedy }, { target }) }
    }
    const skipped = await leaveOut(watcher, look, ctx)
    if (skipped !== null) return skipped
    const started = await startWatcherPlan(watcher, plan, startedValues(look, ctx.options), ctx)
    if (!started.ok) return { kind: 'failed', failure: started.failure }
    plan = started.value
  }
  return followWatcherPlan(watcher, plan, ctx)
}

/** Journaled at the start: the instances that this run moves, and those that the operator forced to stay. */
function startedValues({ host, plan, fates }: WatcherLook, { overrides }: RunOptions) {
  const forced = overrides.some(({ flag }) => flag === 'force')
  return {
    host: host.service.host,
    actions: plan.actions.length,
    instances: fates.flatMap(({ instance, fate }) => (fate.kind === 'by-watcher' ? [instance.id] : [])),
    forcedToStay: forced ? fates.flatMap(({ instance, fate }) => (fate.kind === 'blocked' ? [instance.id] : [])) : [],
  }
}

/** Skips unwanted actions before the start; null if it is done. Where Watcher cannot skip, they fail in Nova or blocked the check. */
async function leaveOut(
  watcher: WatcherPort,
  look: WatcherLook,
  ctx: MaintenanceContext,
): Promise<Exclude<CarriedOut, { kind: 'over' }> | null> {
  if (!look.choices.canSkip) return null
  const unwanted = [
    ...look.fates.flatMap(({ fate }) =>
      fate.kind !== 'by-watcher' && fate.action !== null ? [[fate.action, fateWords(fate)] as const] : [],
    ),
    ...look.astray.map(action => [action, found('InstanceNotOnHost').message] as const),
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

/** Handles the instances left on the host after the last action: Nova moves them if agreed, else the run asks. */
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

/** Notes staying instances again: the run's ending lists those that Watcher stopped. */
async function emptied({ host, staying }: Left, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  if (staying.length > 0) await noteInstancesOn(host.node.name, ctx)
  return applied(found('HostEmptiedByWatcher', { host: host.service.host, staying: staying.length }))
}

async function askAboutLeft({ left, host }: Left, plan: WatcherPlan, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const instances = await whyLeft(left, plan, ctx)
  if (ctx.signal.aborted) return { kind: 'stopped' }
  ctx.report(WATCHER_LEFT, planSubjectOf(plan.uuid), { ids: left.map(({ instance }) => instance.id) })
  return asks(found('WatcherLeftInstances', { host: host.service.host, instances }), ['retry', 'skip', 'abort'], {
    leansOnAnswer: true,
  })
}

async function brokenElsewhere(input: WatcherStepInput, ctx: MaintenanceContext) {
  const moved = input.actions.filter(({ kind }) => kind === 'live-migrate' || kind === 'cold-migrate')
  const reads = await Promise.all(moved.map(({ resourceId }) => cloudOf(ctx).getInstance(resourceId, ctx.signal)))
  return reads.flatMap(read =>
    read.ok &&
    (read.value.status === 'ERROR' || read.value.status === 'VERIFY_RESIZE') &&
    read.value.host !== input.host
      ? [{ instance: labelOf(read.value), status: read.value.status, host: read.value.host }]
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
