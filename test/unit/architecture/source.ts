import { parseSync, Visitor } from 'rolldown/utils'

/** What the import rules need to know about one file. */
export interface Source {
  readonly imports: readonly Import[]
  /** The exported names, each with its offset. */
  readonly exports: ReadonlyMap<string, number>
  /** How often each name occurs in the code. */
  readonly said: ReadonlyMap<string, number>
  /** Uses of the machine's clock and random numbers. */
  readonly clockUses: readonly { readonly use: string; readonly place: number }[]
  /** The line of an offset. Counting is slow in a bundle, so only offences need it. */
  readonly lineOf: (place: number) => number
}

/** A module that a file imports, re-exports, or loads while it runs. */
interface Import {
  /** Null: the code computes the name when it runs. */
  readonly from: string | null
  /** The imported names; `*` for all. */
  readonly names: readonly string[]
  /** Only types are imported, which leaves no trace at run time. */
  readonly types: boolean
  /** Every name is re-exported (`export * from`). */
  readonly reexportsAll: boolean
  readonly place: number
}

const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate'])
const CLOCK_MEMBERS = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'performance.timeOrigin',
  'process.hrtime',
  'AbortSignal.timeout',
])

/** Reads a file with the parser of Vite's bundler. Throws on a file that it cannot read, so that no file is skipped. */
export function readSource(file: string, text: string): Source {
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const imports: Import[] = []
  const said = new Map<string, number>()
  const clockUses: { use: string; place: number }[] = []
  /** The names used from `import('x')`, by the offset of its `import`; all names unless the code around it uses fewer. */
  const loaded = new Map<number, readonly string[]>()
  const add = (node: { start: number }, from: string | null, names: readonly string[], more?: Partial<Import>) =>
    imports.push({ from, names, types: false, reexportsAll: false, place: node.start, ...more })
  const usesClock = (node: { start: number }, use: string) => clockUses.push({ use, place: node.start })

  new Visitor({
    ImportDeclaration(node) {
      const names = node.specifiers.map(each => {
        if (each.type === 'ImportSpecifier') return nameOf(each.imported)
        return each.type === 'ImportDefaultSpecifier' ? 'default' : '*'
      })
      add(node, node.source.value, names, { types: node.importKind === 'type' })
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return
      const names = node.specifiers.map(each => nameOf(each.local))
      add(node, node.source.value, names, { types: node.exportKind === 'type' })
    },
    ExportAllDeclaration(node) {
      const reexportsAll = node.exported === null
      add(node, node.source.value, reexportsAll ? [] : ['*'], { reexportsAll, types: node.exportKind === 'type' })
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'ObjectPattern' || init?.type !== 'AwaitExpression') return
      const names = id.properties.map(each => (each.type === 'Property' ? nameOf(each.key) : '*'))
      loaded.set(init.argument.start, names)
    },
    MemberExpression(node) {
      const object = node.object.type === 'ParenthesizedExpression' ? node.object.expression : node.object
      const name = nameOf(node.property)
      if (object.type === 'AwaitExpression') loaded.set(object.argument.start, [name])
      const use = `${nameOf(object)}.${name}`
      if (CLOCK_MEMBERS.has(use)) usesClock(node, use)
    },
    ImportExpression(node) {
      add(node, textOf(node.source), loaded.get(node.start) ?? ['*'])
    },
    TSImportType(node) {
      let named = node.qualifier
      while (named?.type === 'TSQualifiedName') named = named.left
      add(node, node.source.value, [named?.type === 'Identifier' ? named.name : '*'], { types: true })
    },
    CallExpression(node) {
      const { callee } = node
      const isBuiltinLoad = callee.type === 'MemberExpression' && nameOf(callee.property) === 'getBuiltinModule'
      if (isBuiltinLoad || nameOf(callee) === 'require') add(node, textOf(node.arguments[0]), ['*'])
      if (nameOf(callee) === 'Date') usesClock(node, 'Date()')
    },
    NewExpression(node) {
      if (nameOf(node.callee) === 'Date' && node.arguments.length === 0) usesClock(node, 'new Date()')
    },
    Identifier(node) {
      said.set(node.name, (said.get(node.name) ?? 0) + 1)
      if (TIMERS.has(node.name)) usesClock(node, node.name)
    },
    JSXIdentifier(node) {
      said.set(node.name, (said.get(node.name) ?? 0) + 1)
    },
  }).visit(program)

  const exports = new Map<string, number>()
  for (const { exportName, start } of module.staticExports.flatMap(each => each.entries)) {
    if (exportName.kind === 'Name' && exportName.name !== null) exports.set(exportName.name, start)
  }
  return { imports, exports, said, clockUses, lineOf: place => text.slice(0, place).split('\n').length }
}

/** The name of an identifier or a literal; empty for other nodes. */
function nameOf(node: { readonly type: string; readonly name?: unknown; readonly value?: unknown }): string {
  return String((node.type === 'Literal' ? node.value : node.name) ?? '')
}

/** The text of a literal; null when the code computes it. */
function textOf(node: { readonly type: string; readonly value?: unknown } | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}
