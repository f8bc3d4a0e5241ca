import { describe, expect, test } from 'vitest'
import { ClusterFacts } from '../../../main/clusters/view/facts.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import { fakeInstance, fakeNode, fakeService } from '../../fixtures/procedures/fake-world.ts'

/** Three hosts, of which cmp-1 should be empty. */
function facts(): ClusterFacts {
  const known = new ClusterFacts()
  const names = ['cmp-1', 'cmp-2', 'cmp-3']
  known.changeNodes(
    names.map(name => fakeNode(name)),
    [],
  )
  known.putServices(names.map(name => fakeService(name)))
  return known
}

const MIGRATES = fakeInstance('web', 'cmp-2', { status: 'MIGRATING', taskState: 'migrating' })
const to = (destHost: string | null) =>
  fakeMigration({ instanceId: 'web', status: 'running', sourceHost: 'cmp-2', destHost })

describe('where an instance moves', () => {
  test('is asked again about its next move, which looks like the one before', () => {
    const known = facts()
    known.changeInstances([MIGRATES], [])
    known.putMove('web', to('cmp-3'))
    expect(known.unknownMoves()).toEqual([])
    known.changeInstances([fakeInstance('web', 'cmp-2')], [])
    known.changeInstances([MIGRATES], [])
    expect(known.unknownMoves()).toEqual(['web'])
    known.putMove('web', to('cmp-1'))
    expect(known.returningTo('cmp-1')).toMatchObject([{ code: 'Arriving' }])
  })

  test('is asked again while Nova has not chosen the host yet', () => {
    const known = facts()
    known.changeInstances([MIGRATES], [])
    known.putMove('web', to(null))
    expect(known.undirectedMoves()).toEqual(['web'])
    known.putMove('web', to('cmp-1'))
    expect(known.undirectedMoves()).toEqual([])
  })

  test('is asked of one that an evacuation rebuilds elsewhere', () => {
    const known = facts()
    known.changeInstances([fakeInstance('web', 'cmp-2', { status: 'REBUILD', taskState: 'rebuild_spawning' })], [])
    expect(known.unknownMoves()).toEqual(['web'])
    known.putMove(
      'web',
      fakeMigration({
        instanceId: 'web',
        type: 'evacuation',
        status: 'pre-migrating',
        sourceHost: 'cmp-2',
        destHost: 'cmp-1',
      }),
    )
    expect(known.returningTo('cmp-1')).toMatchObject([{ code: 'Arriving' }])
  })

  test('has the host redrawn that it may be reverted to, once it is confirmed', () => {
    const known = facts()
    known.changeInstances([fakeInstance('web', 'cmp-2', { status: 'VERIFY_RESIZE', vmState: 'resized' })], [])
    known.putMove(
      'web',
      fakeMigration({
        instanceId: 'web',
        type: 'resize',
        status: 'finished',
        sourceHost: 'cmp-1',
        destHost: 'cmp-2',
      }),
    )
    known.dirtyNodes.clear()
    known.changeInstances([fakeInstance('web', 'cmp-2')], [])
    expect([...known.dirtyNodes]).toContain('cmp-1')
  })

  test('redraws every node when it becomes unknown or known', () => {
    const known = facts()
    known.dirtyNodes.clear()
    known.changeInstances([MIGRATES], [])
    expect([...known.dirtyNodes]).toContain('cmp-1')
    known.dirtyNodes.clear()
    known.putMove('web', to('cmp-3'))
    expect([...known.dirtyNodes]).toContain('cmp-1')
  })
})
