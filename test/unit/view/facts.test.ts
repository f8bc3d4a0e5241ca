import { describe, expect, test } from 'vitest'
import { ClusterFacts } from '../../../main/clusters/view/facts.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import { fakeInstance, fakeNode, fakeService } from '../../fixtures/procedures/fake-world.ts'

/** Three hosts, of which cmp-1 should be empty. */
const NAMES = ['cmp-1', 'cmp-2', 'cmp-3']
const SERVICES = NAMES.map(name => fakeService(name))

function facts(): ClusterFacts {
  const known = new ClusterFacts()
  known.changeNodes(
    NAMES.map(name => fakeNode(name, { unschedulable: name === 'cmp-1' })),
    [],
  )
  known.putServices(SERVICES)
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

  test('redraws the nodes that should be empty when it becomes unknown or known', () => {
    const known = facts()
    known.dirtyNodes.clear()
    known.changeInstances([MIGRATES], [])
    expect([...known.dirtyNodes]).toContain('cmp-1')
    known.dirtyNodes.clear()
    known.putMove('web', to('cmp-3'))
    expect([...known.dirtyNodes]).toContain('cmp-1')
  })
})

describe('what is drawn again', () => {
  const live = { kind: 'live', lastAnswerAt: '2026-01-01T00:00:00Z' } as const
  const silent = { kind: 'offline', since: '2026-01-01T00:00:00Z', why: 'no answer' } as const
  const drawnBy = (change: (known: ClusterFacts) => void) => {
    const known = facts()
    for (const source of ['nodes', 'pods', 'instances'] as const) known.putState(source, live, 'plain')
    known.dirtyNodes.clear()
    change(known)
    return [...known.dirtyNodes].sort()
  }

  test.each<readonly [string, readonly string[], (known: ClusterFacts) => void]>([
    ['a heartbeat', [], known => known.putServices(SERVICES.map(each => ({ ...each, updatedAt: 'later' })))],
    [
      'the last report of a service that is down',
      ['cmp-1', 'cmp-2', 'cmp-3'],
      known => known.putServices(SERVICES.map(each => ({ ...each, state: 'down' }))),
    ],
    ['a later answer of a source', [], known => known.putState('pods', { ...live, lastAnswerAt: 'later' }, 'plain')],
    ['a source that becomes silent', ['cmp-1'], known => known.putState('instances', silent, 'plain')],
    ['the first answer about Leases', ['cmp-1'], known => known.learn('leases')],
    ['the first answer about instances', ['cmp-1', 'cmp-2', 'cmp-3'], known => known.learn('instances')],
    ['locks that do not answer, elsewhere', ['cmp-1'], known => known.putState('workload-locks', silent, 'plain')],
    [
      'locks that do not answer, on MOSK',
      ['cmp-1', 'cmp-2', 'cmp-3'],
      known => known.putState('workload-locks', silent, 'mosk'),
    ],
  ])('%s: %j', (_, expected, change) => expect(drawnBy(change)).toEqual(expected))
})
