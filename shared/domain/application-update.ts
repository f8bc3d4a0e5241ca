import { z } from 'zod'
import { Json, jsonOf, sortedJson } from './json.ts'

/** An object as an operator names it; `namespace` null: a cluster-wide kind. */
export const NamedObject = z.strictObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  namespace: z.string().min(1).nullable(),
  name: z.string().min(1),
})
export type NamedObject = z.infer<typeof NamedObject>

const ApplicationStart = z.strictObject({
  kind: z.literal('patch'),
  object: NamedObject,
  patch: z.string().refine(text => isObject(patchIn(text)), 'must be a JSON object'),
})
export type ApplicationStart = z.infer<typeof ApplicationStart>

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const ApplicationFinish = z.discriminatedUnion('kind', [
  /** `path`: names separated by dots, or a JSON pointer. */
  z.strictObject({ kind: z.literal('field'), object: NamedObject, path: z.string().min(1), equals: Scalar }),
  z.strictObject({
    kind: z.literal('condition'),
    object: NamedObject,
    type: z.string().min(1),
    status: z.enum(['True', 'False', 'Unknown']),
  }),
  z.strictObject({ kind: z.literal('lock') }),
])
export type ApplicationFinish = z.infer<typeof ApplicationFinish>

/** `application`: the controller name in its lock, such as `openstack`. `start` null: another system starts it. */
export const ApplicationUpdate = z.strictObject({
  application: z.string().min(1),
  start: ApplicationStart.nullable(),
  finished: ApplicationFinish,
})
export type ApplicationUpdate = z.infer<typeof ApplicationUpdate>

/** An update from an operator's file; `command` null: no command starts it. */
export interface DeclaredApplication {
  readonly update: ApplicationUpdate
  readonly command: string | null
}

/** The operator's file: patches are YAML, and `command` is one line for the shell of this machine. */
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

/** Updated in phase 2, in this order (seed 003); the others in phase 5. */
export const FIRST_APPLICATIONS = ['openstack', 'ceph'] as const

export function isUpdatedLast(application: string): boolean {
  return !FIRST_APPLICATIONS.some(first => first === application)
}

/** Values as JSON; `absent`: the field does not exist. */
export interface FieldChange {
  readonly path: string
  readonly from: string
  readonly to: string
}

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

/** The merge patch in a text; empty if the text contains no object. */
export function patchOf({ patch }: Pick<ApplicationStart, 'patch'>): Readonly<Record<string, Json>> {
  const read = patchIn(patch)
  return isObject(read) ? read : {}
}

function patchIn(text: string): Json | undefined {
  const read = Json.safeParse(jsonOf(text))
  return read.success ? read.data : undefined
}

/** The value at a path; undefined if the path does not exist. */
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

/** For people: `OpenStackDeployment openstack/osh-dev`. */
export function objectWords({ kind, namespace, name }: NamedObject): string {
  return `${kind} ${namespace === null ? '' : `${namespace}/`}${name}`
}

/** On our cluster maintenance request: what shows that each application is updated, as JSON. */
export const REQUEST_APPLICATIONS_ANNOTATION = 'lockkeeper.dev/applications'

const Announced = z.array(z.object({ application: z.string(), finished: ApplicationFinish }))

export function announcedApplications(updates: readonly Pick<ApplicationUpdate, 'application' | 'finished'>[]): string {
  return JSON.stringify(updates.map(({ application, finished }) => ({ application, finished })))
}

export function announcedFinish(
  annotations: Readonly<Record<string, string>>,
  application: string,
): ApplicationFinish | null {
  const read = Announced.safeParse(jsonOf(annotations[REQUEST_APPLICATIONS_ANNOTATION] ?? ''))
  return (read.success && read.data.find(one => one.application === application)?.finished) || null
}

const ABSENT = 'absent'

function textOf(value: Json | undefined): string {
  return value === undefined ? ABSENT : sortedJson(value)
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
