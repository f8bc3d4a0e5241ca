import { z } from 'zod'
import { assertNever } from './must.ts'
import { RunOutcome, type RunView } from './run.ts'
import { endingOf, RunEnding } from './run-ending.ts'
import { RunLeft } from './run-left.ts'
import { isAtWork, isStalled, nodeOf, questionOf, RunWait, rankOf, waitNeedsSomebody, waitsOf } from './run-wait.ts'

/** The condition of a run by its events, and by whether a process drives it. Every face and the report show only this. */
export const RunCondition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('starting') }),
  /** `at`: the step's title, null means its checks. `waits`: what it waits for meanwhile. */
  z.strictObject({ kind: z.literal('moving'), at: z.string().nullable(), waits: z.array(RunWait) }),
  /** The run or one of its nodes waits; the most urgent of `waits` is first. */
  z.strictObject({ kind: z.literal('waiting'), waits: z.array(RunWait).min(1) }),
  z.strictObject({ kind: z.literal('paused'), since: z.string(), waits: z.array(RunWait) }),
  z.strictObject({ kind: z.literal('aborting') }),
  /** No process drives it; `since`: its last event, `left`: why, if known, `waits`: its open questions. */
  z.strictObject({
    kind: z.literal('interrupted'),
    since: z.string(),
    at: z.string().nullable(),
    left: RunLeft.nullable(),
    waits: z.array(RunWait),
  }),
  /** Its runner is silent since `since`. `was`, `waits`: its condition and waits then. */
  z.strictObject({
    kind: z.literal('unheard'),
    since: z.string(),
    runner: z.string(),
    was: z.string(),
    waits: z.array(RunWait),
  }),
  z.strictObject({ kind: z.literal('over'), outcome: RunOutcome, summary: z.string(), ending: RunEnding }),
])
export type RunCondition = z.infer<typeof RunCondition>

/** The run with only one node's steps, questions and waits, for {@link conditionOf} and tallies. */
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

/** `nobodyDrives`: its console is gone; `refused`: why the journal refused this process, or null. */
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

/** A possible hand-over comes first. */
function leftOf({ state, handedTo }: RunView, refused: string | null): RunLeft | null {
  if (handedTo !== null) {
    const { object, namespace, by } = handedTo
    return { code: 'HandOverOpen', object, namespace, cluster: by }
  }
  if (state.kind === 'left') return state.left
  return refused === null ? null : { code: 'JournalRefused', cause: refused }
}

/** A person must act before the run continues. */
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
    case 'unheard':
    case 'over':
      return false
  }
}

/** No end is shown while a run waits: nobody knows for how long. */
export function mayShowEnd({ kind }: RunCondition): boolean {
  return kind === 'starting' || kind === 'moving'
}
