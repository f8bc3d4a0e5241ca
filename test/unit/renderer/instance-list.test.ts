import { describe, expect, test } from 'vitest'
import { INSTANCE_COLUMNS, type InstanceColumn, NO_INSTANCE_FILTER } from '../../../renderer/stores/instance-lists.ts'
import { previewMode, previewWords } from '../../../renderer/ui/instances/host-mode-preview.tsx'
import { hiddenIn } from '../../../renderer/ui/instances/instance-columns.ts'
import { choicesOf, inOrder, naturalKey, shownOf } from '../../../renderer/ui/instances/instance-order.ts'
import { rangeBetween, rowAfter, toggled } from '../../../renderer/ui/instances/selection-moves.ts'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { flavorWords, oddities } from '../../../shared/words/instances.ts'
import { instanceView } from '../../fixtures/renderer/views.ts'

const PROJECTS = new Map([['p-1', 'shop']])
const NAMES = { projects: PROJECTS, refused: new Set<string>() }

function mapOf(...instances: readonly InstanceView[]): ReadonlyMap<string, InstanceView> {
  return new Map(instances.map(instance => [instance.id, instance]))
}

function sorted(instances: ReadonlyMap<string, InstanceView>, by: InstanceColumn, descending = false) {
  return inOrder(instances, [], { by, descending }, PROJECTS).map(({ name }) => name)
}

describe('order', () => {
  const three = mapOf(
    instanceView('a', { name: 'vm-10', action: 'live_migrate' }),
    instanceView('b', { name: 'vm-2', action: 'blocked' }),
    instanceView('c', { name: 'VM-1', action: 'notify' }),
  )
  test('names with numbers are ordered as people count', () => {
    expect(sorted(three, 'name')).toEqual(['VM-1', 'vm-2', 'vm-10'])
    expect(sorted(three, 'name', true)).toEqual(['vm-10', 'vm-2', 'VM-1'])
  })
  test('what blocks comes first by action', () => expect(sorted(three, 'action')).toEqual(['vm-2', 'VM-1', 'vm-10']))
  test('numbers of any length and leading zeros compare by value', () => {
    expect(naturalKey('vm-007') === naturalKey('vm-7')).toBe(true)
    expect(naturalKey('vm-99999') < naturalKey('vm-100000')).toBe(true)
  })
  test('from the last order, what went is left out, what came is put in its place, what changed is the new one', () => {
    const last = inOrder(three, [], { by: 'name', descending: false }, PROJECTS)
    const next = mapOf(
      instanceView('a', { name: 'vm-0', action: 'poweroff' }),
      instanceView('b', { name: 'vm-2' }),
      instanceView('d', { name: 'vm-1' }),
    )
    const rows = inOrder(next, last, { by: 'name', descending: false }, PROJECTS)
    expect(rows.map(({ name }) => name)).toEqual(['vm-0', 'vm-1', 'vm-2'])
    expect(rows[0]?.action).toBe('poweroff')
  })
})

describe('filter', () => {
  const ordered = [
    instanceView('a', { name: 'web', projectId: 'p-1', node: 'cmp-1', host: 'cmp-1', action: 'live_migrate' }),
    instanceView('b', {
      name: 'db',
      projectId: 'p-2',
      node: 'cmp-1',
      host: 'cmp-1',
      action: 'notify',
      warnings: ['odd'],
    }),
    instanceView('c', { name: 'mq', projectId: 'p-1', node: null, host: 'gone-1', marks: ['notify', 'poweroff'] }),
  ]
  const idsOf = (filter: Partial<typeof NO_INSTANCE_FILTER>, node: string | null = null, names = NAMES) =>
    shownOf(ordered, node, { ...NO_INSTANCE_FILTER, ...filter }, names).rows.map(({ id }) => id)

  test.each([
    ['a name', 'WEB', ['a']],
    ['a project by its name', 'shop', ['a', 'c']],
    ['a host that is not a node', 'gone', ['c']],
    ['nothing that occurs', 'xyz', []],
  ])('text finds %s', (_what, text, ids) => expect(idsOf({ text })).toEqual(ids))

  test('a node narrows before everything else', () => expect(idsOf({ project: 'p-1' }, 'cmp-1')).toEqual(['a']))
  test('an instance whose host is not a node is odd, like one with warnings', () =>
    expect(idsOf({ odd: 'warnings' })).toEqual(['b', 'c']))
  test('a filter finds several marks', () => expect(idsOf({ odd: 'several-marks' })).toEqual(['c']))
  test('a filter finds refused edits', () =>
    expect(idsOf({ odd: 'refused' }, null, { ...NAMES, refused: new Set(['b']) })).toEqual(['b']))
  test('counts by action do not depend on which actions are chosen', () => {
    const filter = { ...NO_INSTANCE_FILTER, actions: ['notify' as const] }
    const { rows, counts, total, hasNotes } = shownOf(ordered, null, filter, NAMES)
    expect(rows.map(({ id }) => id)).toEqual(['b'])
    expect(counts).toEqual({ live_migrate: 2, migrating: 0, poweroff: 0, notify: 1, ignore: 0, blocked: 0 })
    expect(total).toBe(3)
    expect(hasNotes).toBe(true)
  })
  test('no note is counted where nothing is odd and no edit was refused', () => {
    const plain = [instanceView('a', { name: 'web' })]
    const refused = { ...NAMES, refused: new Set(['a']) }
    expect(shownOf(plain, null, NO_INSTANCE_FILTER, NAMES).hasNotes).toBe(false)
    expect(shownOf(plain, null, NO_INSTANCE_FILTER, refused).hasNotes).toBe(true)
  })
  test('the choices are what occurs, projects by name', () => {
    const choices = choicesOf(new Map(ordered.map(one => [one.id, one])), null, PROJECTS)
    expect(choices.project).toEqual([
      { value: 'p-2', text: 'p-2' },
      { value: 'p-1', text: 'shop' },
    ])
    expect(choices.host.map(({ value }) => value)).toEqual(['cmp-1', 'gone-1'])
  })
})

describe('columns', () => {
  const shown = (widthPx: number, chosen: ReadonlySet<InstanceColumn> | null = null) => {
    const hidden = hiddenIn(widthPx, new Set<InstanceColumn>(['notes']), chosen)
    return INSTANCE_COLUMNS.filter(column => !hidden.has(column))
  }
  test('the mode is shown in every width; the rest follows as it finds room', () => {
    expect(shown(400)).toEqual(['name', 'mark'])
    expect(shown(600)).toEqual(['name', 'action', 'mark'])
    expect(shown(844)).toEqual(['name', 'action', 'mark', 'node', 'status', 'flavor'])
    expect(shown(1800)).toEqual(INSTANCE_COLUMNS.filter(column => column !== 'notes'))
  })
  test("the operator's choice holds where there is room for a table", () => {
    const chosen = new Set<InstanceColumn>(['id'])
    expect(shown(1000, chosen)).toContain('notes')
    expect(shown(400, chosen)).toEqual(['name', 'mark'])
  })
})

describe('selection', () => {
  const ids = ['a', 'b', 'c', 'd']
  test('a range goes either way and takes both ends', () => {
    expect(rangeBetween(ids, 'c', 'a')).toEqual(['a', 'b', 'c'])
    expect(rangeBetween(ids, 'b', 'd')).toEqual(['b', 'c', 'd'])
  })
  test('a range from a row that is gone is the row itself', () => expect(rangeBetween(ids, 'x', 'b')).toEqual(['b']))
  test('a row is taken in and out', () => {
    expect([...toggled(new Set(['a']), 'b')]).toEqual(['a', 'b'])
    expect([...toggled(new Set(['a']), 'a')]).toEqual([])
  })
  test.each([
    ['ArrowDown', 3, 3],
    ['ArrowDown', -1, 0],
    ['ArrowUp', 0, 0],
    ['PageDown', 0, 2],
    ['PageUp', 1, 0],
    ['End', 0, 3],
    ['x', 0, null],
  ])('%s from row %i goes to %s', (key, at, to) => expect(rowAfter(key, at, 4, 2)).toBe(to))
})

describe('preview of a mode', () => {
  const active = { vmState: 'active', status: 'ACTIVE', powerState: 1, taskState: null }
  const instances = [
    instanceView('a', { ...active, marks: [], action: 'live_migrate' }),
    instanceView('b', { ...active, marks: ['poweroff'], action: 'poweroff' }),
    instanceView('c', { ...active, vmState: 'stopped', powerState: 4, status: 'SHUTOFF', marks: [], action: 'ignore' }),
    instanceView('d', { ...active, marks: ['notify', 'poweroff'], action: 'live_migrate' }),
  ]
  test('marks and states decide first: only those that follow the host change', () =>
    expect(previewMode(instances, 'skip')).toEqual({
      total: 4,
      changes: [{ from: 'live_migrate', to: 'poweroff', count: 2 }],
    }))
  test('one that migrates keeps migrating, whatever the mode', () => {
    const under = instanceView('e', { ...active, taskState: 'migrating', status: 'MIGRATING', action: 'migrating' })
    expect(previewMode([under], 'skip')).toEqual({ total: 1, changes: [] })
  })
  test('not set is live', () => expect(previewMode(instances, null).changes).toEqual([]))
  test('it says how many of how many, and from what to what', () =>
    expect(previewWords(previewMode(instances, 'manual'), 'manual')).toBe(
      '“Wait for owner” changes 2 of 4 instances: 2 “Waits for owner” instead of “Moves”.',
    ))
})

describe('words', () => {
  test('an unknown flavor is a question mark, never zeros', () => expect(flavorWords(null)).toBe('?'))
  test('ephemeral disk is shown beside the root disk', () =>
    expect(flavorWords({ name: 'm', vcpus: 4, ramMib: 1536, diskGib: 40, ephemeralGib: 10 })).toBe(
      '4 vCPU, 1.5 GiB, disk 40 + 10 GiB',
    ))
  test('a host that is not a node is named', () =>
    expect(oddities(instanceView('a', { host: 'h-9', node: null }))).toEqual([
      'its host h-9 is not a node of this cloud',
    ]))
})
