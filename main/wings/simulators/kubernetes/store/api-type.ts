import type { JsonObject } from './json.ts'

/** One resource of the API: what it is called and what may be done with it. */
export interface ApiType {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly Subresource[]
  /** `spec` changes count `metadata.generation` up. */
  readonly counted: boolean
  /** Comes from a CustomResourceDefinition: strategic merge patches and PUTs without resourceVersion are refused. */
  readonly custom: boolean
  /** `additionalPrinterColumns` of a custom resource. */
  readonly printerColumns: readonly JsonObject[]
  /** Structural schema of a custom resource; null: anything goes. */
  readonly schema: JsonObject | null
}

/** What hangs below a resource. */
export type Subresource = 'status' | 'eviction' | 'exec' | 'log' | 'scale' | 'finalize'

/** `group/version`, or the version alone for the core group. */
export function groupVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** Where objects of a type are kept: the same for all versions of a group. */
export function storeKeyOf(type: { readonly group: string; readonly plural: string }): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`
}

/** The verbs of an ordinary resource. */
export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const
