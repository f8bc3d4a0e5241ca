import type { InstanceHistory } from './instance-history.ts'
import { stateOf } from './instance-state.ts'
import type { StepView } from './run.ts'

/** Who passed the step that was to send instances away, and by that left those that are still there; null: nobody did. */
export function leftBySkip({ step, state, passed }: Pick<StepView, 'step' | 'state' | 'passed'>): StepView['passed'] {
  return state === 'skipped' && MOVES_INSTANCES.has(step.kind) ? passed : null
}

/** The steps that send instances away. */
const MOVES_INSTANCES: ReadonlySet<string> = new Set(['migrate-instances', 'run-watcher-plan', 'rescue-instances'])

/**
 * An instance of a node whose moves a person passed: one that was tried and had not left was left there by that person. Of one that was not tried the last
 * look at the node tells whether it is there.
 */
export function afterSkip(instance: InstanceHistory, passed: NonNullable<StepView['passed']>): InstanceHistory {
  const state = stateOf(instance)
  if (state !== 'again' && state !== 'given-up') return instance
  const decision = { choice: 'skip', ...passed, isByRule: false, isOfThisMove: true } as const
  return { ...instance, decision, lastWord: 'decided' }
}
