import type { Plugin } from 'vite'

/**
 * Puts off each zod schema of our modules until it is first used: a command builds those of its requests, not five thousand others, which
 * took a third of every start. In a bundle only; a schema behaves as before, and its module cannot tell.
 */
export function lazySchemas(): Plugin {
  return {
    name: 'lazy-schemas',
    enforce: 'pre',
    load: id => (id === HELPER ? HELPER_TEXT : null),
    resolveId: source => (source === HELPER ? HELPER : null),
    transform(code, id) {
      if (!OWN.test(id) || !/\bfrom ["']zod["']/.test(code)) return null
      const found: Span[] = []
      collect(this.parse(code, { lang: 'ts' }), found)
      if (found.length === 0) return null
      let text = ''
      let at = 0
      for (const { start, end } of found) {
        text += `${code.slice(at, start)}${WRAP}(() => ${code.slice(start, end)})`
        at = end
      }
      return { code: `import { lazySchema as ${WRAP} } from '${HELPER}'\n${text}${code.slice(at)}`, map: null }
    },
  }
}

const OWN = /\/(?:main|shared)\/[^?]*\.ts$/
const WRAP = '__lazySchema'
const HELPER = '\0lazy-schema'

/** Stands for a schema, and becomes it at the first look. */
const HELPER_TEXT = `export function lazySchema(build) {
  let schema
  const made = () => (schema ??= build())
  return new Proxy({}, {
    get: (_, key) => made()[key],
    set: (_, key, value) => { made()[key] = value; return true },
    has: (_, key) => key in made(),
    getPrototypeOf: () => Object.getPrototypeOf(made()),
  })
}`

interface Span {
  readonly start: number
  readonly end: number
}

/** The outermost calls of zod that run when the module is loaded, in their order. */
function collect(node: unknown, found: Span[]): void {
  if (Array.isArray(node)) {
    for (const each of node) collect(each, found)
    return
  }
  if (!isNode(node) || LATER.has(node.type)) return
  if (node.type === 'CallExpression' && isOfZod(node.callee)) found.push(node)
  else for (const each of Object.values(node)) collect(each, found)
}

/** What is not run when the module is loaded. */
const LATER: ReadonlySet<string> = new Set([
  'ArrowFunctionExpression',
  'FunctionDeclaration',
  'FunctionExpression',
  'ClassDeclaration',
  'ImportDeclaration',
])

/** Whether what is called is a member of `z`, makes a schema of another, or is a member of what such a call returns. */
function isOfZod(callee: unknown): boolean {
  if (!isNode(callee) || callee.type !== 'MemberExpression') return false
  const { object, property } = callee
  if (!isNode(object) || !isNode(property)) return false
  if (object.type === 'CallExpression') return isOfZod(object.callee)
  return object.name === 'z' || (/^[A-Z]/.test(String(object.name)) && OF_A_SCHEMA.has(String(property.name)))
}

/** What makes a schema of another one. */
const OF_A_SCHEMA: ReadonlySet<string> = new Set([
  ...['and', 'array', 'exclude', 'extend', 'extract', 'nullable', 'nullish'],
  ...['omit', 'optional', 'or', 'partial', 'pick'],
])

interface Node extends Span {
  readonly type: string
  readonly name?: unknown
  readonly callee?: unknown
  readonly object?: unknown
  readonly property?: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value
}
