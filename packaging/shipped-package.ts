import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An npm package of which something is inside a bundle. */
export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** The SPDX expression of its package.json; null where it names none. */
  readonly licence: string | null
  readonly author: string | null
  readonly homepage: string | null
  /** The texts of its licence and notice files, in the order of their names. */
  readonly texts: readonly string[]
}

/** A package of a bundle, with the files of the bundle that contain parts of it. */
export interface InventoryEntry extends ShippedPackage {
  readonly files: readonly string[]
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string | { readonly type?: string }
  readonly licenses?: readonly { readonly type?: string }[]
  readonly author?: string | { readonly name?: string }
  readonly homepage?: string
  readonly repository?: string | { readonly url?: string }
}

/** The folder of the npm package that a module lies in; null for one of our modules. */
export function packageFolderOf(module: string): string | null {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? null
}

/** Reads what a package says of itself. */
export function readShippedPackage(folder: string): ShippedPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { author, repository } = manifest
  return {
    name: manifest.name ?? folder,
    version: manifest.version ?? '0',
    licence: licenceOf(manifest),
    author: (typeof author === 'string' ? author : author?.name) ?? null,
    homepage: manifest.homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? null,
    texts: licenceFiles(folder).map(file => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()),
  }
}

function licenceOf({ license, licenses }: Manifest): string | null {
  if (typeof license === 'string') return license
  if (license?.type !== undefined) return license.type
  const types = (licenses ?? []).flatMap(({ type }) => (type === undefined ? [] : [type]))
  return types.length === 0 ? null : types.join(' OR ')
}

function licenceFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && /^(?:licen[cs]e|copying|notice|ofl)(?:[-.].*)?$/i.test(entry.name))
    .map(entry => entry.name)
    .sort()
}
