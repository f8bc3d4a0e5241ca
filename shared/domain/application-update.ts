import { z } from 'zod'
import { Json, jsonOf } from './json.ts'

/** An object of Kubernetes as an operator names it; `namespace` null: it is in none. */
export const NamedObject = z.strictObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  namespace: z.string().min(1).nullable(),
  name: z.string().min(1),
})
export type NamedObject = z.infer<typeof NamedObject>

/** What starts the update of an application: a merge patch of one object, as JSON text. */
const ApplicationStart = z.strictObject({
  kind: z.literal('patch'),
  object: NamedObject,
  patch: z.string().refine(text => isObject(patchIn(text)), 'must be an object, as JSON'),
})
export type ApplicationStart = z.infer<typeof ApplicationStart>

/** A value that a field is compared with. */
const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** What shows that an application is updated. */
export const ApplicationFinish = z.discriminatedUnion('kind', [
  /** A field of an object has this value. `path`: names with dots between them, or a JSON pointer. */
  z.strictObject({ kind: z.literal('field'), object: NamedObject, path: z.string().min(1), equals: Scalar }),
  /** A condition of an object has this status. */
  z.strictObject({
    kind: z.literal('condition'),
    object: NamedObject,
    type: z.string().min(1),
    status: z.enum(['True', 'False', 'Unknown']),
  }),
  /** Its ClusterWorkloadLock is inactive. */
  z.strictObject({ kind: z.literal('lock') }),
])
export type ApplicationFinish = z.infer<typeof ApplicationFinish>

/**
 * How one application is updated. `application`: the controller name that its lock bears, such as `openstack`. `start` null: somebody else
 * starts it, and the update only waits.
 */
export const ApplicationUpdate = z.strictObject({
  application: z.string().min(1),
  start: ApplicationStart.nullable(),
  finished: ApplicationFinish,
})
export type ApplicationUpdate = z.infer<typeof ApplicationUpdate>

/** An application as an operator's file declares it; `command` null: none starts its update. */
export interface DeclaredApplication {
  readonly update: ApplicationUpdate
  readonly command: string | null
}

/** The file in which an operator writes it down: patches are written as they are, not as text, and `command` is one line for the shell of this machine. */
export const ApplicationFile = z.strictObject({
  applications: z.array(
    z
      .strictObject({
        ...ApplicationUpdate.shape,
        start: z
          .discriminatedUnion('kind', [
            z.strictObject({ kind: z.literal('patch'), object: NamedObject, patch: z.record(z.string(), z.unknown()) }),
            z.strictObject({ kind: z.literal('command'), command: z.string().min(1) }),
          ])
          .nullable(),
      })
      .transform(
        ({ start, ...each }): DeclaredApplication => ({
          update: { ...each, start: start?.kind === 'patch' ? { ...start, patch: JSON.stringify(start.patch) } : null },
          command: start?.kind === 'command' ? start.command : null,
        }),
      ),
  ),
})

/** Updated in phase 2, in this order (seed 003); every other application in phase 5. */
export const FIRST_APPLICATIONS = ['openstack', 'ceph'] as const

/** Whether an application is updated in the last phase. */
export function isUpdatedLast(application: string): boolean {
  return !FIRST_APPLICATIONS.some(first => first === application)
}

/** One field that a patch changes, and its values as JSON; `absent` where there is none. */
export interface FieldChange {
  readonly path: string
  readonly from: string
  readonly to: string
}

/** What a merge patch (RFC 7386) would change of an object, field by field; empty: it is so already. */
export function changesOf(content: Json | undefined, patch: Json, path = ''): readonly FieldChange[] {
  if (isObject(patch)) {
    const inside = isObject(content) ? content : {}
    const changes = Object.entries(patch).flatMap(([key, value]) =>
      changesOf(inside[key], value, path === '' ? key : `${path}.${key}`),
    )
    return changes.length > 0 || isObject(content) ? changes : [{ path, from: textOf(content), to: textOf(patch) }]
  }
  const to = patch === null ? undefined : patch
  return textOf(content) === textOf(to) ? [] : [{ path, from: textOf(content), to: textOf(to) }]
}

/** The merge patch of a text; empty where it holds none. */
export function patchOf({ patch }: Pick<ApplicationStart, 'patch'>): Readonly<Record<string, Json>> {
  const read = patchIn(patch)
  return isObject(read) ? read : {}
}

function patchIn(text: string): Json | undefined {
  const read = Json.safeParse(jsonOf(text))
  return read.success ? read.data : undefined
}

/** The value at a path of an object; undefined: there is none. */
export function fieldAt(content: Json, path: string): Json | undefined {
  const names = path.startsWith('/')
    ? path
        .slice(1)
        .split('/')
        .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    : path.replace(/^\./, '').split('.')
  let here: Json | undefined = content
  for (const name of names) {
    if (Array.isArray(here)) here = here[Number(name)]
    else here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined
  }
  return here
}

/** How far an application is by the object that shows it: `value` is what the field or condition says now. */
export function finishOf(
  finished: Exclude<ApplicationFinish, { kind: 'lock' }>,
  content: Json,
): { readonly isSo: boolean; readonly field: string; readonly value: string; readonly wanted: string } {
  if (finished.kind === 'field') {
    const value = textOf(fieldAt(content, finished.path))
    const wanted = textOf(finished.equals)
    return { isSo: value === wanted, field: finished.path, value, wanted }
  }
  const conditions = fieldAt(content, 'status.conditions')
  const found = Array.isArray(conditions) ? conditions.find(one => isObject(one) && one.type === finished.type) : null
  const value = isObject(found) && typeof found.status === 'string' ? found.status : ABSENT
  return { isSo: value === finished.status, field: `condition ${finished.type}`, value, wanted: finished.status }
}

/** An object as people name it: `OpenStackDeployment openstack/osh-dev`. */
export function objectWords({ kind, namespace, name }: NamedObject): string {
  return `${kind} ${namespace === null ? '' : `${namespace}/`}${name}`
}

/** On a cluster's maintenance request of Lockkeeper's: how each application of the update is seen to be updated, as JSON. */
export const REQUEST_APPLICATIONS_ANNOTATION = 'lockkeeper.dev/applications'

const Announced = z.array(z.object({ application: z.string(), finished: ApplicationFinish }))

/** What the annotation says of the applications of an update. */
export function announcedApplications(updates: readonly Pick<ApplicationUpdate, 'application' | 'finished'>[]): string {
  return JSON.stringify(updates.map(({ application, finished }) => ({ application, finished })))
}

/** How an application of an update is seen to be updated; null: the request does not say. */
export function announcedFinish(
  annotations: Readonly<Record<string, string>>,
  application: string,
): ApplicationFinish | null {
  const read = Announced.safeParse(jsonOf(annotations[REQUEST_APPLICATIONS_ANNOTATION] ?? ''))
  return (read.success && read.data.find(one => one.application === application)?.finished) || null
}

const ABSENT = 'absent'

function textOf(value: Json | undefined): string {
  return value === undefined ? ABSENT : JSON.stringify(sorted(value))
}

/** The same value has the same text, whatever the order of its fields. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, inside]): [string, Json] => [key, sorted(inside)]),
  )
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
