import { z } from 'zod'
import { type EmptinessVerdict, isAsAgreed, NodeVerdict, type StillHere } from './node-verdict.ts'
import { isNodePlan, staysOut } from './plan.ts'
import { RunOutcome, type RunView } from './run.ts'
import { NODE_VERDICT } from './run-facts.ts'
import { leftBySkip } from './skipped-moves.ts'
import { OverrideFlag } from './step-answers.ts'
import { nodesOfPlan, updateNodeOf } from './update-nodes.ts'

export const Accepted = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('Override'), flag: OverrideFlag, message: z.string(), reason: z.string() }),
  z.strictObject({
    code: z.literal('SkippedStep'),
    stepId: z.string(),
    title: z.string(),
    by: z.string().nullable(),
    at: z.string().nullable(),
    reason: z.string(),
  }),
])
export type Accepted = z.infer<typeof Accepted>

const accepted = z.array(Accepted)

/** The goal is reached (`NodeEmpty`, `InService`, `Finished`), it is not (`NodeNotEmpty`, `HeldBack`), or the run stopped early. Stored codes. */
export const RunEnding = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('NodeEmpty'), node: z.string(), verdict: NodeVerdict, accepted }),
  z.strictObject({ kind: z.literal('NodeNotEmpty'), node: z.string(), verdict: NodeVerdict, accepted }),
  z.strictObject({ kind: z.literal('InService'), node: z.string(), verdict: NodeVerdict, accepted }),
  /** Back, but something else keeps work off it. */
  z.strictObject({ kind: z.literal('HeldBack'), node: z.string(), verdict: NodeVerdict, accepted }),
  /** Verified, without a verdict about one node: many nodes, `home`, or a run of an earlier version. */
  z.strictObject({ kind: z.literal('Finished'), accepted }),
  /** It failed or was stopped; `changed`: changes that remain. */
  z.strictObject({
    kind: z.literal('Stopped'),
    outcome: RunOutcome.extract(['failed', 'aborted']),
    changed: z.array(z.string()),
    accepted,
  }),
  /** Its checks failed: nothing changed. */
  z.strictObject({ kind: z.literal('Untouched'), accepted }),
  z.strictObject({ kind: z.literal('HandedOver'), accepted }),
])
export type RunEnding = z.infer<typeof RunEnding>

export function endingOf(view: RunView, state: Extract<RunView['state'], { kind: 'finished' }>): RunEnding {
  const accepted = acceptedIn(view)
  switch (state.outcome) {
    case 'failed':
    case 'aborted':
      return { kind: 'Stopped', outcome: state.outcome, changed: [...state.leftBehind], accepted }
    case 'checks-failed':
      return { kind: 'Untouched', accepted }
    case 'handed-over':
      return { kind: 'HandedOver', accepted }
    case 'done':
      return finishedEnding(view, accepted)
  }
}

/** The ending of a run whose steps are all verified, before it is recorded. */
export function endingIfDone(view: RunView): RunEnding {
  return finishedEnding(view, acceptedIn(view))
}

function finishedEnding(view: RunView, accepted: Accepted[]): RunEnding {
  const { plan } = view
  if (!isNodePlan(plan))
    return plan.kind === 'take-out' ? togetherEnding(view, accepted) : { kind: 'Finished', accepted }
  const recorded = verdictIn(view, plan.node)
  // An unreadable verdict, such as of a newer version, proves nothing.
  const verdict = recorded === 'unreadable' ? notLooked(view.endedAt ?? view.lastEventAt) : recorded
  if (verdict === null) {
    // Runs of earlier versions recorded no verdict. After a skipped step, what is left is unknown.
    const mayBeLeft = staysOut(plan.kind) && accepted.some(({ code }) => code === 'SkippedStep')
    return mayBeLeft
      ? { kind: 'NodeNotEmpty', node: plan.node, verdict: notLooked(view.endedAt ?? view.lastEventAt), accepted }
      : { kind: 'Finished', accepted }
  }
  const about = { node: plan.node, verdict, accepted }
  switch (verdict.kind) {
    case 'Empty':
      return { kind: 'NodeEmpty', ...about }
    case 'NotEmpty':
      return { kind: 'NodeNotEmpty', ...about, verdict: withSkips(verdict, view) }
    case 'InService':
      return { kind: 'InService', ...about }
    case 'HeldBack':
      return { kind: 'HeldBack', ...about }
    case 'Unknown':
      return staysOut(plan.kind)
        ? { kind: 'NodeNotEmpty', ...about }
        : { kind: 'HeldBack', ...about, verdict: { ...verdict, about: 'service' } }
  }
}

/** Several nodes that stay out: the first that is not empty, or unknown, is what the operator has to know. */
function togetherEnding(view: RunView, accepted: Accepted[]): RunEnding {
  for (const { node } of nodesOfPlan(view.plan)) {
    const recorded = verdictIn(view, node)
    if (recorded !== null && recorded !== 'unreadable' && recorded.kind === 'Empty') continue
    const isEmptiness = recorded !== null && recorded !== 'unreadable' && recorded.kind === 'NotEmpty'
    const verdict = isEmptiness
      ? withSkips(recorded, { steps: view.steps.filter(({ step }) => updateNodeOf(step) === node) })
      : notLooked(view.endedAt ?? view.lastEventAt)
    return { kind: 'NodeNotEmpty', node, verdict, accepted }
  }
  return { kind: 'Finished', accepted }
}

/** The goal is reached even if agreed leftovers remain (instances that stop with the node, or a drain-only scope). */
export function isReached(ending: RunEnding): boolean {
  switch (ending.kind) {
    case 'NodeEmpty':
    case 'InService':
    case 'Finished':
      return true
    case 'NodeNotEmpty':
      return isAsAgreed(ending.verdict)
    default:
      return false
  }
}

/** Otherwise the plan shows the obstacle. */
export function mayMoveRest(ending: RunEnding): boolean {
  if (ending.kind !== 'NodeNotEmpty' || ending.accepted.some(({ code }) => code === 'Override')) return false
  const { verdict } = ending
  if (verdict.kind !== 'NotEmpty') return verdict.kind === 'Unknown'
  return verdict.pods.length > 0 || verdict.instances.some(({ code }) => MOVABLE.has(code))
}

const MOVABLE: ReadonlySet<StillHere['code']> = new Set(['StillRuns', 'NotRescued', 'LeftHere', 'Arriving', 'Busy'])

/** Whatever its node's state is. */
export function completedAllSteps({ state }: { readonly state: string }): boolean {
  return state === 'done' || state === 'not-reached'
}

/** The last verdict in the order of the plan, because clocks of two consoles may differ; null if there is no verdict. */
function verdictIn({ steps }: Pick<RunView, 'steps'>, node: string): NodeVerdict | 'unreadable' | null {
  const last = steps
    .flatMap(({ facts }) => facts)
    .findLast(({ fact, subject }) => fact === NODE_VERDICT && subject === `node/${node}`)
  return last === undefined ? null : (NodeVerdict.safeParse(last.values).data ?? 'unreadable')
}

function acceptedIn({ overrides, steps }: Pick<RunView, 'overrides' | 'steps'>): Accepted[] {
  return [
    ...overrides.map(({ flag, message, reason }) => ({ code: 'Override', flag, message, reason }) as const),
    ...steps
      .filter(({ state }) => state === 'skipped')
      .map(({ step, passed }) => ({
        code: 'SkippedStep' as const,
        stepId: step.id,
        title: step.title,
        by: passed?.by ?? null,
        at: passed?.at ?? null,
        reason: passed?.reason ?? '',
      })),
  ]
}

function withSkips(
  verdict: Extract<EmptinessVerdict, { kind: 'NotEmpty' }>,
  { steps }: Pick<RunView, 'steps'>,
): Extract<EmptinessVerdict, { kind: 'NotEmpty' }> {
  const decided = steps.map(leftBySkip).find(passed => passed !== null) ?? null
  if (decided === null) return verdict
  const instances = verdict.instances.map(
    (instance): StillHere =>
      instance.code === 'StillRuns' || instance.code === 'NotRescued'
        ? { ...instance, code: 'LeftHere', decided }
        : instance,
  )
  return { ...verdict, instances }
}

function notLooked(at: string): EmptinessVerdict {
  return { kind: 'Unknown', at, looked: [], unread: [{ what: 'instances', code: 'NotAsked', message: '' }] }
}
