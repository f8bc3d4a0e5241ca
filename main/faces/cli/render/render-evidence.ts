import type { Evidence } from '../../../../shared/domain/step-answers.ts'
import { timeOfDay } from '../../../../shared/grammar/times.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'

/** What a check read (style G20), one line per object; shown with `-v`. */
export function renderEvidence(evidence: readonly Evidence[], look: Look, indent: string): readonly string[] {
  return evidence.flatMap(({ subject, readAt, values }) => {
    const facts = Object.entries(values).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    const text = `${subject}, read ${timeOfDay(readAt, look.clock)}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`
    return hang(`${indent}${look.symbols.separator} `, text, look.columns).map(look.palette.faint)
  })
}
