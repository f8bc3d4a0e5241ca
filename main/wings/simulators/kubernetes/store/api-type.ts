import type { JsonObject } from './json.ts'

/** One resource of the API in one version. */
export interface ApiType {
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
  /** Whether a change of `spec` increments `metadata.generation`. */
  readonly counted: boolean
  /** A resource of a CustomResourceDefinition; it refuses strategic merge patches and PUTs without resourceVersion. */
  readonly custom: boolean
  /** `additionalPrinterColumns` of a custom resource. */
  readonly printerColumns: readonly JsonObject[]
  /** Structural schema of a custom resource; null accepts any field. */
  readonly schema: JsonObject | null
}

export type Subresource = 'status' | 'eviction' | 'exec' | 'log' | 'scale' | 'finalize'

/** Returns `group/version`, or the version for the core group. */
export function groupVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** Returns the store key of a type; all versions of a group share it. */
export function storeKeyOf(type: { readonly group: string; readonly plural: string }): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`
}

export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const
