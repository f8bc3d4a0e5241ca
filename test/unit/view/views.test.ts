import { describe, expect, test } from 'vitest'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import { createViews } from '../../../main/clusters/view/views.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { fakeCluster, fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { scriptedCluster } from '../../fixtures/view/scripted-cluster.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

function kept(trouble: (cluster: string) => Failure | null = () => null) {
  const clock = createVirtualClock()
  const started: string[] = []
  const ended: { readonly cluster: string; readonly failure: Failure | null }[] = []
  const open = async (cluster: string): Promise<Result<ConnectedWorld>> => {
    const why = trouble(cluster)
    if (why !== null) return failed(why)
    started.push(cluster)
    const script = scriptedCluster()
    return ok({
      world: { ...fakeWorld().port, cluster: fakeCluster({ name: cluster, cloud: null }), openstack: null },
      openstackFailure: null,
      warnings: [],
      // Views write no locks.
      locks: {} as ConnectedWorld['locks'],
      watchMaintenance: async () => {},
      readLcmReport: async () => ok({ lines: [], phase: null, upgraded: [], begun: [], done: [] }),
      feeds: {
        ...script.feeds,
        nodes: (listener, signal) => {
          const watching = script.feeds.nodes(listener, signal)
          listener.onChange([fakeNode(`${cluster}-1`)], [])
          return watching
        },
      },
    })
  }
  const views = createViews({
    open,
    activeRuns: () => [],
    drainedOnly: () => new Map(),
    hasFailed: () => false,
    clock,
    onPatch: () => {},
    onEnded: each => ended.push(each),
  })
  return { views, started, ended, clock }
}

describe('live views', () => {
  test('of one cluster are started once, however many ask at the same time', async () => {
    const { views, started } = kept()
    const [first, second] = await Promise.all([views.open('a'), views.open('a')])
    expect(started).toEqual(['a'])
    expect([first.ok, second.ok]).toEqual([true, true])
    await views.close()
  })

  test('are kept for the last four clusters; the one opened longest ago ends, and says so', async () => {
    const { views, started, ended } = kept()
    for (const cluster of ['a', 'b', 'c', 'd', 'a', 'e']) await views.open(cluster)
    expect(ended.map(({ cluster }) => cluster)).toEqual(['b'])
    expect(ended[0]?.failure?.message).toContain('so b is no longer live')
    await views.open('b')
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'b'])
    await views.close()
  })

  test('end without a reason when the cluster is reached another way: the page opens them again', async () => {
    const { views, started, ended } = kept()
    await views.open('a')
    views.forget('a')
    expect(ended).toEqual([{ cluster: 'a', failure: null }])
    await views.open('a')
    expect(started).toEqual(['a', 'a'])
    await views.close()
  })

  test('that could not be opened are tried again at the next request', async () => {
    let down: Failure | null = failure('unreachable', 'No connection.')
    const { views } = kept(() => down)
    expect(await views.open('a')).toMatchObject({ ok: false, failure: { message: 'No connection.' } })
    down = null
    expect(await views.open('a')).toMatchObject({ ok: true, value: { view: { nodes: [{ name: 'a-1' }] } } })
    await views.close()
  })

  test('leave nothing running when the console closes', async () => {
    const { views, clock } = kept()
    for (const cluster of ['a', 'b']) await views.open(cluster)
    await views.close()
    expect(clock.sleeping).toBe(0)
  })
})
