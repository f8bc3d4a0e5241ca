import { posix } from 'node:path'
import { type Token, tokenize } from './lexer.ts'

/** What crosses the border of one file. */
interface Crossings {
  /** The names it hands out, each with its line. */
  readonly exports: ReadonlyMap<string, number>
  /** The names it takes from other files; `*` for all that one has. */
  readonly taken: readonly Taken[]
  /** Files all of whose names it hands on (`export * from`). */
  readonly handsOn: readonly string[]
  /** How often its code says each word. */
  readonly said: ReadonlyMap<string, number>
}

interface Taken {
  readonly from: string
  readonly name: string
}

const DECLARING = new Set(['const', 'let', 'function', 'class', 'interface', 'type', 'enum'])

/**
 * The exported names of the product that are exported for nobody, one sentence each: no other file imports it, or only a test does while
 * its own file has no use for it, which is code that runs in tests alone. `files` has the source of each file under its path.
 */
export function idleExports(files: ReadonlyMap<string, string>): readonly string[] {
  const crossings = new Map([...files].map(([file, source]) => [file, crossingsOf(file, source)]))
  const byProduct = new Set<string>()
  const byTests = new Set<string>()
  const mark = ({ from, name }: Taken, used: Set<string>) => {
    const target = crossings.get(from)
    if (target === undefined) return
    for (const own of name === '*' ? target.exports.keys() : [name]) used.add(`${from} ${own}`)
    if (!target.exports.has(name)) for (const next of target.handsOn) mark({ from: next, name }, used)
  }
  for (const [file, { taken }] of crossings) {
    for (const each of taken) mark(each, file.startsWith('test/') ? byTests : byProduct)
  }
  return [...crossings].flatMap(([file, { exports, said }]) => {
    return [...exports].flatMap(([name, line]) => {
      const key = `${file} ${name}`
      if (byProduct.has(key)) return []
      if (!byTests.has(key)) return [`${file}:${line}: nobody imports ${name}`]
      return file.startsWith('test/') || (said.get(name) ?? 0) > 1 ? [] : [`${file}:${line}: only tests use ${name}`]
    })
  })
}

function crossingsOf(file: string, source: string): Crossings {
  const tokens = tokenize(source)
  const said = new Map<string, number>()
  const exports = new Map<string, number>()
  const taken: Taken[] = []
  const handsOn: string[] = []
  const pathOf = (from: string) => (from.startsWith('.') ? posix.join(posix.dirname(file), from) : from)
  for (const [index, { kind, value }] of tokens.entries()) {
    if (kind !== 'word') continue
    said.set(value, (said.get(value) ?? 0) + 1)
    const after = tokens[index + 1]?.value
    if (tokens[index - 1]?.value === '.') continue
    if (value === 'import' && after === '(') {
      const from = pathOf(tokens[index + 2]?.value ?? '')
      taken.push(...loadedNames(tokens, index).map(name => ({ from, name })))
    } else if (value === 'import') {
      const { from, names } = readClause(tokens, index + 1)
      taken.push(...names.map(({ name }) => ({ from: pathOf(from), name })))
    } else if (value === 'export') {
      const start = index + (['async', 'abstract'].includes(after ?? '') ? 2 : 1)
      const first = tokens[start]?.value ?? ''
      const second = tokens[start + (tokens[start + 1]?.value === '*' ? 2 : 1)]
      if (first === '*') handsOn.push(pathOf(readClause(tokens, start).from))
      else if (first === '{' || (first === 'type' && second?.value === '{')) {
        const { from, names } = readClause(tokens, start)
        for (const { as, line } of names) exports.set(as, line)
        if (from !== '') taken.push(...names.map(({ name }) => ({ from: pathOf(from), name })))
      } else if (DECLARING.has(first) && second !== undefined) exports.set(second.value, second.line)
    }
  }
  return { exports, taken, handsOn, said }
}

/** The names of an import or export clause that begins at `start`, and the text after its `from`, empty when there is none. */
function readClause(tokens: readonly Token[], start: number) {
  const names: { name: string; as: string; line: number }[] = []
  let inBraces = false
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined) break
    if (token.kind === 'text') return { from: token.value, names }
    if (token.value === '{') inBraces = true
    else if (token.value === '}') {
      if (tokens[index + 1]?.value !== 'from') return { from: '', names }
      inBraces = false
    } else if (token.value === '*') names.push({ name: '*', as: '*', line: token.line })
    else if (token.value === 'as') {
      const last = names.at(-1)
      const as = tokens[++index]?.value
      if (last !== undefined && as !== undefined) last.as = as
    } else if (inBraces && token.kind === 'word') {
      const isKeyword =
        token.value === 'type' && tokens[index + 1]?.kind === 'word' && tokens[index + 1]?.value !== 'as'
      if (!isKeyword) names.push({ name: token.value, as: token.value, line: token.line })
    }
  }
  return { from: '', names }
}

/** What code takes from `import('x')`, whose `import` stands at `at`: one name, the names it unpacks, or everything. */
function loadedNames(tokens: readonly Token[], at: number): readonly string[] {
  const value = (index: number) => tokens[index]?.value
  const isAwaited = value(at - 1) === 'await'
  // (await import('x')).name, import('x').Type
  const dot = at + (isAwaited && value(at - 2) === '(' ? 5 : 4)
  if (value(dot) === '.' && value(dot + 1) !== 'then') return [value(dot + 1) ?? '*']
  if (!isAwaited || value(at - 2) !== '=' || value(at - 3) !== '}') return ['*']
  // const { a, b: c } = await import('x')
  const names: string[] = []
  for (let index = at - 4; index > 0 && value(index) !== '{'; index--) {
    if (value(index - 1) === ',' || value(index - 1) === '{') names.push(value(index) ?? '*')
  }
  return names
}
