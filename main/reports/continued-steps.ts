import { historyOf } from '../../shared/domain/run-history.ts'
import { nodeOfStep, type ReportedRun, stepOf } from './material.ts'

/** A step that a person ended with "continue" while what it waited for was not there. */
export interface ContinuedStep {
  readonly at: string
  readonly gateId: string
  readonly by: string
  readonly title: string
  /** Empty: the whole cluster. */
  readonly node: string
  /** What it waited for when the answer came; null: the journal does not say. */
  readonly waitedFor: string | null
}

/** Steps of a run that somebody continued past, though the world was not as the step needs it. */
export function continuedSteps(run: ReportedRun): readonly ContinuedStep[] {
  const { answers } = historyOf(run.view.plan, run.events)
  return answers
    .filter(({ choice, isOfTrouble, leansOnAnswer }) => choice === 'continue' && isOfTrouble && !leansOnAnswer)
    .map(({ at, gateId, by, stepId, waitedFor }) => {
      const step = stepOf(run, stepId)
      return { at, gateId, by, title: step?.title ?? stepId, node: nodeOfStep(run, step), waitedFor }
    })
}

/** Who continued past what, and what it still waited for then, in a sentence or two. */
export function continuedWords({ by, title, waitedFor }: ContinuedStep): string {
  const past = `${by} continued past "${title}"`
  return waitedFor === null ? `${past}, which was not done.` : `${past}. It still waited for: ${waitedFor}.`
}
