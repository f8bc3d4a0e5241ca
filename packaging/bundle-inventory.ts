import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { judgeLicence } from './judge-licence.ts'
import { type InventoryEntry, packageFolderOf, readShippedPackage } from './shipped-package.ts'

/** What is really inside one bundle. */
interface Inventory {
  /** `cli`, `main`, `preload` or `renderer`, as its folder in `out/`. */
  readonly bundle: string
  readonly packages: readonly InventoryEntry[]
}

/** The bundles there are, by their folders in `out/`. */
export const BUNDLES = ['cli', 'main', 'preload', 'renderer'] as const

/** What the bundler itself writes into a bundle, by the beginning of the name it gives such a module. */
const OF_THE_BUNDLER: readonly (readonly [RegExp, string])[] = [
  [/^\0?rolldown\//, 'rolldown'],
  [/^\0?@oxc-project[+/]runtime/, 'rolldown'],
  [/^\0?vite\//, 'vite'],
]

const SELF = createRequire(import.meta.url)

/**
 * Writes down which npm packages the bundle really has something of, in `out/inventory/`, and fails the build where one of them may not
 * be shipped: its licence is unknown or unfit, or requires a separate file and is in another one, or shares that file with others.
 */
export function bundleInventory(bundle: string): Plugin {
  let root = ''
  return {
    name: 'bundle-inventory',
    configResolved(config) {
      root = config.root
    },
    generateBundle({ dir }, output) {
      const found = new Map<string, Set<string>>()
      const note = (module: string, file: string) => {
        const folder = folderOf(module.split('?')[0] ?? module)
        if (folder === null) return
        found.set(folder, (found.get(folder) ?? new Set()).add(file))
      }
      for (const [file, part] of Object.entries(output)) {
        if (part.type === 'asset') for (const module of part.originalFileNames) note(resolve(root, module), file)
        else {
          for (const [module, { renderedLength }] of Object.entries(part.modules)) {
            // A style sheet adds no code to the chunk: its text is in the file beside it.
            if (renderedLength > 0 || /\.css(?:\?|$)/.test(module)) note(module, file)
          }
        }
      }
      const packages = onceEach(
        [...found].map(([folder, files]) => ({ ...readShippedPackage(folder), files: [...files] })),
      )
      const mixed = Object.entries(output).flatMap(([file, part]) =>
        part.type === 'chunk' ? unknownNodesIn(file, part.modules, root) : [],
      )
      const unfit = [...packages.flatMap(unfitness), ...mixed]
      if (unfit.length > 0) this.error(`What may not be shipped is in the bundle ${bundle}:\n${unfit.join('\n')}`)
      const folder = resolve(dir ?? 'out', '../inventory')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${bundle}.json`), `${JSON.stringify({ bundle, packages }, null, 2)}\n`)
    },
  }
}

/** What is inside these bundles, as the builds that made them wrote it down. */
export function readInventories(out: string, bundles: readonly string[]): readonly InventoryEntry[] {
  const read = (bundle: string) =>
    JSON.parse(readFileSync(join(out, 'inventory', `${bundle}.json`), 'utf8')) as Inventory
  return onceEach(bundles.flatMap(bundle => read(bundle).packages))
}

/** A package may be installed twice in one version, and be in several bundles: it is named once. */
function onceEach(entries: readonly InventoryEntry[]): readonly InventoryEntry[] {
  const known = new Map<string, InventoryEntry>()
  for (const entry of entries) {
    const key = `${entry.name}@${entry.version}`
    const files = new Set([...(known.get(key)?.files ?? []), ...entry.files])
    known.set(key, { ...entry, files: [...files].sort() })
  }
  return [...known].sort(([one], [other]) => compare(one, other)).map(([, entry]) => entry)
}

/** Why a package may not be shipped as it is in a bundle; nothing where it may. */
function unfitness({ name, version, licence, files }: InventoryEntry): readonly string[] {
  const verdict = judgeLicence(licence)
  switch (verdict.kind) {
    case 'fits':
      return []
    case 'replaceable': {
      const others = files.filter(file => !REPLACEABLE_FILES.has(file))
      return others.length === 0
        ? []
        : [`${name} ${version} (${licence}) must be a separate file, and is in ${others.join(', ')}`]
    }
    case 'unfit':
      return [`${name} ${version}: ${verdict.why}`]
  }
}

/** Files with one package alone and its dependencies, so that users may replace it (docs/packages.md). */
const REPLACEABLE_FILES: ReadonlyMap<string, string> = new Map([['jujulib.mjs', '@canonical/jujulib']])

/** What is in a file that may be exchanged and belongs to none of what is exchanged with it: it would be lost, or make an exchange impossible. */
function unknownNodesIn(
  file: string,
  modules: Readonly<Record<string, { readonly renderedLength: number }>>,
  root: string,
): readonly string[] {
  const owner = REPLACEABLE_FILES.get(file)
  if (owner === undefined) return []
  const known = withDependencies(join(root, 'node_modules', owner))
  return Object.entries(modules).flatMap(([module, { renderedLength }]) => {
    if (renderedLength === 0) return []
    const folder = folderOf(module.split('?')[0] ?? module)
    if (folder !== null && (known.has(folder) || folder === packageRoot('rolldown'))) return []
    return [`${file} has to hold ${owner} and what that needs alone, and has something of ${relative(root, module)}`]
  })
}

/** The folders of a package and of all that it needs, as Node finds them. */
function withDependencies(folder: string, known: Set<string> = new Set()): ReadonlySet<string> {
  if (known.has(folder)) return known
  known.add(folder)
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(dependencies)) {
    let from = folder
    while (!existsSync(join(from, 'node_modules', name)) && dirname(from) !== from) from = dirname(from)
    const found = join(from, 'node_modules', name)
    if (existsSync(found)) withDependencies(found, known)
  }
  return known
}

function folderOf(module: string): string | null {
  const bundler = OF_THE_BUNDLER.find(([pattern]) => pattern.test(module))?.[1]
  return bundler === undefined ? packageFolderOf(module) : packageRoot(bundler)
}

function packageRoot(name: string): string {
  return dirname(SELF.resolve(`${name}/package.json`))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
