import { visibleText } from '../../../../shared/domain/visible-text.ts'

/** Makes text from a cloud, a file or an argument safe to print: control characters and invisible or look-alike characters are written out, as in `vm\\u{202e}gnp`. Line breaks and tabs stay. */
export function cleanText(text: string): string {
  return visibleText(text)
}

/** Puts a text on one line, for table cells and log lines. */
export function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

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
