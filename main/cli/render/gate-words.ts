import type { RunEvent } from '../../../shared/domain/run.ts'
import { shellWord } from '../words/shell-word.ts'

/** How a waiting gate is answered from another terminal. */
export function answerCommand(runId: string, gateId: string, choices: readonly string[]): string {
  const choice = choices.length === 1 ? choices[0] : `(${choices.join('|')})`
  return `lockkeeper run answer ${shellWord(runId)} ${shellWord(gateId)} ${choice}${choices.includes('skip') ? ' --reason TEXT' : ''}`
}

/** What an open gate takes; empty when the run waits for nothing. */
export function choicesOfGate(
  events: readonly RunEvent[],
  gateId: string,
): readonly ('continue' | 'retry' | 'skip' | 'abort')[] {
  const opened = events.findLast(({ body }) => body.kind === 'gate-opened' && body.gateId === gateId)
  return opened?.body.kind === 'gate-opened' ? opened.body.choices : []
}
