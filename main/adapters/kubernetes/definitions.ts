import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { type DefinitionStatus, MAINTENANCE_VERSION, MaintenanceKind } from '../../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { listPageOf, readAnswer } from './answers.ts'
import { DEFINITIONS } from './definition-manifests.ts'
import { createObject, findObject, servedResources } from './objects.ts'
import { type RawObject, rawList, rawObject } from './raw.ts'
import { requestWords } from './request-words.ts'
import { DEFINITION_TYPE, folderOf, LCM_VERSION, maintenanceType } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** An API server normally serves a new definition within a second or two. */
const SERVED_WITHIN_MS = seconds(30)
const LOOK_EVERY_MS = 200

export async function definitionsStatus(
  session: KubernetesSession,
  signal?: AbortSignal,
): Promise<Result<readonly DefinitionStatus[]>> {
  const reads = await Promise.all(
    MaintenanceKind.options.map(async kind => {
      const { name } = DEFINITIONS[kind].metadata
      const ours = DEFINITIONS[kind] as unknown as RawObject
      const differences = await findObject(session, named(name), theirs => differencesOf(theirs, ours), signal)
      return { kind, name, differences }
    }),
  )
  const found: DefinitionStatus[] = []
  for (const { kind, name, differences } of reads) {
    if (!differences.ok) return forAdministrators(differences.failure)
    const state = differences.value === null ? 'missing' : differences.value.length === 0 ? 'same' : 'differs'
    found.push({ name, kind, state, differences: [...(differences.value ?? [])] })
  }
  return ok(found)
}

/** By discovery: a definition that is not served yet is missing for every client. */
export async function servedKinds(
  session: KubernetesSession,
  signal?: AbortSignal,
): Promise<Result<readonly { readonly kind: MaintenanceKind; readonly name: string; readonly isServed: boolean }[]>> {
  const served = await servedResources(session, LCM_VERSION, signal)
  if (!served.ok) return served
  return ok(
    MaintenanceKind.options.map(kind => ({
      kind,
      name: DEFINITIONS[kind].metadata.name,
      isServed: served.value?.has(maintenanceType(kind).plural) ?? false,
    })),
  )
}

export async function installDefinitions(
  session: KubernetesSession,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Result<readonly DefinitionStatus[]>> {
  const before = await definitionsStatus(session, signal)
  if (!before.ok) return before
  const missing = before.value.filter(({ state }) => state === 'missing')
  for (const { kind, name } of missing) {
    const answer = await createObject(session, named(name), { ...DEFINITIONS[kind] }, theirs => theirs, { signal })
    // Another client created it first: theirs is used.
    if (!answer.ok && answer.failure.code !== 'conflict') return forAdministrators(answer.failure)
  }
  const until = clock.monotonicMs() + SERVED_WITHIN_MS
  for (const { kind, name } of missing) {
    for (;;) {
      const collection = { type: maintenanceType(kind), namespace: null }
      const path = folderOf(collection)
      const answer = await session.exchange({ method: 'GET', path, query: { limit: 1 }, signal })
      if (answer.ok) {
        const page = readAnswer(requestWords('GET', path), answer.value, body => listPageOf(body, collection))
        if (page.ok) break
      }
      if (signal?.aborted || clock.monotonicMs() > until) {
        return failed(refusal('timed-out', because('DefinitionNotServed', { definition: name })))
      }
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
  }
  return definitionsStatus(session, signal)
}

function named(name: string) {
  return { type: DEFINITION_TYPE, namespace: null, name }
}

/** Our roles may read but not create definitions: that affects a whole cluster and is for administrators. */
function forAdministrators(cause: Failure) {
  if (cause.code !== 'not-permitted') return failed(cause)
  return failed(refusal('not-permitted', because('DefinitionsNotPermitted'), { detail: cause.message }))
}

/** Differences between a cluster's definition and ours in what clients depend on: names, scope, schema, status subresource. */
export function differencesOf(theirs: RawObject, ours: RawObject): readonly string[] {
  const a = rawObject(theirs.spec)
  const b = rawObject(ours.spec)
  const differences: string[] = []
  for (const field of ['group', 'scope'] as const) compare(field, a[field], b[field], differences)
  for (const field of ['kind', 'plural'] as const) {
    compare(`names.${field}`, rawObject(a.names)[field], rawObject(b.names)[field], differences)
  }
  const version = (spec: RawObject) =>
    rawList(spec.versions)
      .map(rawObject)
      .find(entry => entry.name === MAINTENANCE_VERSION)
  const [their, our] = [version(a), version(b)]
  if (their === undefined || our === undefined)
    return [...differences, because('DefinitionVersionLacking', { version: MAINTENANCE_VERSION }).message]
  compare('versions.v1alpha1.served', their.served, our.served, differences)
  const hasStatus = (entry: RawObject) => rawObject(entry.subresources).status !== undefined
  compare('versions.v1alpha1.subresources.status', hasStatus(their), hasStatus(our), differences)
  const schema = (entry: RawObject) => rawObject(rawObject(entry.schema).openAPIV3Schema)
  compareSchemas('', schema(their), schema(our), differences)
  return differences
}

const DOCUMENTATION_FIELDS: ReadonlySet<string> = new Set(['description', 'title', 'example', 'default'])
const IMPLIED_FIELDS: ReadonlySet<string> = new Set(['.apiVersion', '.kind', '.metadata'])

function compareSchemas(place: string, theirs: RawObject, ours: RawObject, differences: string[]): void {
  if (IMPLIED_FIELDS.has(place)) return
  for (const field of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    if (DOCUMENTATION_FIELDS.has(field) || field === 'properties') continue
    compare(`${place || 'schema'} ${field}`, normalized(theirs[field]), normalized(ours[field]), differences)
  }
  const [a, b] = [rawObject(theirs.properties), rawObject(ours.properties)]
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const where = `${place}.${name}`
    if (IMPLIED_FIELDS.has(where)) continue
    if (a[name] === undefined) differences.push(because('DefinitionFieldLacking', { field: where }).message)
    else if (b[name] === undefined) differences.push(because('DefinitionFieldAdded', { field: where }).message)
    else compareSchemas(where, rawObject(a[name]), rawObject(b[name]), differences)
  }
}

function normalized(value: unknown): unknown {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string') ? [...value].sort() : value
}

function compare(place: string, theirs: unknown, ours: unknown, differences: string[]): void {
  const [a, b] = [JSON.stringify(theirs) ?? null, JSON.stringify(ours) ?? null]
  if (a !== b) differences.push(because('DefinitionFieldDiffers', { field: place, theirs: a, ours: b }).message)
}
