import { parseSync, Visitor } from 'rolldown/utils'

/** What a piece of language is: a comment, a text of the product, a text of a test, a line of a document, or a name in code. */
export type PieceKind = 'comment' | 'message' | 'test text' | 'document' | 'name'

/** A piece of language in a file. Its text is as long as the source it comes from, so that a place in it is a place in the file. */
export interface Piece {
  readonly kind: PieceKind
  readonly start: number
  readonly text: string
}

/** The comments, texts and names of a file. A file that the parser cannot read is an error. */
export function piecesOf(file: string, source: string): readonly Piece[] {
  if (/\.tsx?$/.test(file)) return [fileName(file), ...piecesOfTypeScript(file, source)]
  if (/\.md$/.test(file)) return [{ kind: 'document', start: 0, text: withoutCode(source) }]
  if (/\.ya?ml$/.test(file)) return [{ kind: 'document', start: 0, text: withoutMarks(source, /^[ \t]*#+/gm) }]
  if (/\.css$/.test(file)) return commentsBy(source, /\/\*[\s\S]*?\*\//g)
  return commentsBy(source, /(?<=^|\s)#(?!!)[^\n]*(?:\n[ \t]*#[^\n]*)*/g)
}

function fileName(file: string): Piece {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return { kind: 'name', start: 0, text: wordsOf(name.replace(/\.(?:test\.|spec\.)?tsx?$/, '')) }
}

/** The words of a name in code: `NodeStatus` and `node-status` are "node status". */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z\d])/g, '$1 $2')
    .replace(/[-_.]/g, ' ')
    .toLowerCase()
}

function piecesOfTypeScript(file: string, source: string): readonly Piece[] {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const kind = file.startsWith('test/') ? 'test text' : 'message'
  const found = blocksOfComments(source, comments)
  const say = (start: number, text: string) => {
    // A word alone is a code, a key or a path.
    if (/\S\s+\S/.test(text)) found.push({ kind, start, text })
  }
  const name = (node: { readonly start: number; readonly type: string; readonly name?: unknown } | null) => {
    if (node?.type === 'Identifier') found.push({ kind: 'name', start: node.start, text: wordsOf(String(node.name)) })
  }
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') say(node.start + 1, source.slice(node.start + 1, node.end - 1))
    },
    TemplateLiteral(node) {
      let text = source.slice(node.start + 1, node.end - 1)
      for (const each of node.expressions) {
        const from = each.start - node.start - 3
        const to = each.end - node.start
        text = `${text.slice(0, from)}${'…'.padEnd(to - from)}${text.slice(to)}`
      }
      say(node.start + 1, text)
    },
    JSXText(node) {
      say(node.start, source.slice(node.start, node.end))
    },
    VariableDeclarator: node => name(node.id),
    FunctionDeclaration: node => name(node.id),
    ClassDeclaration: node => name(node.id),
    TSInterfaceDeclaration: node => name(node.id),
    TSTypeAliasDeclaration: node => name(node.id),
    TSPropertySignature: node => name(node.key),
    TSMethodSignature: node => name(node.key),
    PropertyDefinition: node => name(node.key),
    MethodDefinition: node => name(node.key),
  }).visit(program)
  return found
}

/** Comments, those of lines below each other as one, because a phrase may run on from one line into the next. */
function blocksOfComments(
  source: string,
  comments: readonly { readonly type: string; readonly start: number; readonly end: number }[],
): Piece[] {
  const blocks: { start: number; end: number; isLine: boolean }[] = []
  for (const { type, start, end } of comments) {
    const last = blocks.at(-1)
    const isLine = type === 'Line'
    if (isLine && last?.isLine && /^\n[ \t]*$/.test(source.slice(last.end, start))) last.end = end
    else blocks.push({ start, end, isLine })
  }
  return blocks.map(({ start, end }) => ({
    kind: 'comment',
    start,
    text: withoutInlineCode(withoutMarks(source.slice(start, end), /^[ \t]*(?:\/\/+|\/\*+|\*(?!\/))|\*\/$/gm)),
  }))
}

function commentsBy(source: string, pattern: RegExp): readonly Piece[] {
  return [...source.matchAll(pattern)].map(({ 0: text, index }) => ({
    kind: 'comment',
    start: index,
    text: withoutInlineCode(withoutMarks(text, /^[ \t]*(?:#+|\/\*+|\*)/gm)),
  }))
}

/** Code in a document says what a program says. */
function withoutCode(source: string): string {
  return withoutInlineCode(withoutMarks(source, /^[ \t]*```[\s\S]*?^[ \t]*```|^(?: {4,}|\t)(?![*-]).*$/gm))
}

function withoutInlineCode(text: string): string {
  return withoutMarks(text, /`[^`\n]*`/g, '_')
}

/** The text with blanks in place of what the pattern finds, so that all places stay; a filler keeps two words from meeting. */
function withoutMarks(text: string, pattern: RegExp, filler = ' '): string {
  return text.replace(pattern, mark => mark.replace(/[^\n]/g, filler))
}
