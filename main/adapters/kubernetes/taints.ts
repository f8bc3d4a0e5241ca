import type { V1Node, V1NodeSpec, V1Taint } from '@kubernetes/client-node'
import type { NodeTaint } from '../../../shared/domain/kubernetes.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { KubernetesObject } from './answers.ts'
import { nodeTarget } from './cordon.ts'
import { MalformedAnswer, objectIn, objectsIn, textIn } from './fields.ts'
import type { Fields, Written } from './model-fields.ts'
import { getObject, patchObject } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import type { KubernetesSession } from './session.ts'

/** The list of taints is written as a whole: after a concurrent change it is read again. */
const MOST_TRIES = 5

export async function listTaints(
  session: KubernetesSession,
  name: string,
  signal?: AbortSignal,
): Promise<Result<readonly NodeTaint[]>> {
  const read = await getObject(session, nodeTarget(name), taintsOf, signal)
  return read.ok ? ok(read.value.taints.map(({ key, value, effect }) => ({ key, value, effect }))) : read
}

/** Sets or removes a taint; all others stay. Sends nothing if nothing changes. */
export async function setTaint(
  session: KubernetesSession,
  name: string,
  { key, value, effect }: NodeTaint,
  wanted: boolean,
  signal?: AbortSignal,
): Promise<Result<{ readonly changed: boolean }>> {
  const isIt = (taint: NodeTaint) => taint.key === key && taint.effect === effect
  for (let attempt = 1; ; attempt += 1) {
    const read = await getObject(session, nodeTarget(name), taintsOf, signal)
    if (!read.ok) return read
    const { taints, resourceVersion } = read.value
    const has = taints.some(taint => isIt(taint) && (!wanted || taint.value === value))
    if (has === wanted) return ok({ changed: false })
    const others = taints.filter(taint => !isIt(taint)).map(({ raw }) => raw)
    const body = {
      metadata: { resourceVersion },
      spec: {
        taints: wanted
          ? [...others, { key, value, effect } satisfies Written<V1Taint>]
          : others.length === 0
            ? null
            : others,
      },
    }
    const written = await patchObject(
      session,
      nodeTarget(name),
      { kind: 'merge', body, uid: null },
      object => {
        if (taintsOf(object).taints.some(isIt) !== wanted) {
          throw new MalformedAnswer(because('TaintNotShown', { taint: key, wanted }))
        }
        return { changed: true }
      },
      signal,
    )
    if (written.ok || written.failure.code !== 'conflict' || attempt === MOST_TRIES) return written
  }
}

export function readTaints(spec: Fields<V1NodeSpec>): readonly NodeTaint[] {
  return objectsIn(spec, 'taints').map(taintOf)
}

function taintsOf(object: KubernetesObject<V1Node>) {
  return {
    resourceVersion: readMetadata(object).resourceVersion,
    taints: objectsIn(objectIn(object, 'spec'), 'taints').map(raw => ({ ...taintOf(raw), raw })),
  }
}

function taintOf(raw: Fields<V1Taint>): NodeTaint {
  return { key: textIn(raw, 'key'), value: textIn(raw, 'value'), effect: textIn(raw, 'effect') }
}
