import type { Failure } from '../../shared/domain/failure.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'

/** Why this console controls no run that it handed over, while no runner reports it; null: it was not handed over. */
export function whyNotHere(view: RunView): Failure | null {
  if (view.handedTo === null) return null
  const { object, namespace, by } = view.handedTo
  return refusal('conflict', because('NoRunnerTellsYet', { run: view.id, object, namespace, by }), {
    target: `run/${view.id}`,
  })
}
