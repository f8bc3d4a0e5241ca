import type { RunView, StepView } from '../../../../shared/domain/run.ts'
import { migrationsOf, movesInProgress } from '../../../../shared/domain/run-progress.ts'

/** Whether any instance is moving that has no question and does not wait behind one that has. */
export function instancesMove(view: RunView): boolean {
  const migrations = view.steps.filter(({ state }) => state === 'applying').flatMap(migrationsOf)
  return movesInProgress(migrations, ({ asks }) => asks !== null).length > 0
}

/** Whether a lane without a question has started and not ended. */
export function lanesMove(view: RunView): boolean {
  const waits = (steps: readonly StepView[]) =>
    steps.some(({ step }) => view.openGates.some(({ stepId }) => stepId === step.id))
  const lanes = Map.groupBy(
    // Checks have no apply: they do not show whether a lane has ended.
    view.steps.filter(({ step }) => step.lane !== null && step.verbs.includes('apply')),
    ({ step }) => step.lane?.name,
  )
  return [...lanes.values()].some(
    steps =>
      !waits(steps) &&
      steps.some(({ startedAt }) => startedAt !== null) &&
      steps.some(({ state }) => !LANE_OVER.includes(state)),
  )
}

const LANE_OVER: readonly StepView['state'][] = [
  'applied',
  'verified',
  'cannot-tell',
  'nothing-to-do',
  'skipped',
  'failed',
]
