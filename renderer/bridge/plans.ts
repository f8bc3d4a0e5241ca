import type { Envelope, PlanChoices, PlanForecast } from '../../shared/contract/index.ts'
import type { CheckedPlan } from '../../shared/domain/plan.ts'
import type { PlanWish } from '../stores/plan-dialog.ts'
import { ask, listen } from './transport.ts'

/** Makes a plan and runs its checks. Touches nothing. */
export function makePlan(
  cluster: string,
  node: string,
  wish: PlanWish,
  choices: PlanChoices,
): Promise<Envelope<CheckedPlan>> {
  if (wish.kind === 'undo') {
    return ask('plan.undo', { runId: wish.undoes, node, choices, instancesStay: choices.home === false })
  }
  const { kind } = wish
  return ask('plan.make', { cluster, node, kind, choices })
}

/** Hears what the checks of a node's plan watch before they answer, in words; answers how to stop. */
export function receiveWatches(cluster: string, node: string, onWords: (words: string) => void): () => void {
  return listen('plan.watches', watched => {
    if (watched.cluster === cluster && watched.node === node) onWords(watched.words)
  })
}

/** Reads where the instances of a shown plan may go, and how long that may take. */
export function readForecast(planId: string): Promise<Envelope<PlanForecast>> {
  return ask('plan.forecast', { planId })
}
