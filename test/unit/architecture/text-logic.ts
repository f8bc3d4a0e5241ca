import { parseSync, Visitor, type VisitorObject } from 'rolldown/utils'

/**
 * Names of texts for people. A decision that depends on such a text changes when somebody rewords it, so it must use a code, a kind or a
 * field instead.
 */
const SENTENCES = new Set([
  'message',
  'why',
  'reason',
  'note',
  'summary',
  'sentence',
  'said',
  'question',
  'cause',
  'headline',
  'what',
  'title',
  'detail',
  'line',
  'words',
])

/** The same for members only: variables with these names are often lines that a parser reads. */
const SENTENCES_OF_OBJECTS = new Set([...SENTENCES, 'title', 'text', 'what', 'who', 'detail', 'description'])

/** Methods that search a text. `replace`, `slice` and the like only make a new text. */
const LOOKS_INTO = new Set([
  'startsWith',
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'search',
])
const PATTERN_LOOKS = new Set(['test', 'exec'])
/** Methods that return the same text in another form. */
const SAME_TEXT = new Set([
  'trim',
  'trimStart',
  'trimEnd',
  'toLowerCase',
  'toUpperCase',
  'slice',
  'replace',
  'replaceAll',
])
const COMPARES = new Set(['===', '!==', '==', '!='])

/** A place in a source file where a decision depends on the wording of a text. */
interface TextLogic {
  readonly line: number
  readonly code: string
}

/** The places where a file decides something by the wording of a text for people. */
export function textLogicOf(file: string, text: string): readonly TextLogic[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const found: TextLogic[] = []
  const add = ({ start, end }: { readonly start: number; readonly end: number }) =>
    found.push({ line: text.slice(0, start).split('\n').length, code: text.slice(start, end).replace(/\s+/g, ' ') })

  new Visitor({
    CallExpression(node) {
      const { callee } = node
      if (callee.type !== 'MemberExpression') return
      const method = nameOf(callee.property)
      if (LOOKS_INTO.has(method) && isSentence(callee.object)) add(node)
      if (PATTERN_LOOKS.has(method) && isSentence(node.arguments[0])) add(node)
    },
    BinaryExpression(node) {
      if (!COMPARES.has(node.operator)) return
      if (isSentence(node.left) && isWording(node.right)) add(node)
      if (isSentence(node.right) && isWording(node.left)) add(node)
    },
    SwitchStatement(node) {
      if (isSentence(node.discriminant)) add(node.discriminant)
    },
  }).visit(program)
  return found
}

/** The nodes that matter here. */
type Node = NonNullable<Parameters<NonNullable<VisitorObject['BinaryExpression']>>[0]>['right'] | Argument
type Argument = Parameters<NonNullable<VisitorObject['CallExpression']>>[0]['arguments'][number]

/** Whether a node is a text for people, also behind casts and calls that keep the text. */
function isSentence(node: Node | undefined): boolean {
  switch (node?.type) {
    case 'Identifier':
      return SENTENCES.has(nameOf(node))
    case 'MemberExpression':
      return SENTENCES_OF_OBJECTS.has(nameOf(node.property))
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return isSentence(node.expression)
    case 'LogicalExpression':
      return isSentence(node.left)
    case 'CallExpression': {
      const { callee } = node
      return callee.type === 'MemberExpression' && SAME_TEXT.has(nameOf(callee.property)) && isSentence(callee.object)
    }
    default:
      return false
  }
}

/** Whether a node is a non-empty text. A comparison with the empty text is allowed. */
function isWording(node: Node): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string' && node.value !== ''
  return node.type === 'TemplateLiteral'
}

/** The name of an identifier or a literal; empty for other nodes. */
function nameOf(node: { readonly type: string; readonly name?: unknown; readonly value?: unknown }): string {
  return String((node.type === 'Literal' ? node.value : node.name) ?? '')
}
