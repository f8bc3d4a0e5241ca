import { parseSync, Visitor } from 'rolldown/utils'

/** A text for people in a source file. */
interface Sentence {
  readonly line: number
  readonly text: string
}

/** A literal with this many words, or a shorter one that ends like a sentence, is a text for people; names, codes and evidence are shorter. */
const WORDS = 4

/**
 * The texts for people in a file: literals and templates of several words. What only an engineer reads does not count: the message of a thrown
 * error, why a value must be there, and SQL. Nor does what a schema says of a field: it is the documentation of an API, which is in one language.
 */
export function sentencesOf(file: string, source: string): readonly Sentence[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const found: Sentence[] = []
  const ofEngineers: { readonly start: number; readonly end: number }[] = []
  const add = (start: number, text: string) => {
    if (isSentence(text)) found.push({ line: source.slice(0, start).split('\n').length, text })
  }
  new Visitor({
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && /(?:Error|Stepping)$/.test(node.callee.name)) ofEngineers.push(node)
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && ENGINEERS.has(node.callee.name))
        ofEngineers.push(...node.arguments.slice(1))
      if (node.callee.type === 'MemberExpression') {
        const { property } = node.callee
        if (property.type === 'Identifier' && property.name === 'describe') ofEngineers.push(...node.arguments)
      }
    },
    Literal(node) {
      if (typeof node.value === 'string') add(node.start, node.value)
    },
    TemplateLiteral(node) {
      add(node.start, node.quasis.map(quasi => quasi.value.cooked ?? '').join('…'))
    },
  }).visit(program)
  const lineOf = (at: number) => source.slice(0, at).split('\n').length
  const isOfEngineers = ({ line }: Sentence) =>
    ofEngineers.some(({ start, end }) => lineOf(start) <= line && line <= lineOf(end))
  return found.filter(sentence => !isOfEngineers(sentence))
}

/** Functions whose second argument explains a programming error. */
const ENGINEERS: ReadonlySet<string> = new Set(['must', 'assertNever'])

/** Statements, definitions, conditions and lists of columns. */
const SQL = [
  /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER TABLE|DROP|PRAGMA|BEGIN IMMEDIATE)\b/,
  /^table \w+ CREATE TABLE\b/,
  /^\w+ = \? AND \w+ /,
  /^\w+(?: AS \w+)?(?:, \w+(?: AS \w+)?)+$/,
]

function isSentence(text: string): boolean {
  if (SQL.some(pattern => pattern.test(text))) return false
  const words = text.split(/\s+/).filter(word => /^[(`"']?[\p{L}…]/u.test(word))
  return words.length >= WORDS || (words.length >= 2 && /[a-z…][.?!:]$/.test(text))
}
