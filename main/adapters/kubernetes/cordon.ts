import type { V1NodeSpec } from '@kubernetes/client-node'
import { managerOfRun } from '../../../shared/domain/cordon-holders.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { SetUnschedulable } from '../../ports/kubernetes.ts'
import { MalformedAnswer } from './fields.ts'
import type { Written } from './model-fields.ts'
import { getObject, patchObject } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { readNode } from './read-node.ts'
import { type Named, NODES } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

export async function getNode(
  session: KubernetesSession,
  name: string,
  signal?: AbortSignal,
): Promise<Result<ClusterNode>> {
  return getObject(session, nodeTarget(name), readNode, signal)
}

/** Cordons or uncordons a node (docs/drain.md 5.1) by one patch, or none if it already is. Only the patch passes the gate: a slow read would make the Lease check stale. */
export async function setUnschedulable(
  session: KubernetesSession,
  name: string,
  unschedulable: boolean,
  { by, atVersion, signal, gate }: SetUnschedulable = {},
): Promise<Result<{ readonly changed: boolean }>> {
  const node = await getNode(session, name, signal)
  if (!node.ok) return node
  if (node.value.unschedulable === unschedulable) return ok({ changed: false })
  // kubectl writes false as an absent field (5.1 rule 2).
  const spec = { unschedulable: unschedulable ? true : null } satisfies Written<V1NodeSpec>
  const body = atVersion === undefined ? { spec } : { metadata: { resourceVersion: atVersion }, spec }
  const patch = () =>
    patchObject(
      session,
      nodeTarget(name),
      { kind: 'strategic-merge', body, uid: null, ...(by === undefined ? {} : { manager: managerOfRun(by) }) },
      object => {
        if (readNode(object).unschedulable !== unschedulable) {
          throw new MalformedAnswer(because('CordonNotShown', { cordoned: unschedulable }))
        }
        return { changed: true }
      },
      signal,
    )
  return gate === undefined ? patch() : gate(patch, signal)
}

/** Sets annotations of a node and removes those given as null; others stay. */
export function annotateNode(
  session: KubernetesSession,
  name: string,
  annotations: Readonly<Record<string, string | null>>,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return annotate(session, nodeTarget(name), annotations, signal)
}

/** The same for any object. It names no resource version, so concurrent changes do not conflict. */
export async function annotate(
  session: KubernetesSession,
  target: Named,
  annotations: Readonly<Record<string, string | null>>,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return patchObject(
    session,
    target,
    { kind: 'merge', body: { metadata: { annotations } }, uid: null },
    object => {
      const now = readMetadata(object).annotations
      const other = Object.entries(annotations).find(([key, value]) => (now[key] ?? null) !== value)
      if (other !== undefined)
        throw new MalformedAnswer(because('FieldNotAsWritten', { field: `annotation ${other[0]}` }))
    },
    signal,
  )
}

export function nodeTarget(name: string) {
  return { type: NODES, namespace: null, name }
}
