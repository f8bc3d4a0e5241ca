import type { RunSummary } from '../../../../shared/contract/index.ts'
import type { OpenGate } from '../../../../shared/domain/run.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'

/** The command that answers a question, and its choices. */
export function answerCommand(runId: string, { gateId, choices }: OpenGate): string {
  const [only, ...others] = choices
  const isOpen = only === undefined || others.length > 0
  const command = `lockkeeper run answer ${shellWord(runId)} ${shellWord(gateId)} ${isOpen ? 'CHOICE' : only}`
  return isOpen ? `\`${command}\` (${choices.join('|')})` : `\`${command}\``
}

/** The summary of a run for lists; a run without a console also gets the command that resumes it. */
export function summaryInList({ id, summary, condition }: RunSummary): string {
  return condition.kind === 'interrupted' ? `${summary} Resume it: \`lockkeeper run resume ${shellWord(id)}\`` : summary
}
