import type { RunSummary } from '../../../../shared/contract/index.ts'
import type { OpenGate } from '../../../../shared/domain/run.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'

/** How a question is answered from any terminal: the command, and what may stand in the place of its CHOICE. */
export function answerCommand(runId: string, gate: OpenGate): string {
  const { command, isOpen } = answerParts(runId, gate)
  return isOpen ? `\`${command}\` (${gate.choices.join('|')})` : `\`${command}\``
}

/** The same as a step that may come next. */
export function answerStep(runId: string, gate: OpenGate): { readonly command: string; readonly why: string } {
  const { command, isOpen } = answerParts(runId, gate)
  return { command, why: `to answer its question${isOpen ? ` (${gate.choices.join('|')})` : ''}` }
}

function answerParts(runId: string, { gateId, choices }: OpenGate) {
  const [only, ...others] = choices
  const isOpen = only === undefined || others.length > 0
  const reason = choices.includes('skip') ? ' --reason TEXT' : ''
  const command = `lockkeeper run answer ${shellWord(runId)} ${shellWord(gateId)} ${isOpen ? 'CHOICE' : only}${reason}`
  return { command, isOpen }
}

/** What a run is, in a line of a list, with the command that goes on with it where nobody drives it. */
export function summaryInList({ id, summary, condition }: RunSummary): string {
  return condition.kind === 'interrupted' ? `${summary} To go on: \`lockkeeper run resume ${shellWord(id)}\`.` : summary
}
