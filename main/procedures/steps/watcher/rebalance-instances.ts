import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { failed } from '../../../../shared/domain/result.ts'
import {
  factText,
  OPERATOR_ANSWERED,
  TRY_AGAIN,
  WATCHER_PLAN_MADE,
  WATCHER_PLAN_OVER,
} from '../../../../shared/domain/run-facts.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { moveOf } from '../../../../shared/domain/watcher-moves.ts'
import { tallyActions } from '../../../../shared/domain/watcher-plan-status.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { itemsOf, labelOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { isPassing } from '../../../runs/engine/transient-retry.ts'
import {
  applied,
  asks,
  blocked,
  blocker,
  cannotVerify,
  evidence,
  fails,
  holds,
  passingIfTransient,
  ready,
  refusal,
} from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { readComputeService } from '../compute/compute-service.ts'
import { followWatcherPlan, startWatcherPlan } from './watcher-follow.ts'
import { isStartedByUs, planSubjectOf, watcherOf } from './watcher-look.ts'
import { auditName } from './watcher-recommendation.ts'

/** Goal and strategy that spread instances over the hosts (seed 004). */
const BALANCING_AUDIT = { goal: 'workload_balancing', strategy: 'workload_stabilization' } as const

/**
 * Shows what Watcher recommends once the node accepts instances, and moves nothing before the operator agrees. Without metrics the operator skips it.
 */
export const rebalanceInstances: Step<MaintenanceWorld> = {
  kind: 'rebalance-instances',
  role: 'compute',
  risk: 'disruptive',
  ...stepText('rebalance-instances'),
  verifyEarly: false,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  check: async (_input, ctx) => {
    const watcher = watcherOf(ctx)
    const about = watcher.ok ? await watcher.value.about(ctx.signal) : watcher
    if (!about.ok) return blocked([noWatcher(about.failure)])
    const figures = watcher.ok ? await watcher.value.figures(BALANCING_AUDIT.strategy, ctx.signal) : null
    const reported = figures?.ok ? figures.value.reported : null
    return ready(found('WatcherIsAskedLater'), {
      evidence: [evidence('watcher', ctx.at(), { version: about.value.version, figures: reported })],
      warnings:
        figures?.ok && !figures.value.available
          ? [found('WatcherHasNoFigures', { cause: figures.value.reported })]
          : [],
    })
  },
  apply: async (input, ctx) => {
    const watcher = watcherOf(ctx)
    if (!watcher.ok) return { kind: 'failed', failure: watcher.failure }
    const agreed = agreedPlan(ctx)
    if (agreed === null) return propose(nodeOf(input), watcher.value, ctx)
    const plan = await watcher.value.plan(agreed, ctx.signal)
    if (!plan.ok) return interrupted(plan.failure, ctx)
    if (plan.value.state !== 'RECOMMENDED' && !isStartedByUs(agreed, ctx)) {
      // Expired, cancelled or started by someone else.
      return propose(nodeOf(input), watcher.value, ctx)
    }
    return carryOut(watcher.value, plan.value, ctx)
  },
  verify: async (_input, ctx) => {
    const planMade = ctx.history().findLast(({ fact }) => fact === WATCHER_PLAN_MADE)
    const watcher = watcherOf(ctx)
    if (planMade === undefined) return holds(found('NoMovesRecommended'), [])
    if (!watcher.ok) return cannotVerify(thing('Watcher'), watcher.failure)
    const plan = await watcher.value.plan(planMade.subject.replace(/^watcher-plan\//, ''), ctx.signal)
    if (!plan.ok) return cannotVerify(thing('WatcherPlan'), plan.failure)
    const moved = plan.value.actions.filter(action => moveOf(action) !== null && action.state === 'SUCCEEDED')
    const reads = await Promise.all(moved.map(({ resourceId }) => cloudOf(ctx).getInstance(resourceId, ctx.signal)))
    const broken = reads.flatMap(read => (read.ok && read.value.status === 'ERROR' ? [labelOf(read.value)] : []))
    const seen = [
      evidence(planSubjectOf(plan.value.uuid), ctx.at(), {
        state: plan.value.state,
        ...tallyActions(plan.value.actions),
        hosts: Object.fromEntries(reads.flatMap(read => (read.ok ? [[read.value.id, read.value.host]] : []))),
      }),
    ]
    if (broken.length > 0) return fails(fault('InstancesInErrorAfterMove', { instances: namesOf(broken) }), seen, false)
    return holds(found('InstancesSpread', { moved: moved.length }), seen)
  },
}

/** Seed 004 requires Watcher on the way back too (docs/domain.md B.1); a run that spreads no instances needs none. */
function noWatcher(why: Failure): Blocker {
  return { ...blocker(fault('NoWatcherToSpread', { cause: why.message })), ...passingIfTransient(why) }
}

/** The plan that the operator agreed to; null if there is none, or it has ended. */
function agreedPlan(ctx: MaintenanceContext): string | null {
  const last = ctx
    .history()
    .findLast(({ fact }) => fact === WATCHER_PLAN_MADE || fact === OPERATOR_ANSWERED || fact === WATCHER_PLAN_OVER)
  if (last?.fact !== OPERATOR_ANSWERED || factText(last, 'choice') !== 'continue') return null
  const planMade = ctx.history().findLast(({ fact }) => fact === WATCHER_PLAN_MADE)
  return planMade?.subject.replace(/^watcher-plan\//, '') ?? null
}

const AUDIT_FAILURES: ReadonlySet<Failure['code']> = new Set(['conflict', 'timed-out'])

async function propose(node: string, watcher: WatcherPort, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const plan = (await shownBefore(watcher, ctx)) ?? (await recommend(node, watcher, ctx))
  if (ctx.signal.aborted) return { kind: 'stopped' }
  if (!plan.ok && isPassing(plan.failure) && !AUDIT_FAILURES.has(plan.failure.code)) {
    return { kind: 'failed', failure: plan.failure }
  }
  if (!plan.ok) {
    return asks(found('NothingRecommended', { cause: plan.failure.message }), ['retry', 'skip', 'abort'])
  }
  const { actions, uuid, auditUuid } = plan.value
  if (actions.length === 0) {
    const figures = await watcher.figures(BALANCING_AUDIT.strategy, ctx.signal)
    if (ctx.signal.aborted) return { kind: 'stopped' }
    if (!figures.ok) {
      return asks(found('NoMovesFiguresNotKnown', { cause: figures.failure.message }), ['retry', 'skip', 'abort'])
    }
    return figures.value.available
      ? applied(found('NoMovesFound'))
      : asks(found('NoMovesWithoutFigures', { cause: figures.value.reported }), ['retry', 'skip', 'abort'])
  }
  if (lastShown(ctx) !== uuid)
    ctx.report(WATCHER_PLAN_MADE, planSubjectOf(uuid), { auditUuid, actions: actions.length })
  const shown = actions.map(({ kind, type, resourceName, resourceId, destination }) => ({
    effect: kind === 'other' ? type : kind,
    name: nameIn(actions, { resourceName, resourceId }),
    to: destination,
  }))
  const words = found('SpreadRecommended', { actions: itemsOf(shown) })
  return asks(words, ['continue', 'skip', 'abort'], { leansOnAnswer: true })
}

type Named = Pick<WatcherPlan['actions'][number], 'resourceName' | 'resourceId'>

/** An instance's name, with its id only where another one in the plan has the same name. */
function nameIn(actions: readonly Named[], { resourceName, resourceId }: Named): string {
  const isShared = actions.some(other => other.resourceName === resourceName && other.resourceId !== resourceId)
  return isShared ? `${resourceName} (${resourceId})` : resourceName
}

/** The last shown plan; null if every shown plan has its answer. */
function lastShown(ctx: MaintenanceContext): string | null {
  const last = ctx
    .history()
    .findLast(({ fact }) => fact === WATCHER_PLAN_MADE || fact === OPERATOR_ANSWERED || fact === WATCHER_PLAN_OVER)
  return last?.fact === WATCHER_PLAN_MADE ? last.subject.replace(/^watcher-plan\//, '') : null
}

/** A resumed run asks about the plan it already showed, while that can start. */
async function shownBefore(watcher: WatcherPort, ctx: MaintenanceContext): Promise<Result<WatcherPlan> | null> {
  const uuid = lastShown(ctx)
  const plan = uuid === null ? null : await watcher.plan(uuid, ctx.signal)
  return plan?.ok && plan.value.state === 'RECOMMENDED' ? plan : null
}

async function recommend(node: string, watcher: WatcherPort, ctx: MaintenanceContext): Promise<Result<WatcherPlan>> {
  const service = await readComputeService(node, ctx)
  if (!service.ok) return service
  const { host, status } = service.value
  if (status !== 'enabled') return failed(refusal('conflict', fault('NovaComputeDisabled', { host })))
  // Watcher accepts an audit name once: retries and resumes use the same audit, one for each request by the operator.
  const asked = ctx.history().filter(({ fact }) => fact === OPERATOR_ANSWERED || fact === TRY_AGAIN).length
  const name = auditName({ host, name: `${ctx.runId}n${asked}` })
  return watcher.recommend({ ...BALANCING_AUDIT, parameters: {}, name }, ctx.signal)
}

async function carryOut(watcher: WatcherPort, shown: WatcherPlan, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  let plan = shown
  if (plan.state === 'RECOMMENDED') {
    const instances = plan.actions.filter(action => moveOf(action) !== null).map(({ resourceId }) => resourceId)
    const started = await startWatcherPlan(watcher, plan, { actions: plan.actions.length, instances }, ctx)
    if (!started.ok) return { kind: 'failed', failure: started.failure }
    plan = started.value
  }
  const end = await followWatcherPlan(watcher, plan, ctx)
  if (end.kind !== 'over') return end
  const tally = tallyActions(end.plan.actions)
  const { succeeded, skipped, failed: wrongs, notRun } = tally
  const counts = { actions: end.plan.actions.length, succeeded, skipped }
  if (wrongs + notRun === 0) return applied(found('WatcherPlanDone', counts))
  const wrong = end.plan.actions
    .filter(({ state }) => state !== 'SUCCEEDED' && state !== 'SKIPPED')
    .map(({ resourceName, resourceId, state, statusMessage }) => ({
      name: nameIn(end.plan.actions, { resourceName, resourceId }),
      state,
      cause: statusMessage,
    }))
  const words = found('WatcherPlanWentWrong', { ...counts, failed: wrongs, notRun, wrong: itemsOf(wrong) })
  return asks(words, ['retry', 'continue', 'abort'])
}

function interrupted(why: Failure, ctx: MaintenanceContext): ApplyAnswer {
  return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: why }
}
