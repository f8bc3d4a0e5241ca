import type { RunSummary } from '../../../../shared/contract/index.ts'
import type { OpenGate } from '../../../../shared/domain/run.ts'
import { shellWord } from '../words/shell-word.ts'

/** How a question is answered from any terminal. */
export function answerCommand(runId: string, { gateId, choices }: OpenGate): string {
  const choice = choices.length === 1 ? choices[0] : `(${choices.join('|')})`
  return `lockkeeper run answer ${shellWord(runId)} ${shellWord(gateId)} ${choice}${choices.includes('skip') ? ' --reason TEXT' : ''}`
}

/** What a run is, in a line of a list, with the command that goes on with it where nobody drives it. */
export function summaryInList({ id, summary, condition }: RunSummary): string {
  return condition.kind === 'interrupted' ? `${summary} To go on: \`lockkeeper run resume ${shellWord(id)}\`.` : summary
}
