import type { RunView, StepState } from './run.ts'

const THROUGH: ReadonlySet<StepState> = new Set(['applied', 'verified', 'nothing-to-do'])

/** A later step, or the rest of their completed lane, has undone their changes. */
export function undoneSteps(view: Pick<RunView, 'steps'>): ReadonlySet<string> {
  const through = new Set(view.steps.filter(({ state }) => THROUGH.has(state)).map(({ step }) => step.id))
  const underWay = new Set(
    view.steps.flatMap(({ step }) =>
      step.lane !== null && step.verbs.includes('apply') && !through.has(step.id) ? [step.lane.name] : [],
    ),
  )
  return new Set(
    view.steps
      .filter(
        ({ step }) =>
          (step.holdsUntil !== null && through.has(step.holdsUntil)) ||
          (step.lane !== null && !underWay.has(step.lane.name)),
      )
      .map(({ step }) => step.id),
  )
}
