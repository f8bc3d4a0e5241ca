import type { Pod, PodDecision } from '../../../../shared/domain/kubernetes.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import { POD_LEFT } from '../../../../shared/domain/run-facts.ts'
import type { Counted } from '../../../../shared/domain/step-answers.ts'
import { type Fault, fault } from '../../../../shared/words/step-texts.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceContext } from '../../node-input.ts'

const LEAVING = 'pod-leaving'
const STAYING = 'pod-staying'

const LOOKS_AT_ONCE = 4

/** Above this number, a second list is read, and only pods that it leaves open are read one by one. */
const ASKED_ONE_BY_ONE = 24

interface PodsProof {
  readonly left: readonly string[]
  /** Why the result is unknown; null if it is known. */
  readonly unreported: Fault | null
}

export function countedPods(decisions: readonly PodDecision[]): readonly Counted[] {
  return decisions.map(({ pod: { namespace, name, uid }, fate }) => ({
    kind: fate === 'keep' ? STAYING : LEAVING,
    id: uid,
    name: `${namespace}/${name}`,
    values: { namespace, pod: name },
  }))
}

/** Why the node's list may be incomplete; null if the list of all pods has no other on the node, and that list is empty in no cluster. */
export async function whyNotWhole(
  node: string,
  shown: readonly Pick<Pod, 'uid'>[],
  { world, signal }: Pick<MaintenanceContext, 'world'> & { readonly signal?: AbortSignal },
): Promise<Fault | null> {
  const all = await world.kubernetes.listPods(null, signal)
  const listed = { node, shown: shown.length }
  if (!all.ok) return fault('PodListNotProved', { ...listed, cause: all.failure.message })
  const known = new Set(shown.map(({ uid }) => uid))
  const hidden = all.value.filter(({ nodeName, uid }) => nodeName === node && !known.has(uid))
  if (hidden.length > 0) {
    return fault('PodListLacksPods', { ...listed, pods: namesOf(hidden.map(labelOf)) })
  }
  return all.value.length === 0 ? fault('AllPodsListEmpty', listed) : null
}

/** Proves that each counted pod left, by the drain or by reading it: absence from a list proves nothing. Pods that stay must be in the list. */
export async function provePodsGone(
  node: string,
  staying: readonly Pod[],
  ctx: MaintenanceContext,
): Promise<PodsProof> {
  const counted = ctx.counted()
  const gone = new Set(ctx.history().flatMap(({ fact, values }) => (fact === POD_LEFT ? [values.uid] : [])))
  const leaving = counted.filter(({ kind, id }) => kind === LEAVING && !gone.has(id))
  const stayed = staying.length > 0 ? [] : counted.filter(({ kind }) => kind === STAYING)
  const doubtful = [...(await notInWholeList(node, leaving, ctx)), ...stayed]
  const looks = await mapLimited(doubtful, LOOKS_AT_ONCE, async thing => ({
    thing,
    there: await isThere(node, thing, ctx),
  }))
  const there = looks.filter(look => look.there === true)
  const left = there.filter(({ thing }) => thing.kind === LEAVING).map(({ thing }) => thing.name)
  const hidden = there.filter(({ thing }) => thing.kind === STAYING).map(({ thing }) => thing.name)
  const unread = looks.flatMap(({ thing, there }) => (typeof there === 'boolean' ? [] : [{ thing, there }]))[0]
  if (hidden.length > 0) return { left, unreported: fault('PodListEmpty', { node, pods: namesOf(hidden) }) }
  if (unread !== undefined) {
    return { left, unreported: fault('PodNotRead', { pod: unread.thing.name, cause: unread.there }) }
  }
  return { left, unreported: await whyNotWhole(node, staying, ctx) }
}

/** The second list counts only if it shows that it covers the node. */
async function notInWholeList(
  node: string,
  leaving: readonly Counted[],
  { world, signal }: MaintenanceContext,
): Promise<readonly Counted[]> {
  if (leaving.length <= ASKED_ONE_BY_ONE) return leaving
  const all = await world.kubernetes.listPods(null, signal)
  const here = all.ok ? all.value.filter(({ nodeName }) => nodeName === node) : []
  return here.length === 0 ? leaving : leaving.filter(({ id }) => here.some(({ uid }) => uid === id))
}

/** Whether the pod is on the node; null if the plan does not say where the pod is. */
async function isThere(
  node: string,
  { id, values }: Counted,
  { world, signal }: MaintenanceContext,
): Promise<boolean | string | null> {
  const { namespace, pod } = values
  if (typeof namespace !== 'string' || typeof pod !== 'string') return null
  const read = await world.kubernetes.getPod(namespace, pod, signal)
  if (!read.ok) return read.failure.code === 'not-found' ? false : read.failure.message
  return read.value.uid === id && read.value.nodeName === node
}

function labelOf({ namespace, name }: Pod): string {
  return `${namespace}/${name}`
}
