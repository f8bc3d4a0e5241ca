import type { RunSummary } from '../../../../shared/contract/index.ts'
import { openGateOf, openGatesOf } from '../../../../shared/domain/open-gate.ts'
import type { RunEvent, RunView } from '../../../../shared/domain/run.ts'
import { figuresOf } from '../../../../shared/domain/run-figures.ts'

/** A run as one JSON object: the fields of its list row with its steps, its end and its questions. */
export function runAsJson(
  summary: RunSummary,
  view: RunView,
  events: readonly RunEvent[],
): Readonly<Record<string, unknown>> {
  const { state } = view
  return {
    ...summary,
    outcome: state.kind === 'finished' ? state.outcome : null,
    leftBehind: state.kind === 'finished' ? state.leftBehind : [],
    waiting: openGateOf(events),
    questions: openGatesOf(events),
    figures: figuresOf(view, events),
    overrides: view.overrides,
    options: view.plan.options,
    steps: view.steps.map(({ step, state: stepState, attempts, startedAt, endedAt, check, verify, failure }) => ({
      id: step.id,
      kind: step.kind,
      role: step.role,
      title: step.title,
      state: stepState,
      attempts,
      startedAt,
      endedAt,
      check,
      verify,
      failure,
    })),
  }
}
