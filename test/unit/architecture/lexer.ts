/** A word, a sign or a text of TypeScript source; comments are gone, the content of templates too, but not the code inside `${}`. */
export interface Token {
  readonly kind: 'word' | 'sign' | 'text'
  readonly value: string
  readonly line: number
}

/** A module that a file imports or re-exports; `types` when only types cross, which leaves nothing at run time. */
interface Import {
  readonly from: string
  readonly types: boolean
  readonly line: number
}

const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /\d[\w.]*/y
/** After these a slash begins a regular expression, as after every sign but a closing one. */
const BEFORE_EXPRESSION = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'else',
  'do',
  'await',
  'yield',
])

/** Splits TypeScript source into tokens: enough to read imports and calls without a compiler. */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = []
  /** For each open template: how many braces are open inside its `${`. */
  const templates: number[] = []
  let at = 0
  let line = 1

  const push = (kind: Token['kind'], value: string) => tokens.push({ kind, value, line })
  const skipTo = (end: number) => {
    for (; at < end; at++) if (source[at] === '\n') line++
  }
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  /** Reads template content up to its end or the next `${`. */
  const readTemplate = () => {
    let end = at
    while (end < source.length) {
      const char = source[end]
      if (char === '\\') end += 2
      else if (char === '`') {
        skipTo(end + 1)
        return
      } else if (char === '$' && source[end + 1] === '{') {
        skipTo(end + 2)
        templates.push(0)
        return
      } else end++
    }
    skipTo(source.length)
  }

  while (at < source.length) {
    const char = source.charAt(at)
    const next = source[at + 1]
    if (/\s/.test(char)) skipTo(at + 1)
    else if (char === '/' && next === '/') skipTo(endOf(source, '\n', at))
    else if (char === '/' && next === '*') skipTo(endOf(source, '*/', at + 2) + 2)
    else if (char === "'" || char === '"') {
      const end = endOfText(source, at)
      push('text', source.slice(at + 1, end))
      skipTo(end + 1)
    } else if (char === '`') {
      push('text', '')
      at++
      readTemplate()
    } else if (char === '/' && beginsExpression(tokens.at(-1))) skipTo(endOfRegExp(source, at))
    else {
      const word = match(WORD) ?? match(NUMBER)
      if (word !== undefined) {
        push('word', word)
        at += word.length
        continue
      }
      const open = templates.at(-1)
      if (open !== undefined && char === '}' && open === 0) {
        templates.pop()
        at++
        readTemplate()
        continue
      }
      if (open !== undefined && char === '{') templates[templates.length - 1] = open + 1
      if (open !== undefined && char === '}') templates[templates.length - 1] = open - 1
      push('sign', char)
      at++
    }
  }
  return tokens
}

/** Every module a file imports, re-exports or loads with `import()`, `require()` or `process.getBuiltinModule()`. */
export function importsOf(source: string): readonly Import[] {
  const tokens = tokenize(source)
  const found: Import[] = []
  for (const [index, token] of tokens.entries()) {
    const after = tokens[index + 1]
    const loads = token.value === 'getBuiltinModule' && after?.value === '('
    if (token.kind !== 'word' || (tokens[index - 1]?.value === '.' && !loads)) continue
    if (loads || ((token.value === 'import' || token.value === 'require') && after?.value === '(')) {
      const name = tokens[index + 2]
      const literal = name?.kind === 'text' && (tokens[index + 3]?.value === ')' || tokens[index + 3]?.value === ',')
      found.push({ from: literal ? name.value : '(computed)', types: false, line: token.line })
    } else if (token.value === 'import' && after?.kind === 'text') {
      found.push({ from: after.value, types: false, line: token.line })
    } else if (token.value === 'import' || token.value === 'export') {
      const from = clauseEnd(tokens, index + 1, token.value === 'export')
      if (from !== null) found.push({ from, types: isTypeClause(tokens, index + 1), line: token.line })
    }
  }
  return found
}

/** The text after `from`, when the tokens from `start` are an import or export clause; null for `export const` and the like. */
function clauseEnd(tokens: readonly Token[], start: number, isExport: boolean): string | null {
  const first = tokens[start]?.value === 'type' ? tokens[start + 1]?.value : tokens[start]?.value
  if (isExport && first !== '{' && first !== '*') return null
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index]
    const after = tokens[index + 1]
    if (token?.value === 'from' && after?.kind === 'text') return after.value
    const inClause =
      token?.kind === 'word' || (token?.kind === 'sign' && '{},*'.includes(token.value)) || token?.kind === 'text'
    if (!inClause) return null
    if (isExport && token?.value === '}' && after?.value !== 'from') return null
  }
  return null
}

/** `import type x from`, `import type { x } from`, `export type { x } from`, `export type * from`; not `import type from`. */
function isTypeClause(tokens: readonly Token[], start: number): boolean {
  if (tokens[start]?.value !== 'type') return false
  const after = tokens[start + 1]
  return after?.value === '{' || after?.value === '*' || (after?.kind === 'word' && after.value !== 'from')
}

function beginsExpression(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'text') return false
  if (before.kind === 'word') return BEFORE_EXPRESSION.has(before.value)
  // A `<` before it is the end of a JSX element, not the start of a regular expression.
  return !')]}<'.includes(before.value)
}

function endOf(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from)
  return end < 0 ? source.length : end
}

/** The closing quote; or the end of the line, for an apostrophe in the words of a screen. */
function endOfText(source: string, start: number): number {
  const quote = source[start]
  for (let end = start + 1; end < source.length; end++) {
    if (source[end] === '\\') end++
    else if (source[end] === quote || source[end] === '\n') return end
  }
  return source.length
}

function endOfRegExp(source: string, start: number): number {
  let inClass = false
  for (let end = start + 1; end < source.length; end++) {
    const char = source[end]
    if (char === '\\') end++
    else if (char === '\n') return end
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return end + 1
  }
  return source.length
}
