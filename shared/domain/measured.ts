import type { MeasuredNode } from './history.ts'
import { type MeasuredMove, movesMeasuredBy } from './move-durations.ts'
import { isNodePlan, isNodeRun } from './plan.ts'
import type { RunEvent, RunView, StepView } from './run.ts'
import { historyOfFacts } from './run-history.ts'
import { UpdatePhase } from './update.ts'
import { updateNodeOf } from './update-nodes.ts'

/** Per node. Time in which the run was paused, had no console or asked a person does not count; failed or unfinished work is not measured. */
export function measuredIn(view: RunView, events: readonly RunEvent[]): readonly MeasuredNode[] {
  const idle = idleSpans(view, events)
  return [...stepsByNode(view)].flatMap(([node, steps]) => {
    const at = beginOf(steps)
    return at === null ? [] : [measuredNode(view, node, at, steps, idle)]
  })
}

/** The phases of an update besides the nodes, without unfinished or failed ones. */
export function phasesMeasuredIn(
  view: RunView,
  events: readonly RunEvent[],
): readonly { readonly phase: UpdatePhase; readonly ms: number }[] {
  if (isNodeRun(view.plan.kind)) return []
  const idle = idleSpans(view, events)
  const applied = view.steps.filter(({ step }) => step.verbs.includes('apply') && updateNodeOf(step) === null)
  return UpdatePhase.options.flatMap(phase => {
    const own = applied.filter(({ step }) => step.phase === phase)
    const ms = lasted(own, idle)
    return ms === null ? [] : [{ phase, ms }]
  })
}

/** Steps that empty the node, by Lockkeeper, Watcher, or (mosk) the OpenStack Controller while its lock is active. */
const EMPTIES: ReadonlySet<string> = new Set(['migrate-instances', 'run-watcher-plan', 'node-locks-inactive'])
const DRAINS: ReadonlySet<string> = new Set(['drain-node'])
const WORKS: ReadonlySet<string> = new Set(['node-work', 'node-ready-again'])
const RETURNS_WITH = 'uncordon-node'

/** `stepId` null: all nodes waited. */
interface IdleSpan {
  readonly fromMs: number
  readonly toMs: number
  readonly stepId: string | null
}

function measuredNode(
  { id, plan }: RunView,
  node: string,
  at: string,
  steps: readonly StepView[],
  idle: readonly IdleSpan[],
): MeasuredNode {
  const returnAt = steps.findIndex(({ step }) => step.kind === RETURNS_WITH)
  const back = returnAt < 0 ? [] : steps.slice(returnAt)
  const workMs = workOf(steps, back, idle)
  // A question about the work is part of the work, but its unobserved end is unknown.
  const worked = steps.every(({ step }) => !WORKS.has(step.kind)) || workMs !== null
  const { instancesMoved, movedGib } = movedBy(steps)
  return {
    cluster: plan.cluster,
    node,
    runId: id,
    kind: plan.kind,
    at,
    evacuationMs: lasted(
      steps.filter(({ step }) => EMPTIES.has(step.kind)),
      idle,
    ),
    instancesMoved,
    movedGib,
    drainMs: lasted(
      steps.filter(({ step }) => DRAINS.has(step.kind)),
      idle,
    ),
    podsLeft: leftBy(steps),
    workMs,
    returnMs: lasted(back, idle),
    // Nodes that stay out say nothing about the time until they are back.
    totalMs: worked && plan.kind !== 'take-out' ? lasted(steps, idle) : null,
  }
}

/** Each node's steps in order; checks take no time worth planning. */
function stepsByNode({ plan, steps }: RunView): ReadonlyMap<string, readonly StepView[]> {
  const applied = steps.filter(({ step }) => step.verbs.includes('apply'))
  if (isNodePlan(plan)) return new Map([[plan.node, applied]])
  const byNode = Map.groupBy(applied, ({ step }) => updateNodeOf(step))
  return new Map([...byNode].flatMap(([node, own]) => (node === null ? [] : [[node, own] as const])))
}

/** How long steps took without idle time; null if one failed, was skipped, or has not ended. */
function lasted(steps: readonly StepView[], idle: readonly IdleSpan[]): number | null {
  if (!steps.every(({ state }) => state === 'applied' || state === 'verified' || state === 'nothing-to-do')) return null
  const begun = steps.flatMap(({ startedAt }) => (startedAt === null ? [] : [Date.parse(startedAt)]))
  const ended = steps.flatMap(({ startedAt, endedAt }) =>
    startedAt === null || endedAt === null ? [] : [Date.parse(endedAt)],
  )
  if (begun.length === 0 || ended.length === 0) return null
  const [fromMs, toMs] = [Math.min(...begun), Math.max(...ended)]
  const own = new Set(steps.flatMap(({ step }) => (WORKS.has(step.kind) ? [] : [step.id])))
  return Math.max(0, toMs - fromMs - stalled(fromMs, toMs, own, idle))
}

/** The time from the end of the last step before the work to the start of the way back. */
function workOf(steps: readonly StepView[], back: readonly StepView[], idle: readonly IdleSpan[]): number | null {
  const work = steps.filter(({ step }) => WORKS.has(step.kind))
  const [first] = work
  const toAt = back[0]?.startedAt ?? back[0]?.endedAt ?? null
  if (first?.startedAt == null || toAt === null) return null
  if (work.some(({ state }) => state === 'skipped' || state === 'cannot-tell' || state === 'failed')) return null
  const [fromMs, toMs] = [Date.parse(first.startedAt), Date.parse(toAt)]
  return stalled(fromMs, toMs, new Set(), idle) > 0 ? null : Math.max(0, toMs - fromMs)
}

function stalled(fromMs: number, toMs: number, steps: ReadonlySet<string>, idle: readonly IdleSpan[]): number {
  const spans = idle
    .filter(({ stepId }) => stepId === null || steps.has(stepId))
    .map(span => ({ fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) }))
    .filter(span => span.toMs > span.fromMs)
    .sort((a, b) => a.fromMs - b.fromMs)
  let sum = 0
  let reached = fromMs
  for (const span of spans) {
    sum += Math.max(0, span.toMs - Math.max(reached, span.fromMs))
    reached = Math.max(reached, span.toMs)
  }
  return sum
}

/** Paused, without a console, or a step asked a person. */
function idleSpans(view: RunView, events: readonly RunEvent[]): readonly IdleSpan[] {
  const spans: IdleSpan[] = []
  const questions = new Map<string, { readonly stepId: string; readonly fromMs: number }>()
  let stoppedMs: number | null = null
  let lastMs = Date.parse(view.createdAt)
  const end = (toMs: number): void => {
    if (stoppedMs !== null) spans.push({ fromMs: stoppedMs, toMs, stepId: null })
    stoppedMs = null
  }
  const answered = (gateId: string, toMs: number): void => {
    const asked = questions.get(gateId)
    if (asked !== undefined) spans.push({ ...asked, toMs })
    questions.delete(gateId)
  }
  for (const { at, body } of events) {
    const nowMs = Date.parse(at)
    switch (body.kind) {
      case 'paused':
      case 'driver-left':
        stoppedMs ??= nowMs
        break
      case 'resume-requested':
        end(nowMs)
        break
      case 'run-driven':
        // A killed console leaves no event, so its last event counts as its end.
        if (body.resumed) stoppedMs ??= lastMs
        end(nowMs)
        break
      case 'run-finished':
        for (const gateId of [...questions.keys()]) answered(gateId, nowMs)
        break
      case 'step-started':
        for (const [gateId, { stepId }] of [...questions]) if (stepId === body.stepId) answered(gateId, nowMs)
        break
      case 'gate-opened':
        questions.set(body.gateId, { stepId: body.stepId, fromMs: nowMs })
        break
      case 'gate-answered':
        answered(body.gateId, nowMs)
        break
      default:
    }
    lastMs = nowMs
  }
  return spans
}

function beginOf(steps: readonly StepView[]): string | null {
  const begun = steps.flatMap(({ startedAt }) => startedAt ?? [])
  return begun.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

function movedBy(steps: readonly StepView[]): { readonly instancesMoved: number; readonly movedGib: number | null } {
  const { instances } = historyOfFacts({ facts: steps.flatMap(step => step.facts) })
  const moved = [...instances.values()].filter(({ attempts }) => attempts.some(({ end }) => end?.kind === 'moved'))
  const byOthers = steps.some(({ step }) => step.kind === 'node-locks-inactive')
  const live = steps.flatMap(step => movesMeasuredBy(step.facts))
  return {
    instancesMoved: moved.length,
    movedGib: byOthers ? null : gibOf(live),
  }
}

function leftBy(steps: readonly StepView[]): number {
  const { pods } = historyOfFacts({ facts: steps.flatMap(step => step.facts) })
  return [...pods.values()].filter(({ state }) => state === 'left').length
}

function gibOf(moves: readonly MeasuredMove[]): number | null {
  let mib = 0
  for (const { ramMib } of moves) {
    if (ramMib === null) return null
    mib += ramMib
  }
  return mib / 1024
}
