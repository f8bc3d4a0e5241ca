import type { JudgedBatch } from '../../../shared/domain/batches.ts'
import { counted } from '../../../shared/grammar/counts.ts'

/** What judged batches come to, in a line: the rules they break, and whether the rest of the cloud takes their instances. */
export function judgeWords(batches: readonly JudgedBatch[]): string {
  const problems = batches.flatMap(batch => batch.problems).length
  const notFitting = batches.filter(({ capacity }) => capacity.kind === 'does-not-fit').length
  const notKnown = batches.filter(({ capacity }) => capacity.kind === 'cannot-tell').length
  const parts = [
    problems === 0 ? 'The batches keep every rule between nodes' : `${counted(problems, 'problem')} in the batches`,
    ...(notFitting === 0
      ? []
      : [`${counted(notFitting, 'batch', 'batches')} ${notFitting === 1 ? 'does' : 'do'} not fit`]),
    ...(notKnown === 0
      ? []
      : [
          `of ${counted(notKnown, 'batch', 'batches')} nobody can tell whether ${notKnown === 1 ? 'it fits' : 'they fit'}`,
        ]),
  ]
  return `${parts.join('; ')}.`
}
