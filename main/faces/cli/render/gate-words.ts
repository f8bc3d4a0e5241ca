import type { RunSummary } from '../../../../shared/contract/index.ts'
import type { OpenGate } from '../../../../shared/domain/run.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'

/** How a question is answered from any terminal: the command, and what may stand in the place of its CHOICE. */
export function answerCommand(runId: string, { gateId, choices }: OpenGate): string {
  const [only, ...others] = choices
  const isOpen = only === undefined || others.length > 0
  const reason = choices.includes('skip') ? ' --reason TEXT' : ''
  const command = `lockkeeper run answer ${shellWord(runId)} ${shellWord(gateId)} ${isOpen ? 'CHOICE' : only}${reason}`
  return isOpen ? `\`${command}\` (${choices.join('|')})` : `\`${command}\``
}

/** What a run is, in a line of a list, with the command that goes on with it where nobody drives it. */
export function summaryInList({ id, summary, condition }: RunSummary): string {
  return condition.kind === 'interrupted' ? `${summary} To go on: \`lockkeeper run resume ${shellWord(id)}\`.` : summary
}
