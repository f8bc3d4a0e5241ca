import type { Envelope, PlanChoices, PlanForecast } from '../../shared/contract/index.ts'
import type { CheckedPlan } from '../../shared/domain/plan.ts'
import type { PlanWish } from '../stores/plan-dialog.ts'
import { askMain, listen } from './transport.ts'

/** Makes a plan and runs its checks. Changes nothing. */
export function makePlan(
  cluster: string,
  node: string,
  wish: PlanWish,
  choices: PlanChoices,
): Promise<Envelope<CheckedPlan>> {
  if (wish.kind === 'undo') {
    return askMain('plan.undo', { runId: wish.undoes, node, choices, instancesStay: choices.home === false })
  }
  const { kind } = wish
  return askMain('plan.make', { cluster, node, kind, choices })
}

/** Receives the progress of a plan's checks, in words, before they answer; returns a stop function. */
export function receiveWatches(cluster: string, node: string, onWords: (words: string) => void): () => void {
  return listen('plan.watches', watched => {
    if (watched.cluster === cluster && watched.node === node) onWords(watched.words)
  })
}

/** Reads the likely destinations of a plan's instances, and how long their moves may take; on the way back, of those that return. */
export function readForecast(planId: string, returning: readonly string[]): Promise<Envelope<PlanForecast>> {
  return askMain('plan.forecast', returning.length === 0 ? { planId } : { planId, returning: [...returning] })
}
