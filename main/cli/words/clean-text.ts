/**
 * Text that came from a cloud, a file or an argument, made safe to print: control characters (with which a name could move the cursor
 * or recolour the terminal) and direction overrides (with which it could read as another name) become `?`; line breaks and tabs stay.
 */
export function cleanText(text: string): string {
  return text.replace(TERMINAL_SEQUENCE, '').replace(UNPRINTABLE, '?')
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

/** Whole terminal sequences: CSI (colours, cursor) and OSC (titles, links, clipboard). */
const TERMINAL_SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
