import { z } from 'zod'
import { assertNever } from './must.ts'
import { RunOutcome, type RunView } from './run.ts'
import { endingOf, RunEnding } from './run-ending.ts'
import { RunLeft } from './run-left.ts'
import { isAtWork, isStalled, nodeOf, questionOf, RunWait, rankOf, waitNeedsSomebody, waitsOf } from './run-wait.ts'

/**
 * What a run is at this moment. Every face and the report show this and nothing else; it is derived from the run's events and from whether
 * somebody drives it.
 */
export const RunCondition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('starting') }),
  /** Something goes on; `at`: the step's title, null: its checks. `waits`: what is waited for meanwhile. */
  z.strictObject({ kind: z.literal('moving'), at: z.string().nullable(), waits: z.array(RunWait) }),
  /** It stands still, or one of its nodes does and only a person can end that; the first of `waits` is the one to look after. */
  z.strictObject({ kind: z.literal('waiting'), waits: z.array(RunWait).min(1) }),
  /** `waits`: its open questions. */
  z.strictObject({ kind: z.literal('paused'), since: z.string(), waits: z.array(RunWait) }),
  z.strictObject({ kind: z.literal('aborting') }),
  /** Nobody drives it; `since`: it was heard of last, `left`: why it was left, where that is known, `waits`: its open questions. */
  z.strictObject({
    kind: z.literal('interrupted'),
    since: z.string(),
    at: z.string().nullable(),
    left: RunLeft.nullable(),
    waits: z.array(RunWait),
  }),
  /**
   * A runner drives it, and this console does not hear that runner now: since `since` anything may have happened. `was`: what it was then, in two or
   * three words; `waits`: what it waited for then.
   */
  z.strictObject({
    kind: z.literal('unheard'),
    since: z.string(),
    runner: z.string(),
    was: z.string(),
    waits: z.array(RunWait),
  }),
  /** `ending`: how, as a code with values. */
  z.strictObject({ kind: z.literal('over'), outcome: RunOutcome, summary: z.string(), ending: RunEnding }),
])
export type RunCondition = z.infer<typeof RunCondition>

/** A run as one node of it sees it: only what is done there, asked and waited for there; {@link conditionOf} and tallies are of the node then. */
export function viewOfNode(view: RunView, node: string): RunView {
  const steps = view.steps.filter(step => nodeOf(view, step) === node)
  const own = new Set(steps.map(({ step }) => step.id))
  return {
    ...view,
    steps,
    openGates: view.openGates.filter(({ stepId }) => own.has(stepId)),
    passingWaits: view.passingWaits.filter(({ stepId }) => stepId === null || own.has(stepId)),
  }
}

/**
 * What a run is now. Its events do not tell these: `nobodyDrives`, whoever drove it is gone; `refused`, why the journal took no more of it
 * from this process (null: it did, or another one drove it).
 */
export function conditionOf(view: RunView, nobodyDrives: boolean, refused: string | null = null): RunCondition {
  const { state, lastEventAt } = view
  if (state.kind === 'finished') {
    return { kind: 'over', outcome: state.outcome, summary: state.summary, ending: endingOf(view, state) }
  }
  const at = view.steps.find(isAtWork)?.step.title ?? null
  const questions = view.openGates.map(gate => questionOf(view, gate))
  if (nobodyDrives || state.kind === 'left') {
    return { kind: 'interrupted', since: lastEventAt, at, left: leftOf(view, refused), waits: questions }
  }
  switch (state.kind) {
    case 'created':
      return { kind: 'starting' }
    case 'paused':
      return { kind: 'paused', since: state.since, waits: questions }
    case 'aborting':
      return { kind: 'aborting' }
    case 'running':
    case 'waiting': {
      const waits = [...questions, ...waitsOf(view)].toSorted((a, b) => rankOf(a) - rankOf(b))
      const needsSomebody = waits.some(waitNeedsSomebody)
      return needsSomebody || isStalled(view) ? { kind: 'waiting', waits } : { kind: 'moving', at, waits }
    }
    default:
      return assertNever(state, 'run state')
  }
}

/** Why nobody drives a run: that it may be with a runner comes first. */
function leftOf({ state, handedTo }: RunView, refused: string | null): RunLeft | null {
  if (handedTo !== null) {
    const { object, namespace, by } = handedTo
    return { code: 'HandOverOpen', object, namespace, cluster: by }
  }
  if (state.kind === 'left') return state.left
  return refused === null ? null : { code: 'JournalRefused', cause: refused }
}

/** Whether a person has to do something before a run goes on. */
export function needsSomebody(condition: RunCondition): boolean {
  switch (condition.kind) {
    case 'waiting':
      return condition.waits.some(waitNeedsSomebody)
    case 'paused':
    case 'interrupted':
      return true
    case 'starting':
    case 'moving':
    case 'aborting':
    // Whether it still does is not known.
    case 'unheard':
    case 'over':
      return false
  }
}

/** Whether an end may be estimated: while a run stands still, how long that takes is not known. */
export function mayShowEnd({ kind }: RunCondition): boolean {
  return kind === 'starting' || kind === 'moving'
}
