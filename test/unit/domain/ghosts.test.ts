import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeMoves } from '../../../shared/domain/ghosts.ts'
import { instanceView, nodeView } from '../../fixtures/renderer/views.ts'

const flavor = (ramMib: number, vcpus = 1) => ({ name: 'f', vcpus, ramMib, diskGib: 1, ephemeralGib: 0 })
const free = (ramMib: number, vcpus = 100) => ({
  vcpusUsed: 0,
  vcpusTotal: vcpus,
  ramUsedMib: 0,
  ramTotalMib: ramMib,
})
const host = (name: string, more: Parameters<typeof nodeView>[1] = {}) => nodeView(name, { load: free(1000), ...more })
const mover = (id: string, ramMib = 100, more: Parameters<typeof instanceView>[1] = {}) =>
  instanceView(id, { flavor: flavor(ramMib), ...more })

const ghostsOf = (
  nodes: Parameters<typeof judgeMoves>[0],
  instances: Parameters<typeof judgeMoves>[1],
  leaving: readonly string[],
) => judgeMoves(nodes, instances).ghosts(leaving)

describe('where instances may go when nodes leave service', () => {
  test('is where most memory is free, the largest first', () => {
    const nodes = [host('cmp-01'), host('cmp-02', { load: free(500) }), host('cmp-03', { load: free(450) })]
    const { to } = ghostsOf(nodes, [mover('a', 100), mover('b', 400)], ['cmp-01'])
    expect([...to]).toEqual([
      ['cmp-02', ['b']],
      ['cmp-03', ['a']],
    ])
  })

  test.each([
    ['leaves too', {}, ['cmp-01', 'cmp-02']],
    ['is in maintenance', { state: 'maintenance' as const }, ['cmp-01']],
    [
      'has its compute service disabled',
      { computeService: { status: 'disabled' as const, state: 'up' as const, disabledReason: null } },
      ['cmp-01'],
    ],
    [
      'has its compute service down',
      { computeService: { status: 'enabled' as const, state: 'down' as const, disabledReason: null } },
      ['cmp-01'],
    ],
    ['is of another zone than it has to stay in', { zone: 'az2' }, ['cmp-01']],
    ['has not enough memory', { load: free(50) }, ['cmp-01']],
    ['has not enough vCPUs', { load: free(1000, 0) }, ['cmp-01']],
  ])('is not a node that %s', (_, more, leaving) => {
    expect(ghostsOf([host('cmp-01'), host('cmp-02', more)], [mover('a', 100, { pinnedZone: 'az1' })], leaving)).toEqual(
      {
        to: new Map(),
        stuck: new Map([['a', 'room']]),
        moving: 0,
        unknown: 0,
      },
    )
  })

  test('is unknown where the size of an instance or the room of a host is unknown', () => {
    const nodes = [host('cmp-01'), host('cmp-02', { load: null })]
    expect(ghostsOf(nodes, [mover('a'), mover('b', 1, { flavor: null })], ['cmp-01'])).toMatchObject({
      stuck: new Map(),
      unknown: 2,
    })
  })

  test.each([
    ['both beside each other, where they are', 'affinity', ['cmp-01', 'cmp-01'], ['a', 'b']],
    ['beside one that is elsewhere', 'affinity', ['cmp-01', 'cmp-02'], []],
    ['apart from one that is on the only host left', 'anti-affinity', ['cmp-01', 'cmp-02'], ['a']],
    ['apart, with one host left for both', 'anti-affinity', ['cmp-01', 'cmp-01'], ['b']],
  ] as const)('is where the server group allows: %s', (_, policy, [first, second], kept) => {
    const groups = [{ id: 'g', policy }]
    const pair = [mover('a', 10, { node: first, groups }), mover('b', 10, { node: second, groups })]
    expect(ghostsOf([host('cmp-01'), host('cmp-02')], pair, ['cmp-01']).stuck).toEqual(
      new Map(kept.map(id => [id, 'group'])),
    )
  })

  test('is asked of those alone that move, and of the nodes that leave', () => {
    const others = [
      mover('a', 1, { action: 'notify' }),
      mover('b', 1, { action: 'ignore' }),
      mover('c', 1, { node: 'cmp-02' }),
    ]
    expect(ghostsOf([host('cmp-01'), host('cmp-02')], others, ['cmp-01'])).toMatchObject({ moving: 0, to: new Map() })
  })

  test('never takes more than a host has, and every mover is counted once', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 30 })
    fc.assert(
      fc.property(sizes, sizes, (movers, hosts) => {
        const nodes = [host('gone'), ...hosts.map((ramMib, at) => host(`h-${at}`, { load: free(ramMib) }))]
        const instances = movers.map((ramMib, at) => mover(`${at}`, ramMib, { node: 'gone' }))
        const { to, moving, stuck, unknown } = ghostsOf(nodes, instances, ['gone'])
        const placed = [...to.values()].flat().length
        expect(placed + unknown).toBe(moving)
        expect(moving + stuck.size).toBe(movers.length)
        const smallest = Math.min(...movers)
        for (const [name, ids] of to) {
          expect(ids.length * smallest).toBeLessThanOrEqual(hosts[Number(name.slice(2))] ?? 0)
        }
      }),
    )
  })
})

describe('an instance alone', () => {
  const [here, there] = [host('cmp-01'), host('cmp-02')]
  const why = (
    instance: ReturnType<typeof mover>,
    nodes = [here, there],
    others: readonly ReturnType<typeof mover>[] = [],
  ) => judgeMoves(nodes, [instance, ...others]).whyStuck(instance)

  test('has a destination where another node of its zone has room, or nobody knows', () => {
    expect(why(mover('a'))).toBeNull()
    expect(why(mover('a', 5000), [here, host('cmp-02', { load: null })])).toBeNull()
    expect(why(mover('a', 5000))).toBe('room')
    expect(why(mover('a', 1, { pinnedZone: 'az9' }))).toBe('room')
    expect(why(mover('a'), [here])).toBe('room')
  })

  test('is kept by a rule of its group, not by room', () => {
    const groups = [{ id: 'g', policy: 'anti-affinity' as const }]
    const other = mover('b', 1, { node: 'cmp-02', groups })
    expect(why(mover('a', 1, { groups }), [here, there], [other])).toBe('group')
    expect(why(mover('a', 1, { groups }), [here, there, host('cmp-03')], [other])).toBeNull()
  })
})
