import type { MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { marksWords } from '../../../shared/words/instances.ts'
import { type MarkingOutcome, markInstances, undoEdit } from '../../bridge/instances.ts'
import { type UndoEntry, undoOf, useEdits } from '../../stores/edits.ts'
import { showToast } from '../../stores/toasts.ts'
import { areInstancesRead, lastOf, useViews } from '../../stores/views.ts'

/** Sets the migration mode of instances and reports the result; returns whether none was refused. */
export async function setMarks(
  cluster: string,
  ids: readonly string[],
  actions: readonly MaintenanceAction[],
): Promise<boolean> {
  const live = lastOf(useViews.getState().byCluster.get(cluster))
  // Without all instances of the cluster only main knows whether they exist.
  const present = live === null || !areInstancesRead(live) ? ids : ids.filter(id => live.instances.has(id))
  if (present.length === 0) {
    showToast({
      text: `None of the ${counted(ids.length, 'chosen instance')} exists any more.`,
      tone: 'caution',
    })
    return false
  }
  const outcome = await markInstances(
    cluster,
    present.map(id => ({ id, actions })),
  )
  const first = present.length === 1 ? live?.instances.get(present[0] ?? '')?.name : undefined
  reportOfEdit(cluster, markingWords(outcome, first ?? null, `set to ${marksWords(actions)}`), outcome)
  return outcome.refused.length === 0
}

/** Undoes an edit, the last one by default, and reports the result. */
export async function takeBack(cluster: string, named?: UndoEntry): Promise<void> {
  const entry = named ?? undoOf(useEdits.getState(), cluster).at(-1)
  if (entry === undefined) {
    showToast({ text: `There is no change in ${cluster} to undo.` })
    return
  }
  const outcome = await undoEdit(cluster, entry)
  if (outcome === null) return
  const words = outcome.refused.length === 0 ? `Undone: ${entry.words}.` : markingWords(outcome, null, 'restored')
  reportOfEdit(cluster, words, { refused: outcome.refused, undo: null })
}

/** Reports the result of an edit, with a button to undo it. */
export function reportOfEdit(cluster: string, text: string, outcome: Pick<MarkingOutcome, 'refused' | 'undo'>): void {
  const { refused, undo } = outcome
  showToast({
    text,
    tone: refused.length > 0 ? 'caution' : 'good',
    ...(undo === null ? {} : { action: { text: 'Undo', run: () => void takeBack(cluster, undo) } }),
  })
}

/** `23 instances set to “Stop with node”, 2 refused.`; one instance by its name. */
export function markingWords({ set, refused }: MarkingOutcome, name: string | null, done: string): string {
  const only = refused[0]
  if (set === 0 && refused.length === 1 && only !== undefined) return only.failure.message
  if (refused.length === 0) return `${name ?? counted(set, 'instance')} ${done}.`
  if (set === 0) return `${counted(refused.length, 'instance')} not ${done}.`
  return `${counted(set, 'instance')} ${done}, ${refused.length} refused.`
}
