import type { JudgedWave } from '../../../shared/domain/waves.ts'
import { counted } from '../../words/numbers.ts'

/** What judged waves come to, in a line: the rules they break, and whether the rest of the cloud takes their instances. */
export function judgeWords(waves: readonly JudgedWave[]): string {
  const problems = waves.flatMap(wave => wave.problems).length
  const notFitting = waves.filter(({ capacity }) => capacity.kind === 'does-not-fit').length
  const notKnown = waves.filter(({ capacity }) => capacity.kind === 'cannot-tell').length
  const parts = [
    problems === 0 ? 'The waves keep every rule between nodes' : `${counted(problems, 'problem')} in the waves`,
    ...(notFitting === 0 ? [] : [`${counted(notFitting, 'wave')} ${notFitting === 1 ? 'does' : 'do'} not fit`]),
    ...(notKnown === 0
      ? []
      : [`of ${counted(notKnown, 'wave')} nobody can tell whether ${notKnown === 1 ? 'it fits' : 'they fit'}`]),
  ]
  return `${parts.join('; ')}.`
}
