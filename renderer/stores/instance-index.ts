import type { InstanceView, ViewChange } from '../../shared/domain/cluster-view.ts'

type Instances = ReadonlyMap<string, InstanceView>

/** The instances of a picture by node and by server group. A list is replaced only when one of its instances changed. */
interface InstanceIndex {
  readonly on: ReadonlyMap<string, readonly InstanceView[]>
  readonly inGroup: ReadonlyMap<string, readonly InstanceView[]>
}

const indexes = new WeakMap<Instances, InstanceIndex>()

export function indexOf(instances: Instances): InstanceIndex {
  const known = indexes.get(instances)
  if (known !== undefined) return known
  const on = new Map<string, InstanceView[]>()
  const inGroup = new Map<string, InstanceView[]>()
  for (const view of instances.values()) {
    if (view.node !== null) putLast(on, view.node, view)
    for (const { id } of view.groups ?? []) putLast(inGroup, id, view)
  }
  const index = { on, inGroup }
  indexes.set(instances, index)
  return index
}

/** Makes the index of the instances after some changes from the index before, if there is one: they are too many to be read for each. */
export function carryIndex(before: Instances, after: Instances, changes: readonly ViewChange[]): void {
  const known = indexes.get(before)
  if (known === undefined || after === before) return
  const on = new Map(known.on)
  const inGroup = new Map(known.inGroup)
  const ids = changes.flatMap(change =>
    change.kind === 'instance' ? [change.value.id] : change.kind === 'instance-gone' ? [change.id] : [],
  )
  for (const id of new Set(ids)) {
    const [old, now] = [before.get(id) ?? null, after.get(id) ?? null]
    exchange(on, nodesOf(old), nodesOf(now), old, now)
    exchange(inGroup, groupsOf(old), groupsOf(now), old, now)
  }
  indexes.set(after, { on, inGroup })
}

function exchange(
  lists: Map<string, readonly InstanceView[]>,
  left: readonly string[],
  reached: readonly string[],
  old: InstanceView | null,
  now: InstanceView | null,
): void {
  for (const key of left) {
    const list = lists.get(key) ?? []
    if (now !== null && reached.includes(key)) {
      lists.set(
        key,
        list.map(view => (view === old ? now : view)),
      )
    } else if (list.length > 1)
      lists.set(
        key,
        list.filter(view => view !== old),
      )
    else lists.delete(key)
  }
  for (const key of reached) if (now !== null && !left.includes(key)) lists.set(key, [...(lists.get(key) ?? []), now])
}

function nodesOf(view: InstanceView | null): readonly string[] {
  return view === null || view.node === null ? [] : [view.node]
}

function groupsOf(view: InstanceView | null): readonly string[] {
  return (view?.groups ?? []).map(({ id }) => id)
}

function putLast(lists: Map<string, InstanceView[]>, key: string, view: InstanceView): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [view])
  else list.push(view)
}
