import type { InstanceHistory } from './instance-history.ts'
import { stateOf } from './instance-state.ts'
import type { StepView } from './run.ts'

/** The person who skipped a step that moves instances; null if nobody did. */
export function leftBySkip({ step, state, passed }: Pick<StepView, 'step' | 'state' | 'passed'>): StepView['passed'] {
  return state === 'skipped' && MOVES_INSTANCES.has(step.kind) ? passed : null
}

const MOVES_INSTANCES: ReadonlySet<string> = new Set(['migrate-instances', 'run-watcher-plan', 'rescue-instances'])

/**
 * An instance whose move had failed stays by the decision to skip; for one without an attempt, the last reading of the node says whether it is there.
 */
export function afterSkip(instance: InstanceHistory, passed: NonNullable<StepView['passed']>): InstanceHistory {
  const state = stateOf(instance)
  if (state !== 'again' && state !== 'given-up') return instance
  const decision = { choice: 'skip', ...passed, isByRule: false, isOfThisMove: true } as const
  return { ...instance, decision, lastWord: 'decided' }
}
