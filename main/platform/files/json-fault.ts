interface JsonFault {
  readonly line: number
  readonly column: number
}

/** The first place where a text is not JSON, for people who repair a file; null if it is JSON. Node's own message often has no place and quotes the contents. */
export function jsonFault(text: string): JsonFault | null {
  const end = valueEnd(text, skipBlanks(text, 0))
  const at = end.ok ? skipBlanks(text, end.at) : end.at
  if (end.ok && at === text.length) return null
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

interface Reading {
  readonly ok: boolean
  readonly at: number
}

const BLANKS = /[ \t\r\n]*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const STRING_START = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

function skipBlanks(text: string, at: number): number {
  return at + match(BLANKS, text, at)
}

function valueEnd(text: string, at: number): Reading {
  if (text[at] === '{') return membersEnd(text, at, '}', true)
  if (text[at] === '[') return membersEnd(text, at, ']', false)
  return text[at] === '"' ? stringEnd(text, at) : scalarEnd(text, at)
}

function stringEnd(text: string, at: number): Reading {
  const length = match(STRING, text, at)
  return length > 0 ? { ok: true, at: at + length } : { ok: false, at: at + match(STRING_START, text, at) }
}

function scalarEnd(text: string, at: number): Reading {
  const length = match(SCALAR, text, at)
  return { ok: length > 0, at: at + length }
}

function membersEnd(text: string, open: number, close: '}' | ']', named: boolean): Reading {
  let at = skipBlanks(text, open + 1)
  if (text[at] === close) return { ok: true, at: at + 1 }
  for (;;) {
    if (named) {
      const name = stringEnd(text, at)
      if (!name.ok) return name
      at = skipBlanks(text, name.at)
      if (text[at] !== ':') return { ok: false, at }
      at = skipBlanks(text, at + 1)
    }
    const value = valueEnd(text, at)
    if (!value.ok) return value
    at = skipBlanks(text, value.at)
    if (text[at] === close) return { ok: true, at: at + 1 }
    if (text[at] !== ',') return { ok: false, at }
    at = skipBlanks(text, at + 1)
  }
}
