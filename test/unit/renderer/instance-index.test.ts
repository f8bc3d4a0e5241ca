import { describe, expect, it } from 'vitest'
import { carryIndex, indexOf } from '../../../renderer/stores/instance-index.ts'
import type { InstanceView, ViewChange } from '../../../shared/domain/cluster-view.ts'

function instance(id: string, node: string | null, groups: readonly string[] = []): InstanceView {
  return { id, node, groups: groups.map(group => ({ id: group, policy: 'anti-affinity' })) } as unknown as InstanceView
}

/** What the index says, without the order within a list. */
function saidBy(instances: ReadonlyMap<string, InstanceView>) {
  const { on, inGroup } = indexOf(instances)
  const plain = (lists: ReadonlyMap<string, readonly InstanceView[]>) =>
    [...lists].map(([key, list]) => [key, list.toSorted((a, b) => (a.id < b.id ? -1 : 1))]).toSorted()
  return { on: plain(on), inGroup: plain(inGroup) }
}

const BEFORE = new Map(
  [
    instance('a', 'n1', ['g1']),
    instance('b', 'n1', ['g1', 'g2']),
    instance('c', 'n2'),
    instance('d', null, ['g2']),
  ].map(view => [view.id, view]),
)

/** The instances after the changes, with an index that was carried over. */
function carried(changes: readonly ViewChange[]): ReadonlyMap<string, InstanceView> {
  indexOf(BEFORE)
  const after = new Map(BEFORE)
  for (const change of changes) {
    if (change.kind === 'instance') after.set(change.value.id, change.value)
    if (change.kind === 'instance-gone') after.delete(change.id)
  }
  carryIndex(BEFORE, after, changes)
  return after
}

const put = (value: InstanceView): ViewChange => ({ kind: 'instance', value })

describe('The index of instances', () => {
  it.each<readonly [string, readonly ViewChange[]]>([
    ['a changed instance', [put(instance('a', 'n1', ['g1']))]],
    ['a move', [put(instance('a', 'n2', ['g1']))]],
    ['a new instance', [put(instance('e', 'n3', ['g3']))]],
    ['the last instance of a node leaving', [{ kind: 'instance-gone', id: 'c' }]],
    ['an instance whose node becomes known', [put(instance('d', 'n1', ['g2']))]],
    ['an instance leaving its group', [put(instance('b', 'n1', ['g2']))]],
    ['one that comes and goes at once', [put(instance('e', 'n1')), { kind: 'instance-gone', id: 'e' }]],
    ['one that goes and comes back', [{ kind: 'instance-gone', id: 'a' }, put(instance('a', 'n2'))]],
  ])('after %s equals a new one', (_, changes) => {
    const after = carried(changes)
    expect(saidBy(after)).toEqual(saidBy(new Map(after)))
  })

  it('keeps the lists of nodes and groups in which nothing changed, and replaces the others', () => {
    const [before, now] = [indexOf(BEFORE), indexOf(carried([put(instance('a', 'n1', ['g1']))]))]
    expect(now.on.get('n2')).toBe(before.on.get('n2'))
    expect(now.inGroup.get('g2')).toBe(before.inGroup.get('g2'))
    expect(now.on.get('n1')).not.toBe(before.on.get('n1'))
    expect(now.inGroup.get('g1')).not.toBe(before.inGroup.get('g1'))
  })
})
