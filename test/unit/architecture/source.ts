import { parseSync, Visitor } from 'rolldown/utils'

/** What the rules of the house ask about one file. */
export interface Source {
  readonly imports: readonly Import[]
  /** The names that other files may take, each with its place. */
  readonly exports: ReadonlyMap<string, number>
  /** How often its code says each name. */
  readonly said: ReadonlyMap<string, number>
  /** Uses of the machine's clock and chance. */
  readonly clockUses: readonly { readonly use: string; readonly place: number }[]
  /** The line of a place; to count it takes long in a bundle, so only offences have theirs counted. */
  readonly lineOf: (place: number) => number
}

/** A module that a file imports, hands on, or loads while it runs. */
interface Import {
  /** Null: the name is only known when the code runs. */
  readonly from: string | null
  /** The names that are taken; `*` for all. */
  readonly names: readonly string[]
  /** Only types cross, which leaves nothing at run time. */
  readonly types: boolean
  /** Every name is handed on (`export * from`). */
  readonly handsOn: boolean
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

/** Reads a file with the parser of Vite's bundler. What it cannot read is an error, so that no file is passed over. */
export function readSource(file: string, text: string): Source {
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const imports: Import[] = []
  const said = new Map<string, number>()
  const clockUses: { use: string; place: number }[] = []
  /** What is taken from `import('x')`, by the place where its `import` begins; everything unless the code around it names less. */
  const loaded = new Map<number, readonly string[]>()
  const add = (node: { start: number }, from: string | null, names: readonly string[], more?: Partial<Import>) =>
    imports.push({ from, names, types: false, handsOn: false, place: node.start, ...more })
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
      const handsOn = node.exported === null
      add(node, node.source.value, handsOn ? [] : ['*'], { handsOn, types: node.exportKind === 'type' })
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

/** The name that a piece of code is, or the text that stands for one; empty for everything else. */
function nameOf(node: { readonly type: string; readonly name?: unknown; readonly value?: unknown }): string {
  return String((node.type === 'Literal' ? node.value : node.name) ?? '')
}

/** The text that a piece of code is; null when it is reckoned while the code runs. */
function textOf(node: { readonly type: string; readonly value?: unknown } | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}
