import { visibleText } from '../../../../shared/domain/visible-text.ts'

/**
 * Text that came from a cloud, a file or an argument, made safe to print: control characters (with which a name could move the cursor
 * or recolour the terminal) and what reads as another name are written out, `vm\\u{202e}gnp`; line breaks and tabs stay.
 */
export function cleanText(text: string): string {
  return visibleText(text)
}

/** The same on one line: what goes into a table cell or behind a time stamp. */
export function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

/** Cleans every string inside a JSON value, keys included. */
export function cleanDeep<T>(value: T): T {
  return cleanValue(value) as T
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanValue(inner)]))
  }
  return value
}
