import type { Pod, PodDecision } from '../../../../shared/domain/kubernetes.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { Counted } from '../../../../shared/domain/plan.ts'
import { POD_LEFT } from '../../../../shared/domain/run-facts.ts'
import { type Fault, fault } from '../../../../shared/words/step-texts.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceContext } from '../../node-input.ts'

const LEAVING = 'pod-leaving'
const STAYING = 'pod-staying'

const LOOKS_AT_ONCE = 4

/** Beyond so many pods a second list is read first, by another way, and only those are asked for that it does not settle. */
const ASKED_ONE_BY_ONE = 24

/** What a look at counted pods came to; both empty: each is proved to have left the node. */
interface PodsProof {
  /** Pods that are on the node still, though its list does not show them. */
  readonly left: readonly string[]
  /** Why it cannot be told; null: it can. */
  readonly unreported: Fault | null
}

/** The pods of a node as the drain's check counts them. */
export function countedPods(decisions: readonly PodDecision[]): readonly Counted[] {
  return decisions.map(({ pod: { namespace, name, uid }, fate }) => ({
    kind: fate === 'keep' ? STAYING : LEAVING,
    id: uid,
    name: `${namespace}/${name}`,
    values: { namespace, pod: name },
  }))
}

/**
 * Why a list of a node's pods may not be believed to be whole; null: the list of all pods has no other there. That is another question to the API
 * server than the list of one node, and it is empty in no cluster.
 */
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

/**
 * Proves of each pod that was counted that it is not on the node any more: by what the drain saw of it, or by asking for that very pod, since a
 * list that does not show it proves nothing. A UID never comes back, so that what left once is settled. Where `staying` is empty, those that
 * were to stay are asked for too: a list without even them is no list. What nobody counted is found by the list of all pods.
 */
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

/** Those that a second list leaves open; it is believed only where it shows that it sees the node. */
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

/** Whether that very pod is on the node; the reason, where it could not be read; null: the plan does not say where it is. */
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
