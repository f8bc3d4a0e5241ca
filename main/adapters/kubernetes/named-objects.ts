import type { NamedObject } from '../../../shared/domain/application-update.ts'
import { Json } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { NamedObjectSeen } from '../../ports/kubernetes.ts'
import type { KubernetesObject } from './answers.ts'
import { MalformedAnswer } from './fields.ts'
import { findObject, patchObject, servedResources } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import type { Named } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

export async function resourceOfObject(
  session: KubernetesSession,
  object: NamedObject,
  signal?: AbortSignal,
): Promise<Result<Pick<NamedObjectSeen, 'group' | 'resource'>>> {
  const target = await targetOf(session, object, signal)
  return target.ok ? ok(resourceOf(target.value)) : target
}

export async function readNamedObject(
  session: KubernetesSession,
  object: NamedObject,
  signal?: AbortSignal,
): Promise<Result<NamedObjectSeen | null>> {
  const target = await targetOf(session, object, signal)
  return target.ok ? findObject(session, target.value, seen => seenOf(seen, target.value), signal) : target
}

export async function patchNamedObject(
  session: KubernetesSession,
  object: NamedObject,
  change: { readonly patch: Readonly<Record<string, Json>>; readonly uid: string; readonly resourceVersion: string },
  signal?: AbortSignal,
): Promise<Result<void>> {
  const target = await targetOf(session, object, signal)
  if (!target.ok) return target
  const { patch, uid, resourceVersion } = change
  const metadata = patch.metadata
  const given = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : {}
  const body = { ...patch, metadata: { ...given, uid, resourceVersion } }
  return patchObject(
    session,
    target.value,
    { kind: 'merge', body, uid: null },
    answer => {
      if (answer.metadata.uid !== uid) throw new MalformedAnswer(because('OtherThanChanged', { kind: object.kind }))
    },
    signal,
  )
}

async function targetOf(
  session: KubernetesSession,
  { apiVersion, kind, namespace, name }: NamedObject,
  signal: AbortSignal | undefined,
): Promise<Result<Named>> {
  const served = await servedResources(session, apiVersion, signal)
  if (!served.ok) return served
  const found = [...(served.value ?? [])].find(([plural, one]) => one.kind === kind && !plural.includes('/'))
  if (found === undefined) {
    return failed(refusal('not-found', because('KindUnknownHere', { kind, apiVersion })))
  }
  const [plural, { namespaced }] = found
  if (namespaced !== (namespace !== null)) {
    const code = namespaced ? 'KindNeedsNamespace' : 'KindHasNoNamespace'
    return failed(refusal('bad-input', because(code, { kind, apiVersion })))
  }
  return ok({ type: { apiVersion, kind, plural, namespaced }, namespace, name })
}

function resourceOf({ type: { apiVersion, plural } }: Named): Pick<NamedObjectSeen, 'group' | 'resource'> {
  const [group = '', version] = apiVersion.split('/')
  return { group: version === undefined ? '' : group, resource: plural }
}

function seenOf(object: KubernetesObject, named: Named): NamedObjectSeen {
  const { uid, resourceVersion } = readMetadata(object)
  const content = Json.safeParse(object)
  if (!content.success) throw new MalformedAnswer(because('ObjectNotJson'))
  return { uid, resourceVersion, content: content.data, ...resourceOf(named) }
}
