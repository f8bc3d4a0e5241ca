import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** The nodes that matter here. */
type Node = { readonly type: string } & { readonly [key: string]: unknown }

interface ParsedFile {
  readonly path: string
  readonly body: readonly Node[]
}

const parsed = new Map<string, ParsedFile>()

function fileAt(path: string): ParsedFile {
  const known = parsed.get(path)
  if (known !== undefined) return known
  const { program } = parseSync(path, readFileSync(path, 'utf8'))
  const file = { path, body: program.body as unknown as readonly Node[] }
  parsed.set(path, file)
  return file
}

/** The names of the values of each code in the catalogues of a file, by the type of its text's argument. */
export function valuesInFile(path: string): ReadonlyMap<string, readonly string[]> {
  const file = fileAt(path)
  const found = new Map<string, readonly string[]>()
  for (const { declaration } of file.body as readonly { declaration?: Node | null }[]) {
    for (const { init } of listOf(declaration?.declarations)) {
      const table = objectIn(init)
      for (const property of listOf(table?.properties)) {
        const value = nodeOf(property.value)
        const text = value?.type === 'Identifier' ? declaredIn(file, String(value.name)) : value
        if (text === undefined) continue
        const [argument] = listOf(text.params)
        const type = nodeOf(nodeOf(argument?.typeAnnotation)?.typeAnnotation)
        found.set(String(nodeOf(property.key)?.name), type === undefined ? [] : [...new Set(namesIn(type, file))])
      }
    }
  }
  return found
}

/** The names in a type, including those of types that it refers to. */
function namesIn(type: Node, file: ParsedFile): readonly string[] {
  switch (type.type) {
    case 'TSTypeLiteral':
      return listOf(type.members).flatMap(({ key }) => String(nodeOf(key)?.name))
    case 'TSInterfaceBody':
      return listOf(type.body).flatMap(({ key }) => String(nodeOf(key)?.name))
    case 'TSIntersectionType':
    case 'TSUnionType':
      return listOf(type.types).flatMap(each => namesIn(each, file))
    case 'TSParenthesizedType':
      return namesIn(nodeOf(type.typeAnnotation) ?? type, file)
    case 'TSTypeQuery':
      return namesOfSchema(String(nodeOf(type.exprName)?.name), file)
    case 'TSTypeReference': {
      const name = String(nodeOf(type.typeName)?.name)
      const given = listOf(nodeOf(type.typeArguments)?.params)
      const [of, keys] = given
      // z.infer<typeof Schema>
      if (nodeOf(type.typeName)?.type === 'TSQualifiedName') return of === undefined ? [] : namesIn(of, file)
      if (name === 'Omit' || name === 'Pick') {
        const named = keys === undefined ? [] : literalsIn(keys)
        const all = of === undefined ? [] : namesIn(of, file)
        return name === 'Pick' ? named : all.filter(each => !named.includes(each))
      }
      if ((name === 'Readonly' || name === 'Extract' || name === 'Exclude') && of !== undefined)
        return namesIn(of, file)
      return namesOfType(name, file)
    }
    default:
      return []
  }
}

function namesOfType(name: string, file: ParsedFile): readonly string[] {
  for (const statement of file.body) {
    const declared = nodeOf(statement.declaration) ?? statement
    if (nodeOf(declared.id)?.name === name) {
      if (declared.type === 'TSTypeAliasDeclaration') return namesIn(nodeOf(declared.typeAnnotation) ?? declared, file)
      if (declared.type === 'TSInterfaceDeclaration') {
        const inherited = listOf(declared.extends).flatMap(({ expression }) =>
          namesOfType(String(nodeOf(expression)?.name), file),
        )
        return [...inherited, ...namesIn(nodeOf(declared.body) ?? declared, file)]
      }
    }
    if (statement.type === 'ImportDeclaration') {
      const imported = listOf(statement.specifiers).find(({ local }) => nodeOf(local)?.name === name)
      const source = String(nodeOf(statement.source)?.value)
      if (imported !== undefined && source.startsWith('.'))
        return namesOfType(String(nodeOf(imported.imported)?.name), fileAt(resolve(dirname(file.path), source)))
    }
  }
  return []
}

/** What a file declares under a name; undefined: it imports it, or does not have it. */
function declaredIn({ body }: ParsedFile, name: string): Node | undefined {
  for (const statement of body) {
    const declared = nodeOf(statement.declaration) ?? statement
    if (declared.type === 'FunctionDeclaration' && nodeOf(declared.id)?.name === name) return declared
    const variable = listOf(declared.declarations).find(({ id }) => nodeOf(id)?.name === name)
    if (variable !== undefined) return nodeOf(variable.init)
  }
  return undefined
}

/** The keys of `z.strictObject({ … })`. */
function namesOfSchema(name: string, file: ParsedFile): readonly string[] {
  const [shape] = listOf(declaredIn(file, name)?.arguments)
  return listOf(shape?.properties).flatMap(({ key }) => String(nodeOf(key)?.name))
}

function literalsIn(type: Node): readonly string[] {
  if (type.type === 'TSLiteralType') return [String(nodeOf(type.literal)?.value)]
  return listOf(type.types).flatMap(literalsIn)
}

/** The object of `{ … } satisfies X`, `{ … } as const` or alone. */
function objectIn(node: unknown): Node | undefined {
  const value = nodeOf(node)
  return value?.type === 'ObjectExpression' ? value : value === undefined ? undefined : objectIn(value.expression)
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === 'object' && value !== null && 'type' in value ? (value as Node) : undefined
}

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.flatMap(each => nodeOf(each) ?? []) : []
}
