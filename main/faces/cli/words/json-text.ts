import { RunLeft } from '../../../../shared/domain/run-left.ts'
import { RunWait } from '../../../../shared/domain/run-wait.ts'
import { visibleJson } from '../../../../shared/domain/visible-text.ts'
import { leftWords } from '../../../../shared/words/run-left.ts'
import { waitText } from '../../../../shared/words/waits.ts'

/** A value as indented JSON without any character a terminal would obey; the escapes are JSON's own, so the value stays the same. */
export function jsonText(value: unknown): string {
  return visibleJson(JSON.stringify(value, withText, 2))
}

/** Scripts read codes and values (docs/terminal.md); the texts stand beside them, as they did before there were codes. */
function withText(key: string, value: unknown): unknown {
  if (key === 'waits' && Array.isArray(value)) return value.map(withWaitText)
  if (key !== 'condition' || typeof value !== 'object' || value === null || !('left' in value)) return value
  const left = RunLeft.nullable().safeParse(value.left)
  return left.success ? { ...value, why: left.data === null ? null : leftWords(left.data) } : value
}

/** Waits of other things, such as those of a timeline, have their text alone. */
function withWaitText(value: unknown): unknown {
  const wait = RunWait.safeParse(value)
  return wait.success ? { ...wait.data, ...waitText(wait.data) } : value
}
