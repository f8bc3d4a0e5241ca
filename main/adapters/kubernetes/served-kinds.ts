import { ok, type Result } from '../../../shared/domain/result.ts'
import type { KubernetesObject } from './answers.ts'
import type { ForeignKind } from './foreign-kinds.ts'
import { listRead } from './list.ts'
import { isNotServed, servedResources } from './objects.ts'
import type { ResourceType } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

interface ForeignListing {
  readonly namespace?: string | null
  readonly signal?: AbortSignal | undefined
}

/** Null if the server provably does not serve the kind, which differs from an empty list. Discovery finds a plural that differs from our table's. */
export async function listForeign<T>(
  session: KubernetesSession,
  foreign: ForeignKind,
  read: (object: KubernetesObject) => T,
  { namespace = null, signal }: ForeignListing = {},
): Promise<Result<readonly T[] | null>> {
  const listed = await listRead(session, foreign, read, { namespace, signal })
  if (listed.ok || !isNotServed(listed.failure)) return listed
  const served = await servedAs(session, foreign, signal)
  if (!served.ok) return served
  return served.value === null ? ok(null) : listRead(session, served.value, read, { namespace, signal })
}

/** How the server serves a kind of that group and version; null means not at all. */
export async function servedAs(
  session: KubernetesSession,
  { apiVersion, kind }: Pick<ForeignKind, 'apiVersion' | 'kind'>,
  signal?: AbortSignal,
): Promise<Result<ResourceType | null>> {
  const served = await servedResources(session, apiVersion, signal)
  if (!served.ok) return served
  const found = [...(served.value ?? [])].find(([plural, one]) => one.kind === kind && !plural.includes('/'))
  if (found === undefined) return ok(null)
  const [plural, { namespaced }] = found
  return ok({ apiVersion, kind, plural, namespaced })
}
