import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { answerCommand, choicesOfGate } from './gate-words.ts'

/** What a run waits for and how to answer it from any terminal; nothing when it does not wait. */
export function renderGate(view: RunView, events: readonly RunEvent[], look: Look): readonly string[] {
  if (view.state.kind !== 'waiting') return []
  const { gateId, question } = view.state
  return [
    ...hang(`${look.symbols.warning} `, `Waits for an answer: ${question}`, look.columns).map(look.palette.warn),
    `  gate:   ${gateId}`,
    `  answer: ${answerCommand(view.id, gateId, choicesOfGate(events, gateId))}`,
  ]
}
