import { RunLeft } from '../../../../shared/domain/run-left.ts'
import { RunWait } from '../../../../shared/domain/run-wait.ts'
import { visibleJson } from '../../../../shared/domain/visible-text.ts'
import { leftWords } from '../../../../shared/words/run-left.ts'
import { waitText } from '../../../../shared/words/waits.ts'

/** Indented JSON in which every control character is escaped; the value stays the same. */
export function jsonText(value: unknown): string {
  return visibleJson(JSON.stringify(value, withText, 2))
}

/** Scripts read codes and values (docs/terminal.md); texts stay beside them for older scripts. */
function withText(key: string, value: unknown): unknown {
  if (key === 'waits' && Array.isArray(value)) return value.map(withWaitText)
  if (key !== 'condition' || typeof value !== 'object' || value === null || !('left' in value)) return value
  const left = RunLeft.nullable().safeParse(value.left)
  return left.success ? { ...value, why: left.data === null ? null : leftWords(left.data) } : value
}

/** Other waits, such as those of a timeline, have only a text. */
function withWaitText(value: unknown): unknown {
  const wait = RunWait.safeParse(value)
  return wait.success ? { ...wait.data, ...waitText(wait.data) } : value
}
