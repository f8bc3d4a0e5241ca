import type { InstanceHistory } from './instance-history.ts'
import { stateOf } from './instance-state.ts'
import type { StepView } from './run.ts'

/** Who skipped a step that moves instances, and so left on the node those that had not moved; null: nobody skipped it. */
export function leftBySkip({ step, state, passed }: Pick<StepView, 'step' | 'state' | 'passed'>): StepView['passed'] {
  return state === 'skipped' && MOVES_INSTANCES.has(step.kind) ? passed : null
}

/** The steps that send instances away. */
const MOVES_INSTANCES: ReadonlySet<string> = new Set(['migrate-instances', 'run-watcher-plan', 'rescue-instances'])

/**
 * An instance of a node after a person skipped the step that moves instances. One whose move had failed stays by that decision; one that no move was tried for
 * is unchanged: the last reading of the node says whether it is still there.
 */
export function afterSkip(instance: InstanceHistory, passed: NonNullable<StepView['passed']>): InstanceHistory {
  const state = stateOf(instance)
  if (state !== 'again' && state !== 'given-up') return instance
  const decision = { choice: 'skip', ...passed, isByRule: false, isOfThisMove: true } as const
  return { ...instance, decision, lastWord: 'decided' }
}
