import {
  Composer,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  type SchemaOptions,
  type ToJSOptions,
  visit,
} from 'yaml'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

/** The value of a YAML text, or why it cannot be read; the reason never contains words of the text, which may be secret. */
type YamlText =
  /** `isFirst`: more documents follow. */
  | { readonly ok: true; readonly value: unknown; readonly isFirst: boolean }
  /** The text of `fault` is a clause, such as `it is not YAML in line 3, column 1 (bad indent)`. */
  | {
      readonly ok: false
      readonly fault: Finding
      readonly line: number | null
      readonly code: string
    }

interface YamlOptions {
  /** Every scalar stays a text: `password: 0123` stays 0123. YAML's null is null. */
  readonly textOnly?: boolean
  /** Scalars are read as in Go's YAML: `yes` is true, merge keys are merged, a time is a text. */
  readonly asGo?: boolean
  /** Accepts duplicate keys, as some readers do; the last one counts. */
  readonly mayRepeatKeys?: boolean
  /** Accepts several documents and reads the first, as Go's YAML does; otherwise several are refused. */
  readonly mayBeFirst?: boolean
}

/** Reads like kubectl. Code that checks what a kubeconfig reaches must read it the same way. */
export const AS_KUBECTL: YamlOptions = { mayBeFirst: true, asGo: true }

/** The tokens of 2500 contexts, about a megabyte; the parser needs at most some ten microseconds per token. */
const MOST_TOKENS = 240_000
/** Resolving an alias searches the whole document; this limits the tokens searched for all aliases. */
const MOST_LOOKS = 12_000_000
const MOST_ALIASES = 500
/** How far aliases may expand, as `yaml` counts it. */
const UNFOLDED: ToJSOptions = { maxAliasCount: 100 }
/** No valid file is nested deeper; readers of the result recurse. */
const DEEPEST = 100

/** Stands for bytes that are not valid in the encoding; also frequent in UTF-16 without its mark. */
const NO_TEXT = /[\ufffd\0]/

/** YAML 1.1 without timestamps, which Go's reader keeps as text. */
const AS_GO: SchemaOptions = {
  schema: 'yaml-1.1',
  customTags: tags =>
    tags.filter(tag => typeof tag === 'string' || (tag.format !== 'TIME' && !tag.tag.endsWith(':timestamp'))),
}

const NOTHING: ReadonlySet<string> = new Set(['~', 'null', 'Null', 'NULL'])

/** Reads one YAML or JSON document from elsewhere, in limited time and memory; never throws. */
export function readYamlText(text: string, options: YamlOptions = {}): YamlText {
  try {
    return readBounded(text, options)
  } catch {
    // Errors of the parser: an unresolved or endless alias, nesting that exhausts the stack.
    return refused(because('YamlAliasesUnfollowed'), 'ALIASES')
  }
}

function readBounded(text: string, options: YamlOptions): YamlText {
  const unreadable = text.search(NO_TEXT)
  if (unreadable >= 0) {
    const line = text.slice(0, unreadable).split('\n').length
    const hasNul = text[unreadable] === '\0'
    return refused(hasNul ? because('YamlHasNul', { line }) : because('YamlNotText', { line }), 'NOT_TEXT')
  }
  let tokens = 0
  let aliases = 0
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (token.startsWith('*')) aliases += 1
    if (tokens > MOST_TOKENS) return refused(because('YamlTooLong', { most: MOST_TOKENS }), 'TOO_LONG')
    if (aliases > MOST_ALIASES)
      return refused(because('YamlTooManyAliases', { most: MOST_ALIASES }), 'TOO_MANY_ALIASES')
  }
  if (aliases * tokens > MOST_LOOKS) return refused(because('YamlAliasesTooCostly'), 'TOO_MANY_ALIASES')
  const lines = new LineCounter()
  const composer = new Composer({
    ...(options.textOnly === true ? { schema: 'failsafe' } : {}),
    ...(options.asGo === true ? AS_GO : {}),
    merge: options.textOnly === true || options.asGo === true,
    // Its own check for duplicate keys takes quadratic time.
    uniqueKeys: false,
    // The message would contain an excerpt of the file, and so perhaps a key.
    prettyErrors: false,
    logLevel: 'error',
  })
  // There is always one document; for others only their existence matters.
  const [document, another] = composer.compose(new Parser(lines.addNewLine).parse(text), true, text.length)
  if (document === undefined) return refused(because('YamlEmpty'), 'EMPTY')
  const isFirst = another !== undefined
  if (isFirst && options.mayBeFirst !== true) {
    return refused(because('YamlSeveralDocuments'), 'MULTIPLE_DOCS')
  }
  const fault = document.errors[0]
  if (fault !== undefined) return faultAt(lines.linePos(fault.pos[0]), fault.code)
  let wrong: YamlText | null = null
  visit(document, {
    Scalar: (_key, scalar) => {
      if (options.textOnly === true && scalar.tag?.startsWith('!') === true) {
        wrong = refused(because('YamlTagUnknown'), 'TAG')
        return visit.BREAK
      }
      // YAML's spellings of null, which are texts in quotes.
      if (options.textOnly === true && scalar.type === 'PLAIN' && NOTHING.has(String(scalar.value))) scalar.value = null
      return undefined
    },
    Alias: (_key, alias, path) => {
      const node = alias.resolve(document)
      if (node !== undefined && path.includes(node)) wrong = refused(because('YamlAliasInCircle'), 'CIRCLE')
      return wrong === null ? undefined : visit.BREAK
    },
    Collection: (_key, node, path) => {
      if (path.length > 2 * DEEPEST) wrong = refused(because('YamlTooDeep', { levels: DEEPEST }), 'TOO_DEEP')
      const repeated = options.mayRepeatKeys === true || !isMap(node) ? null : repeatedKey(node.items)
      if (repeated !== null) wrong = faultAt(lines.linePos(repeated), 'DUPLICATE_KEY')
      return wrong === null ? undefined : visit.BREAK
    },
  })
  return wrong ?? { ok: true, value: document.toJS(UNFOLDED), isFirst }
}

/** The position of the first duplicate key, or null. */
function repeatedKey(items: readonly { readonly key: unknown }[]): number | null {
  const seen = new Set<unknown>()
  for (const { key } of items) {
    if (!isScalar(key) || key.value === '<<') continue
    if (seen.has(key.value)) return key.range?.[0] ?? 0
    seen.add(key.value)
  }
  return null
}

function faultAt({ line, col }: { readonly line: number; readonly col: number }, code: string): YamlText {
  const problem = code.toLowerCase().replaceAll('_', ' ')
  const fault = because('NotYaml', { line, column: col, problem })
  return { ok: false, fault, line, code }
}

function refused(fault: Finding, code: string): YamlText {
  return { ok: false, fault, line: null, code }
}
