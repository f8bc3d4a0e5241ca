import type { RunView, StepState } from './run.ts'

const THROUGH: ReadonlySet<StepState> = new Set(['applied', 'verified', 'nothing-to-do'])

/** A later step, or the rest of their completed lane, has undone their changes. A lane without a way back undoes nothing. */
export function undoneSteps(view: Pick<RunView, 'steps'>): ReadonlySet<string> {
  const through = new Set(view.steps.filter(({ state }) => THROUGH.has(state)).map(({ step }) => step.id))
  const underWay = new Set(
    view.steps.flatMap(({ step }) =>
      step.lane !== null && step.verbs.includes('apply') && !through.has(step.id) ? [step.lane.name] : [],
    ),
  )
  const staying = new Set(
    [...Map.groupBy(view.steps, ({ step }) => step.lane?.name)].flatMap(([name, own]) =>
      name !== undefined && goesOutOnly(own) ? [name] : [],
    ),
  )
  return new Set(
    view.steps
      .filter(
        ({ step }) =>
          (step.holdsUntil !== null && through.has(step.holdsUntil)) ||
          (step.lane !== null && !underWay.has(step.lane.name) && !staying.has(step.lane.name)),
      )
      .map(({ step }) => step.id),
  )
}

/** Lanes of earlier versions have no stages; all of them came back. */
function goesOutOnly(steps: RunView['steps']): boolean {
  return steps.some(({ step }) => step.stage === 'draining') && steps.every(({ step }) => step.stage !== 'returning')
}
