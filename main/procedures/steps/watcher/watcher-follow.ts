import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Json } from '../../../../shared/domain/json.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import {
  factText,
  WAITS_FOR,
  WATCHER_ACTION,
  WATCHER_PLAN_CANCELLED,
  WATCHER_PLAN_OVER,
  WATCHER_PLAN_STARTED,
} from '../../../../shared/domain/run-facts.ts'
import type { WatcherAction, WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { moveOf } from '../../../../shared/domain/watcher-moves.ts'
import { hasPlanEnded, isUnderWay, tallyActions } from '../../../../shared/domain/watcher-plan-status.ts'
import { found, thing } from '../../../../shared/words/step-texts.ts'
import { type Finding, namesOf } from '../../../../shared/words/steps/coded.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import { factValues } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from '../compute/classify-instances.ts'
import { actionLabel, planSubjectOf } from './watcher-look.ts'

type FollowAnswer =
  /** No action runs any more. */
  | { readonly kind: 'over'; readonly plan: WatcherPlan }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

/** Watcher gives up a migration after 900 s (docs/domain.md B.2), and reports that late. */
const ACTION_LIMIT_MS = 960_000
/** Its applier starts the next action within seconds. */
const TAKE_UP_LIMIT_MS = 180_000

/** Announces the start, then sends it. A plan that runs already, of an earlier process, is returned as it is: it never starts twice. */
export async function startWatcherPlan(
  watcher: WatcherPort,
  plan: WatcherPlan,
  values: Readonly<Record<string, Json>>,
  ctx: MaintenanceContext,
): Promise<Result<WatcherPlan>> {
  ctx.announce(WATCHER_PLAN_STARTED, planSubjectOf(plan.uuid), { auditUuid: plan.auditUuid, ...values })
  const started = await watcher.start(plan.uuid)
  if (started.ok) return started
  const now = await watcher.plan(plan.uuid)
  return now.ok && now.value.state !== 'RECOMMENDED' ? now : started
}

/** Follows a plan until no action runs. An operator's pause or abort cancels it; a console that leaves or dies lets Watcher continue. */
export async function followWatcherPlan(
  watcher: WatcherPort,
  plan: WatcherPlan,
  ctx: MaintenanceContext,
): Promise<FollowAnswer> {
  const { clock } = ctx
  const began = clock.monotonicMs()
  let current = plan
  let changedAt = began
  let saidSilent = false
  await printChanges(current, ctx)
  for (;;) {
    // A question would leave the plan running after an abort: so silence is only reported.
    const isSilent =
      clock.monotonicMs() - changedAt > (current.actions.some(isUnderWay) ? ACTION_LIMIT_MS : TAKE_UP_LIMIT_MS)
    if (isSilent !== saidSilent) {
      saidSilent = isSilent
      const words = isSilent ? silenceOf(current, clock.monotonicMs() - changedAt) : null
      const what = words === null ? { what: null } : factValues('what', words)
      ctx.report(WAITS_FOR, planSubjectOf(plan.uuid), { name: thing('WatcherPlan').message, ...what })
    }
    if (hasPlanEnded(current)) {
      reportOver(current, ctx)
      return { kind: 'over', plan: current }
    }
    if (ctx.signal.aborted) break
    await clock.sleep(pollMs(clock.monotonicMs() - began), ctx.signal)
    if (ctx.signal.aborted) break
    const askedAt = clock.monotonicMs()
    const read = await ctx.retryTransient(planSubjectOf(plan.uuid), () => watcher.plan(plan.uuid, ctx.signal))
    if (!read.ok && ctx.signal.aborted) break
    // Watcher continues its plan meanwhile: the next apply follows it.
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    const hasMoved = (await printChanges(read.value, ctx)) || read.value.state !== current.state
    // Time without an answer does not count as time without changes.
    changedAt = hasMoved ? clock.monotonicMs() : changedAt + (clock.monotonicMs() - askedAt)
    current = read.value
  }
  await stopPlan(watcher, current, ctx)
  return { kind: 'stopped' }
}

/** Notices an end soon, at most 5 s late. */
function pollMs(elapsedMs: number): number {
  return Math.min(5_000, Math.max(500, elapsedMs * 0.05))
}

async function stopPlan(watcher: WatcherPort, plan: WatcherPlan, ctx: MaintenanceContext): Promise<void> {
  const by = ctx.stoppedBy()
  if ((by !== 'pause' && by !== 'abort') || plan.state === 'CANCELLING') return
  const subject = planSubjectOf(plan.uuid)
  const finishing = plan.actions.filter(isUnderWay).map(actionLabel)
  const said = found('WatcherPlanCancelled', { by, finishing: namesOf(finishing) })
  ctx.report(WATCHER_PLAN_CANCELLED, subject, { ...factValues('why', said), finishing })
  // Not the run's signal: it has aborted, and this is the consequence.
  const cancelled = await watcher.cancel(plan.uuid)
  if (cancelled.ok) {
    await printChanges(cancelled.value, ctx)
    return
  }
  if (cancelled.failure.code === 'conflict') return
  const left = found('WatcherPlanNotCancelled', { cause: cancelled.failure.message })
  ctx.report(WATCHER_PLAN_CANCELLED, subject, { ...factValues('why', left), finishing })
}

/** Journals changed actions; returns whether any changed. */
async function printChanges(plan: WatcherPlan, ctx: MaintenanceContext): Promise<boolean> {
  const known = new Map<string, string>()
  for (const fact of ctx.history()) {
    const uuid = fact.fact === WATCHER_ACTION ? factText(fact, 'action') : null
    if (uuid !== null) known.set(uuid, factText(fact, 'state') ?? '')
  }
  const changed = plan.actions.filter(({ uuid, state }) => (known.get(uuid) ?? 'PENDING') !== state)
  const started = ctx.history().findLast(({ fact }) => fact === WATCHER_PLAN_STARTED)
  const source = started === undefined ? null : factText(started, 'host')
  for (const action of changed) {
    const arrived = await arrivalOf(action, ctx)
    ctx.report(WATCHER_ACTION, actionSubject(action), {
      plan: plan.uuid,
      action: action.uuid,
      type: action.kind === 'other' ? action.type : action.kind,
      name: action.resourceName,
      state: action.state,
      source,
      ...arrived,
      why: action.statusMessage ?? '',
    })
  }
  return changed.length > 0
}

/** Before the move: Watcher's chosen destination, if any. */
async function arrivalOf(action: WatcherAction, ctx: MaintenanceContext): Promise<Readonly<Record<string, Json>>> {
  const to = action.destination
  if (moveOf(action) === null || action.state !== 'SUCCEEDED') return { to }
  const read = await cloudOf(ctx).getInstance(action.resourceId, ctx.signal)
  if (!read.ok) return { to }
  const { host, status, powerState } = read.value
  return moveOf(action) === 'stop' ? { to, host, status, powerState } : { to: host, status, powerState }
}

/** By the instance's id, because names are not unique (docs/domain.md B.1, defect 2). */
export function actionSubject(action: WatcherAction): string {
  return moveOf(action) === null ? `nova-compute/${action.resourceName}` : instanceSubject(action.resourceId)
}

function reportOver(plan: WatcherPlan, ctx: MaintenanceContext): void {
  const subject = planSubjectOf(plan.uuid)
  if (ctx.history().some(fact => fact.fact === WATCHER_PLAN_OVER && fact.subject === subject)) return
  ctx.report(WATCHER_PLAN_OVER, subject, { state: plan.state, ...tallyActions(plan.actions) })
}

function silenceOf(plan: WatcherPlan, ms: number): Finding {
  const working = plan.actions.filter(isUnderWay).map(({ resourceName }) => resourceName)
  return found('WatcherPlanUnchanged', { forMs: ms, state: plan.state, working: namesOf(working) })
}
