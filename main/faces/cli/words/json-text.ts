import { visibleJson } from '../../../../shared/domain/visible-text.ts'

/** A value as indented JSON without any character a terminal would obey; the escapes are JSON's own, so the value stays the same. */
export function jsonText(value: unknown): string {
  return visibleJson(JSON.stringify(value, null, 2))
}
