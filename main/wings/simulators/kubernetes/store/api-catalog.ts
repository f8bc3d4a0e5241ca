import { ALL_VERBS, type ApiType, storeKeyOf } from './api-type.ts'
import { builtInTypes } from './built-in-types.ts'
import { at, isJsonObject, isTrueAt, type Json, type JsonObject, listAt, recordAt, textAt } from './json.ts'
import type { Stored } from './models.ts'
import type { ObjectStore } from './object-store.ts'
import type { Release } from './release.ts'

/** The store key of CustomResourceDefinitions. */
export const DEFINITIONS_KEY = 'customresourcedefinitions.apiextensions.k8s.io'

/** The resources that exist now, both built-in and from stored CustomResourceDefinitions. */
export interface ApiCatalog {
  types(): readonly ApiType[]
  find(group: string, version: string, plural: string): ApiType | null
  /** Finds the type by apiVersion and kind; null if the server does not know it. */
  ofObject(apiVersion: string, kind: string): ApiType | null
  /** Returns a built-in type; throws for another kind. */
  builtIn(kind: string): ApiType
}

/** Makes the catalog over a store; a definition counts as soon as it is stored. */
export function createApiCatalog(store: ObjectStore, release: Release): ApiCatalog {
  const fixed = builtInTypes(release)
  const types = (): readonly ApiType[] => [
    ...fixed,
    ...store.list(DEFINITIONS_KEY, null).flatMap(definition => typesOfDefinition(definition)),
  ]
  return {
    types,
    find: (group, version, plural) =>
      types().find(type => type.group === group && type.version === version && type.plural === plural) ?? null,
    ofObject(apiVersion, kind) {
      const [group, version] = splitGroupVersion(apiVersion)
      return types().find(type => type.group === group && type.version === version && type.kind === kind) ?? null
    },
    builtIn(kind) {
      const found = fixed.find(type => type.kind === kind)
      if (found === undefined) throw new Error(`The simulator has no built-in kind ${kind}`)
      return found
    },
  }
}

/** Splits `apps/v1` into group and version; the core group is empty. */
function splitGroupVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
}

/** Returns a type for each served version of a CustomResourceDefinition. */
function typesOfDefinition(definition: Stored<'CustomResourceDefinition'>): readonly ApiType[] {
  const names = recordAt(definition, 'spec', 'names')
  const kind = textAt(names, 'kind') ?? ''
  const text = (values: readonly Json[]): string[] => values.filter(value => typeof value === 'string')
  return listAt(definition, 'spec', 'versions')
    .filter(version => isTrueAt(version, 'served'))
    .map(version => ({
      group: textAt(definition, 'spec', 'group') ?? '',
      version: textAt(version, 'name') ?? '',
      kind,
      plural: textAt(names, 'plural') ?? '',
      singular: textAt(names, 'singular') ?? kind.toLowerCase(),
      shortNames: text(listAt(names, 'shortNames')),
      categories: text(listAt(names, 'categories')),
      namespaced: textAt(definition, 'spec', 'scope') === 'Namespaced',
      verbs: ALL_VERBS,
      subresources: at(version, 'subresources', 'status') === undefined ? [] : ['status'],
      counted: true,
      custom: true,
      printerColumns: listAt(version, 'additionalPrinterColumns').filter(isJsonObject),
      schema: schemaOf(version),
    }))
}

/** Returns the store key of a definition's resources. */
export function storeKeyOfDefinition(definition: Stored<'CustomResourceDefinition'>): string {
  return storeKeyOf({
    group: textAt(definition, 'spec', 'group') ?? '',
    plural: textAt(definition, 'spec', 'names', 'plural') ?? '',
  })
}

function schemaOf(version: Json): JsonObject | null {
  const schema = at(version, 'schema', 'openAPIV3Schema')
  return isJsonObject(schema) ? schema : null
}
