import { expect, test } from 'vitest'
import { osdsDown } from '../../../../main/procedures/steps/storage/osds-down.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { storageWorld } from '../../../fixtures/procedures/storage-world.ts'

const NODE = { node: 'st-1' }

test('a machine is off where all of its OSDs are down', async () => {
  const world = storageWorld()
  world.setHostUp('st-1', false)
  expect(await world.check('osds-down', 'st-1')).toMatchObject({
    kind: 'ready',
    reason: 'OSDs 0, 1 of st-1 are down.',
  })
})

test.each([
  ['is in', true],
  ['was taken out', false],
])('one OSD that is up shows that the machine runs, also where it %s', async (_, isIn) => {
  const world = storageWorld()
  world.setHostUp('st-1', false)
  world.ceph.setOsdUp(1, true)
  const base = world.context()
  const ceph = {
    ...world.port,
    osds: async () => {
      const read = await world.port.osds()
      return read.ok ? ok(read.value.map(osd => (osd.id === 1 ? { ...osd, in: isIn } : osd))) : read
    },
  }
  expect(await osdsDown.check(NODE, { ...base, world: { ...base.world, ceph } })).toMatchObject({
    kind: 'blocked',
    blockers: [{ code: 'OsdsStillRun', message: expect.stringContaining('OSD 1 of st-1 is up in Ceph') }],
  })
})

test.each([
  ['does not answer', true, 'ready'],
  ['answers nonsense', false, 'blocked'],
] as const)('a Ceph that %s: the rescue is %s', async (_, retryable, kind) => {
  const world = storageWorld()
  const base = world.context()
  const ceph = { ...world.port, osds: async () => failed(failure('unreadable', 'No answer.', { retryable })) }
  expect((await osdsDown.check(NODE, { ...base, world: { ...base.world, ceph } })).kind).toBe(kind)
})
