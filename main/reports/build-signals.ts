import type { Report } from '../../shared/domain/report.ts'
import { signalWords } from '../../shared/words/signals.ts'
import type { Material } from './material.ts'

/** What was told to the outside of the runs: who was told what, and whether it was taken. */
export function buildSignals({ signals }: Material): NonNullable<Report['signals']> {
  return signals.map(signal => {
    const { about, text } = signalWords(signal)
    return { at: signal.at, runId: signal.runId, about, words: text }
  })
}
