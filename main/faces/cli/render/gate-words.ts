import type { OpenGate } from '../../../../shared/domain/run.ts'
import { shellWord } from '../words/shell-word.ts'

/** How a question is answered from any terminal. */
export function answerCommand(runId: string, { gateId, choices }: OpenGate): string {
  const choice = choices.length === 1 ? choices[0] : `(${choices.join('|')})`
  return `lockkeeper run answer ${shellWord(runId)} ${shellWord(gateId)} ${choice}${choices.includes('skip') ? ' --reason TEXT' : ''}`
}
