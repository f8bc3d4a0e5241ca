import { describe, expect, test } from 'vitest'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import { createViews } from '../../../main/clusters/view/views.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { fakeCluster, fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { scriptedCluster } from '../../fixtures/view/scripted-cluster.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

function kept(trouble: (cluster: string) => Failure | null = () => null, hasCloud = false) {
  const clock = createVirtualClock()
  const started: string[] = []
  const lists: { readonly cluster: string; readonly name: string }[] = []
  const ended: { readonly cluster: string; readonly failure: Failure | null }[] = []
  const open = async (cluster: string): Promise<Result<ConnectedWorld>> => {
    const why = trouble(cluster)
    if (why !== null) return failed(why)
    started.push(cluster)
    const script = scriptedCluster()
    script.cloud.asked.push = name => lists.push({ cluster, name })
    return ok({
      world: {
        ...fakeWorld().port,
        cluster: fakeCluster({ name: cluster, ...(hasCloud ? {} : { cloud: null }) }),
        openstack: script.port,
      },
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
  return { views, started, ended, clock, lists }
}

describe('live views', () => {
  test('of one cluster are started once, however many ask at the same time', async () => {
    const { views, started } = kept()
    const [first, second] = await Promise.all([views.open('a'), views.open('a')])
    expect(started).toEqual(['a'])
    expect([first.ok, second.ok]).toEqual([true, true])
    await views.close()
  })

  test('of all clouds stay, however many are opened', async () => {
    const { views, started, ended } = kept()
    const clouds = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const cluster of [...clouds, 'a', 'b']) await views.open(cluster)
    expect(ended).toEqual([])
    expect(started).toEqual(clouds)
    await views.close()
  })

  test('are read closely for a minute after they were opened or shown, the others share a budget', async () => {
    const clouds = Array.from({ length: 40 }, (_, at) => `c${at}`)
    const { views, clock, lists } = kept(() => null, true)
    for (const cluster of clouds) await views.open(cluster)
    // The first readings, and the rounds of a cloud that was just opened.
    await clock.advance(240_000)
    lists.length = 0
    for (let at = 0; at < 12; at += 1) {
      views.shown('c0')
      await clock.advance(20_000)
    }
    const ofOthers = lists.filter(({ cluster }) => cluster !== 'c0')
    expect(lists.filter(({ cluster }) => cluster === 'c0').length / 4).toBeLessThanOrEqual(23)
    expect(ofOthers.filter(({ name }) => name === 'changes' || name === 'instances').length / 4).toBeLessThanOrEqual(32)
    expect(ofOthers.length / 4).toBeLessThanOrEqual(90)
    expect(new Set(ofOthers.map(({ cluster }) => cluster)).size).toBe(39)
    lists.length = 0
    // What is due by then is read at once.
    views.shown('c7')
    await clock.advance(1_000)
    expect(lists.some(({ cluster, name }) => cluster === 'c7' && ['changes', 'instances'].includes(name))).toBe(true)
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
