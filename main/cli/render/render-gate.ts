import { openGatesOf } from '../../../shared/domain/open-gate.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { answerCommand } from './gate-words.ts'

/** What a run waits for and how to answer it from any terminal; nothing when it does not wait. */
export function renderGate(runId: string, events: readonly RunEvent[], look: Look): readonly string[] {
  return openGatesOf(events).flatMap(gate => [
    ...hang(`${look.symbols.warning} `, `Waits for an answer: ${gate.question}`, look.columns).map(look.palette.warn),
    `  gate:   ${gate.gateId}`,
    `  answer: ${answerCommand(runId, gate)}`,
  ])
}
