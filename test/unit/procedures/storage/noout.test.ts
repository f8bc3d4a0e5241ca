import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StopStepping } from '../../../../main/runs/engine/step.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { type CephKind, storageWorld } from '../../../fixtures/procedures/storage-world.ts'

const KINDS: readonly CephKind[] = ['rook', 'old', 'microceph']
/** Several nodes at a time need a Ceph that would not let a second go: the operator forces it. */
const FORCE = { overrides: [{ flag: 'force' as const, reason: 'a test' }] }

describe('noout goes to the node that needs it (seed 004, storage role)', () => {
  test.each([
    ['rook', ['osd set-group noout st-1'], ['st-1']],
    ['old', ['osd set noout'], ['st-1', 'st-2', 'st-3', 'st-4']],
    ['microceph', ['microceph enter st-1'], ['st-1', 'st-2', 'st-3', 'st-4']],
  ] as const)('%s: by host where Ceph can, else everywhere', async (kind, changes, covered) => {
    const world = storageWorld(kind)
    expect(await world.walk('enter', 'st-1')).toBe(null)
    expect(world.changes).toEqual(changes)
    expect(await world.protectedHosts()).toEqual(covered)
    expect(await world.walk('leave', 'st-1')).toBe(null)
    expect(await world.protectedHosts()).toEqual([])
  })

  test('it is not planned where the operator lets Ceph rebalance', async () => {
    const world = storageWorld()
    expect(await world.walk('enter', 'st-1', { options: { crushRebalancing: true } })).toBe(null)
    expect(world.changes).toEqual([])
  })

  test('verify fails when somebody removed it, and when nothing notes who needs it', async () => {
    const world = storageWorld('microceph')
    await world.walk('enter', 'st-1')
    await world.port.setNoout({ kind: 'cluster' }, false)
    expect(await world.verify('set-noout', 'st-1')).toMatch(/^fails: noout does not protect OSDs 0, 1/)
    await world.port.setNoout({ kind: 'cluster' }, true)
    expect(await world.verify('set-noout', 'st-1')).toMatch(/^holds/)
    world.fake.nodes = world.fake.nodes.map(node => ({ ...node, annotations: {} }))
    expect(await world.verify('set-noout', 'st-1')).toMatch(
      /fails: noout is set, but st-1 has no note that it needs it:/,
    )
  })

  test('MicroCeph looks again before it acts: what it refuses fails the step in its words, and leaves no note behind', async () => {
    const world = storageWorld('microceph')
    world.setHostUp('st-2', false)
    const answer = await world.apply('set-noout', 'st-1')
    expect(answer).toMatchObject({
      kind: 'failed',
      failure: { code: 'conflict', message: expect.stringContaining('cannot be safely stopped') },
    })
    expect(await world.protectedHosts()).toEqual([])
    expect(world.fake.nodes.flatMap(node => Object.keys(node.annotations))).toEqual([])
  })

  test('after a leave, verify sees a flag of the host that came back, and one of all of Ceph that is missing or not needed', async () => {
    const rook = storageWorld('rook')
    await rook.walk('enter', 'st-1')
    expect(await rook.verify('unset-noout', 'st-1')).toBe('fails: noout is still set for host st-1.')
    await rook.walk('leave', 'st-1')
    expect(await rook.verify('unset-noout', 'st-1')).toMatch(/^holds/)

    const micro = storageWorld('microceph')
    const options = FORCE
    await micro.walk('enter', 'st-1', { options })
    await micro.walk('enter', 'st-2', { options })
    expect(await micro.verify('unset-noout', 'st-1')).toBe('fails: st-1 still has a note that it needs noout.')
    await micro.walk('leave', 'st-1', { options })
    expect(await micro.verify('unset-noout', 'st-1')).toBe(
      'holds: noout stays set for all of Ceph: st-2 is in maintenance.',
    )
    await micro.port.setNoout({ kind: 'cluster' }, false)
    expect(await micro.verify('unset-noout', 'st-1')).toBe(
      'fails: noout is no longer set for all of Ceph, although st-2 is in maintenance.',
    )
    await micro.walk('leave', 'st-2', { options })
    await micro.port.setNoout({ kind: 'cluster' }, true)
    expect(await micro.verify('unset-noout', 'st-2')).toBe(
      'fails: noout is still set for all of Ceph, although no node needs it.',
    )
  })

  test('a flag that somebody else set for all of Rook is kept, and the host gets its own beside it', async () => {
    const world = storageWorld('rook')
    await world.port.setNoout({ kind: 'cluster' }, true)
    expect(await world.walk('enter', 'st-1')).toBe(null)
    await world.port.setNoout({ kind: 'cluster' }, false)
    expect(await world.protectedHosts()).toEqual(['st-1'])
    await world.port.setNoout({ kind: 'cluster' }, true)
    expect(await world.walk('leave', 'st-1')).toBe(null)
    expect(await world.protectedHosts()).toHaveLength(4)
    await world.port.setNoout({ kind: 'cluster' }, false)
    expect(await world.protectedHosts()).toEqual([])
  })
})

describe('a machine outside of Kubernetes keeps noout by its Lease', () => {
  const options = { ...FORCE, stopOsds: true, waitForClean: false }
  const notes = (world: ReturnType<typeof storageWorld>) => [
    ...world.fake.nodes.flatMap(node => Object.keys(node.annotations)),
    ...[...world.fake.leases.values()].flatMap(lease => Object.keys(lease)),
  ]

  test.each([
    ['st-1', 'st-4'],
    ['st-4', 'st-1'],
    ['st-3', 'st-4'],
  ])('first %s leaves, then %s', async (first, second) => {
    const world = storageWorld('microceph', { outside: ['st-3', 'st-4'] })
    expect(await world.walk('enter', first, { options })).toBe(null)
    expect(await world.walk('enter', second, { options: { ...options, stopOsds: false }, runId: 'run-2' })).toBe(null)
    expect(await world.walk('leave', first, { options })).toBe(null)
    expect(await world.protectedHosts()).toContain(second)
    expect(await world.verify('set-noout', second)).toMatch(/^holds/)
    expect(await world.verify('unset-noout', first)).toContain(`${second} is in maintenance`)
    expect(await world.walk('leave', second, { options })).toBe(null)
    expect(await world.protectedHosts()).toEqual([])
    expect(notes(world)).toEqual([])
  })

  test('while it is in maintenance its OSDs count as gone for every other node, although they are up', async () => {
    const world = storageWorld('microceph', { outside: ['st-4'] })
    expect(await world.check('osds-ok-to-stop', 'st-1')).toMatchObject({ kind: 'ready' })
    await world.walk('enter', 'st-4')
    const why = 'st-4 (in maintenance: run run-1 keeps noout for it)'
    expect(await world.check('osds-ok-to-stop', 'st-1')).toMatchObject({
      blockers: [{ code: 'OsdsNotOkToStop', message: expect.stringContaining(`st-1 and ${why}`) }],
    })
    expect(await world.check('other-nodes-in-maintenance', 'st-1')).toMatchObject({
      warnings: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining('st-4 (run run-1 keeps noout for it)') }),
      ]),
    })
    Object.assign(world.fake.port.kubernetes, {
      getLeaseAnnotations: async () => failed(failure('unreachable', 'Silent.')),
    })
    expect(await world.check('osds-ok-to-stop', 'st-1')).toMatchObject({ blockers: [{ code: 'NotRead' }] })
    expect(await world.check('other-nodes-in-maintenance', 'st-1')).toMatchObject({
      warnings: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining('Cannot tell whether a machine') }),
      ]),
    })
  })

  test('a Lease that cannot be read is not one without a note: nothing is removed', async () => {
    const world = storageWorld('microceph', { outside: ['st-4'] })
    await world.walk('enter', 'st-4', { options: FORCE })
    await world.walk('enter', 'st-1', { options: FORCE })
    const { kubernetes } = world.fake.port
    const torn = failed(failure('unreadable', 'A login page.'))
    Object.assign(kubernetes, { getLeaseAnnotations: async () => torn })
    expect(await world.check('unset-noout', 'st-1')).toMatchObject({ blockers: [{ code: 'NotRead' }] })
    expect(await world.apply('unset-noout', 'st-1')).toMatchObject({ kind: 'failed', failure: { code: 'unreadable' } })
    expect(await world.protectedHosts()).toHaveLength(4)
  })

  test('one without a Lease is not noted, and noout is not set for it', async () => {
    const world = storageWorld('microceph', { outside: ['st-4'] })
    world.fake.leases = new Map()
    expect(await world.apply('set-noout', 'st-4')).toMatchObject({ kind: 'failed', failure: { code: 'not-found' } })
    expect(await world.protectedHosts()).toEqual([])
  })
})

describe.each(KINDS)('%s: two nodes with noout, left in either order', kind => {
  test.each([
    ['st-1', 'st-2'],
    ['st-2', 'st-1'],
  ])('first %s, then %s', async (first, second) => {
    const world = storageWorld(kind)
    const options = { ...FORCE, stopOsds: true, waitForClean: false }
    expect(await world.walk('enter', 'st-1', { options })).toBe(null)
    expect(await world.walk('enter', 'st-2', { options, runId: 'run-2' })).toBe(null)
    expect(await world.walk('leave', first, { options })).toBe(null)
    expect(await world.protectedHosts()).toContain(second)
    expect(await world.verify('set-noout', second)).toMatch(/^holds/)
    await world.pass(3_600_000)
    expect(world.ceph.osds().every(osd => osd.in)).toBe(true)
    expect(await world.walk('leave', second, { options })).toBe(null)
    expect(await world.protectedHosts()).toEqual([])
    expect(world.fake.nodes.flatMap(node => Object.keys(node.annotations))).toEqual([])
  })

  test('both left at the same time', async () => {
    const world = storageWorld(kind)
    const options = { ...FORCE, waitForClean: false }
    await world.walk('enter', 'st-1', { options })
    await world.walk('enter', 'st-2', { options })
    await Promise.all(['st-1', 'st-2'].map(node => world.walk('leave', node, { options })))
    expect(await world.protectedHosts()).toEqual([])
    expect(await world.verify('unset-noout', 'st-1')).toMatch(/^holds/)
  })

  test('in any order of enters and leaves, noout covers every node in maintenance and is gone when none is', async () => {
    const orders = fc.array(fc.record({ node: fc.constantFrom('st-1', 'st-2', 'st-3'), stop: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(orders, async order => {
        const world = storageWorld(kind)
        const inside = new Set<string>()
        for (const { node, stop } of order) {
          const options = { ...FORCE, stopOsds: stop, waitForClean: false }
          const way = inside.has(node) ? 'leave' : 'enter'
          expect(await world.walk(way, node, { options })).toBe(null)
          if (way === 'enter') inside.add(node)
          else inside.delete(node)
          const covered = await world.protectedHosts()
          for (const each of inside) expect(covered).toContain(each)
          if (inside.size === 0) expect(covered).toEqual([])
        }
      }),
      { numRuns: 25 },
    )
  })

  test('an enter that is killed before any of its effects leaves nothing behind that a leave does not clear', async () => {
    for (let killedAt = 1; killedAt <= 4; killedAt += 1) {
      const world = storageWorld(kind)
      let announced = 0
      const onAnnounce = () => {
        announced += 1
        if (announced === killedAt) throw new StopStepping('killed')
      }
      await world.walk('enter', 'st-1', { options: { stopOsds: true }, onAnnounce }).catch(() => 'killed')
      expect(await world.walk('leave', 'st-1')).toBe(null)
      expect(await world.protectedHosts()).toEqual([])
      expect(world.fake.nodes.flatMap(node => Object.keys(node.annotations))).toEqual([])
    }
  })

  test('a leave that is killed before any of its effects is finished by the next, and no other node loses noout', async () => {
    for (let killedAt = 1; killedAt <= 8; killedAt += 1) {
      const world = storageWorld(kind)
      const options = { ...FORCE, stopOsds: true, waitForClean: false }
      await world.walk('enter', 'st-1', { options })
      await world.walk('enter', 'st-2', { options })
      let announced = 0
      const onAnnounce = () => {
        announced += 1
        if (announced === killedAt) throw new StopStepping('killed')
      }
      await world.walk('leave', 'st-1', { options, onAnnounce }).catch(() => 'killed')
      expect(await world.walk('leave', 'st-1', { options })).toBe(null)
      expect(await world.protectedHosts()).toContain('st-2')
      expect(await world.walk('leave', 'st-2', { options })).toBe(null)
      expect(await world.protectedHosts()).toEqual([])
    }
  })
})

describe('who needs noout of all of Ceph', () => {
  test('a host that is away as a whole keeps it, though nothing notes it; one broken disk does not', async () => {
    const away = storageWorld('microceph')
    await away.walk('enter', 'st-1')
    away.setHostUp('st-3', false)
    expect(await away.walk('leave', 'st-1', { options: { waitForClean: false } })).toBe(null)
    expect(await away.protectedHosts()).toHaveLength(4)

    const broken = storageWorld('microceph')
    await broken.walk('enter', 'st-1')
    broken.ceph.setOsdUp(5, false)
    expect(await broken.walk('leave', 'st-1', { options: { waitForClean: false } })).toBe(null)
    expect(await broken.protectedHosts()).toEqual([])
  })

  test("while MicroCeph ends one node's maintenance, the other node has only the flag of its host", async () => {
    const world = storageWorld('microceph')
    const options = { ...FORCE, stopOsds: true, waitForClean: false }
    await world.walk('enter', 'st-1', { options })
    await world.walk('enter', 'st-2', { options })
    world.changes.length = 0
    await world.walk('leave', 'st-1', { options })
    expect(world.changes).toEqual([
      'osd set-group noout st-2',
      'microceph exit st-1',
      'osd set noout',
      'osd unset-group noout st-2',
    ])
  })
})
