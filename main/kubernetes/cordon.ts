import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { rawObject } from './raw.ts'
import { readNode } from './read-node.ts'
import type { KubernetesSession } from './session.ts'

/** Reads one node afresh. */
export async function getNode(
  session: KubernetesSession,
  name: string,
  signal?: AbortSignal,
): Promise<Result<ClusterNode>> {
  const answer = await session.ask({ method: 'GET', path: nodePath(name), signal })
  return answer.ok ? ok(readNode(rawObject(answer.value))) : answer
}

/**
 * Cordons or uncordons a node (docs/drain.md 5.1): nothing is sent when it is already so, else one strategic-merge patch of the
 * difference, without resourceVersion. A refusal is a failure, not a printed line (V2).
 */
export async function setUnschedulable(
  session: KubernetesSession,
  name: string,
  unschedulable: boolean,
  signal?: AbortSignal,
): Promise<Result<{ readonly changed: boolean }>> {
  const node = await getNode(session, name, signal)
  if (!node.ok) return node
  if (node.value.unschedulable === unschedulable) return ok({ changed: false })
  const answer = await session.ask({
    method: 'PATCH',
    path: nodePath(name),
    contentType: 'application/strategic-merge-patch+json',
    // False is the field's absence (5.1 rule 2).
    body: { spec: { unschedulable: unschedulable ? true : null } },
    signal,
  })
  return answer.ok ? ok({ changed: true }) : answer
}

/** Sets annotations of a node and removes those given as null; all others stay as they are. */
export async function annotateNode(
  session: KubernetesSession,
  name: string,
  annotations: Readonly<Record<string, string | null>>,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const answer = await session.ask({
    method: 'PATCH',
    path: nodePath(name),
    contentType: 'application/merge-patch+json',
    body: { metadata: { annotations } },
    signal,
  })
  return answer.ok ? ok(undefined) : answer
}

function nodePath(name: string): string {
  return `/api/v1/nodes/${encodeURIComponent(name)}`
}
