import { describe, expect, test } from 'vitest'
import { stopOsds } from '../../../../main/procedures/steps/storage/stop-osds.ts'
import { storageWorld } from '../../../fixtures/procedures/storage-world.ts'

const STOP = { options: { stopOsds: true } }
const upOn = (world: ReturnType<typeof storageWorld>, host: string) =>
  world.ceph.osds().filter(osd => osd.host === host && osd.up).length

describe.each(['rook', 'microceph'] as const)('%s: OSDs', kind => {
  test('are stopped when the operator wants it, and started again on the way back', async () => {
    const world = storageWorld(kind)
    expect(await world.walk('enter', 'st-1', STOP)).toBe(null)
    expect(upOn(world, 'st-1')).toBe(0)
    expect(await world.verify('stop-osds', 'st-1')).toBe('holds: OSDs 0, 1 of st-1 are down.')
    await world.pass(3_600_000)
    expect(await world.walk('leave', 'st-1')).toBe(null)
    expect(upOn(world, 'st-1')).toBe(2)
    expect(await world.verify('start-osds', 'st-1')).toBe('holds: OSDs 0, 1 of st-1 are up and in.')
  })

  test('run on while nobody asked to stop them', async () => {
    const world = storageWorld(kind)
    expect(await world.walk('enter', 'st-1')).toBe(null)
    expect(upOn(world, 'st-1')).toBe(2)
  })

  test('are not stopped when that became unsafe since the plan was made (docs/domain.md B.1, defect 5)', async () => {
    const world = storageWorld(kind)
    expect((await world.check('stop-osds', 'st-1')).kind).toBe('ready')
    world.setHostUp('st-2', false)
    expect(await world.apply('stop-osds', 'st-1')).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('1 of st-1 are no longer ok to stop'),
      choices: ['retry', 'skip', 'abort'],
    })
    expect(upOn(world, 'st-1')).toBe(2)
    expect(world.changes).toEqual([])
    world.setHostUp('st-2', true)
    await world.pass(60_000)
    expect((await world.apply('stop-osds', 'st-1')).kind).toBe('applied')
  })

  test('are stopped all the same when the operator forces it, with the reason that the journal keeps', async () => {
    const world = storageWorld(kind)
    world.setHostUp('st-2', false)
    const options = { stopOsds: true, overrides: [{ flag: 'force' as const, reason: 'the rack burns' }] }
    expect((await world.apply('stop-osds', 'st-1', { options })).kind).toBe('applied')
    expect(upOn(world, 'st-1')).toBe(0)
  })

  test('that somebody started again, or that stay down, are seen by verify', async () => {
    const world = storageWorld(kind)
    await world.walk('enter', 'st-1', STOP)
    world.ceph.setOsdUp(1, true)
    expect(await world.verify('stop-osds', 'st-1')).toMatch(/^fails: OSD 1 of st-1 is up/)
    expect(await world.verify('start-osds', 'st-1')).toMatch(/^fails: OSD 0 of st-1 is down/)
  })
})

test("Rook's operator may start OSDs again: the plan says so, and nothing is asked twice of what is done", async () => {
  const world = storageWorld('rook')
  expect((await world.check('stop-osds', 'st-1')).warnings.map(({ message }) => message).join()).toContain(
    "Rook's operator",
  )
  await world.walk('enter', 'st-1', STOP)
  expect((await world.check('stop-osds', 'st-1')).kind).toBe('done')
})

test('where nothing can stop OSDs the check says so before anything is touched', async () => {
  const world = storageWorld('rook')
  const base = world.context(STOP)
  const answer = await stopOsds.check?.({ node: 'st-1' }, { ...base, world: { ...base.world, osds: null } })
  expect(answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'OsdsCannotBeStopped' }] })
})

test('the step asks about an OSD that does not come up after ten minutes, and reports its wait', async () => {
  const world = storageWorld('rook')
  world.ceph.setOsdUp(0, false)
  const base = world.context()
  const osds = {
    running: async () => ({ ok: true as const, value: [] }),
    setRunning: async () => ({ ok: true as const, value: undefined }),
  }
  const { startOsds } = await import('../../../../main/procedures/steps/storage/start-osds.ts')
  const answer = await startOsds.apply?.({ node: 'st-1' }, { ...base, world: { ...base.world, osds } })
  expect(answer).toMatchObject({ kind: 'question', question: expect.stringContaining('OSD 0 to come up') })
  expect(world.facts.filter(({ fact }) => fact === 'waits-for').map(({ values }) => values.what)).toEqual([
    'OSD 0 to come up',
  ])
})

describe('on the way back', () => {
  test('a node leaves while Ceph is degraded; the run waits for it to be whole and tells how far it is', async () => {
    const world = storageWorld('microceph')
    await world.walk('enter', 'st-1', STOP)
    await world.pass(300_000)
    expect(await world.walk('leave', 'st-1')).toBe(null)
    const waits = world.facts.filter(({ fact }) => fact === 'waits-for').map(({ values }) => values.what)
    expect(waits.some(what => String(what).includes('placement groups are not active+clean'))).toBe(true)
    expect(waits.at(-1)).toBe(null)
    expect(await world.verify('ceph-clean', 'st-1')).toBe('holds: Every placement group is active+clean.')
  })

  test('a Ceph that does not recover is asked about after half an hour', async () => {
    const world = storageWorld('rook', { hosts: ['st-1', 'st-2', 'st-3'] })
    world.setHostUp('st-3', false)
    expect(await world.verify('ceph-clean', 'st-1')).toMatch(/^fails: Ceph is not whole/)
    expect(await world.apply('ceph-clean', 'st-1')).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('Still waiting for Ceph to recover'),
    })
  })

  test('the operator may leave the recovery to Ceph: nothing waits, and the plan says that it is not whole', async () => {
    const world = storageWorld('rook', { hosts: ['st-1', 'st-2', 'st-3'] })
    await world.walk('enter', 'st-1', STOP)
    world.setHostUp('st-3', false)
    const options = { waitForClean: false }
    expect(await world.walk('leave', 'st-1', { options })).toBe(null)
    const check = await world.check('ceph-clean', 'st-1', { options })
    expect(check).toMatchObject({
      kind: 'done',
      warnings: [{ message: expect.stringContaining('Ceph has not recovered yet') }],
    })
  })
})
