import type { Failure } from '../../shared/domain/failure.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'

/** Why nothing is asked of a run here that was handed over, while no runner is heard that has it; null: it was not. */
export function whyNotHere(view: RunView): Failure | null {
  if (view.handedTo === null) return null
  const { object, namespace, by } = view.handedTo
  return refusal('conflict', because('NoRunnerTellsYet', { run: view.id, object, namespace, by }), {
    target: `run/${view.id}`,
  })
}
