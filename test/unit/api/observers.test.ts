import { expect, test } from 'vitest'
import { createObservers } from '../../../main/api/observers.ts'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { ObservationLog } from '../../../main/ports/journal.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import type { WatchState } from '../../../shared/domain/kubernetes.ts'
import type { MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { fakeCluster, fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { scriptedCluster } from '../../fixtures/view/scripted-cluster.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'
import { clusterLock, clusterRequest, nodeLock, nodeRequest, seen } from '../lcm/observer/seen.ts'

const { objects: UNDER_WAY } = seen()
const IDLE: MaintenanceObjects = { ...UNDER_WAY, clusterRequests: [], clusterLocks: [clusterLock('openstack')] }
const FORGETFUL: ObservationLog = {
  record: () => ok(undefined),
  lastUpdate: () => null,
  of: () => ok([]),
  samples: () => [],
}

function observing(more: { readonly trouble?: () => Failure | null } = {}) {
  const clock = createVirtualClock()
  const started: string[] = []
  const ended: string[] = []
  const events: string[] = []
  const report = new Map<string, (objects: MaintenanceObjects) => void>()
  const state = new Map<string, (state: WatchState | { readonly kind: 'absent'; readonly why: string }) => void>()
  const world = (cluster: string): ConnectedWorld => ({
    world: { ...fakeWorld().port, cluster: fakeCluster({ name: cluster }), openstack: null },
    openstackFailure: null,
    warnings: [],
    // An observer writes no locks.
    locks: {} as ConnectedWorld['locks'],
    feeds: {
      ...scriptedCluster().feeds,
      nodes: async listener => listener.onChange([fakeNode('cmp-1')], []),
      pods: async listener => listener.onChange([], []),
    },
    watchMaintenance: (listener, signal) => {
      report.set(cluster, listener.onObjects)
      state.set(cluster, listener.onState)
      listener.onObjects(IDLE)
      return new Promise(resolve =>
        signal.addEventListener('abort', () => {
          ended.push(cluster)
          resolve()
        }),
      )
    },
    readLcmReport: async () => ok({ lines: [], phase: null, upgraded: [], begun: [], done: [] }),
  })
  const observers = createObservers({
    worlds: {
      open: async cluster => {
        const why = more.trouble?.() ?? null
        if (why !== null) return failed(why)
        started.push(cluster)
        return ok(world(cluster))
      },
    },
    observations: FORGETFUL,
    clock,
    log: silentLogger,
    emit: name => events.push(name),
  })
  /** Asks, and lets the time pass that a first look takes. */
  const observe = async (cluster: string) => {
    const asked = observers.observe(cluster)
    await clock.advance(200)
    return asked
  }
  return { observers, observe, clock, started, ended, events, report, state }
}

test('a cloud is observed from the first request on, once for all who ask', async () => {
  const { observers, observe, started, ended } = observing()
  valueIn((await Promise.all([observe('east'), observe('east')]))[0])
  expect(started).toEqual(['east'])
  await observers.close()
  expect(ended).toEqual(['east'])
})

test('four clouds are observed; with more, the one requested longest ago ends', async () => {
  const { observers, observe, ended } = observing()
  for (const cluster of ['a', 'b', 'c', 'd', 'a', 'e']) valueIn(await observe(cluster))
  expect(ended).toEqual(['b'])
  await observers.close()
})

test('faces get changes at once, then once a second at most, the last one included', async () => {
  const { observers, observe, events, report, clock } = observing()
  await observe('east')
  report.get('east')?.(UNDER_WAY)
  await clock.advance(150)
  expect(events).toEqual(['update.observed'])
  for (let change = 0; change < 5; change += 1) {
    const errorMessage = `Starting migration for ${change}`
    report.get('east')?.({
      ...UNDER_WAY,
      nodeRequests: [nodeRequest('cmp-1', { uid: `another ${change}` })],
      nodeLocks: [nodeLock('openstack', 'cmp-1', 'active', { errorMessage })],
      clusterRequests: [clusterRequest()],
    })
    await clock.advance(110)
  }
  expect(events).toHaveLength(1)
  await clock.advance(2_000)
  expect(events).toHaveLength(2)
  await observers.close()
})

test('that a cluster cannot be watched is a failure, that it has no such API is not', async () => {
  const { observers, observe, state } = observing()
  await observe('east')
  state.get('east')?.({ kind: 'offline', since: '2026-01-01T00:00:00Z', why: 'connection refused' })
  expect(await observe('east')).toMatchObject({ ok: false, failure: { code: 'unreachable', retryable: true } })
  state.get('east')?.({ kind: 'not-permitted', why: 'may not list' })
  expect(await observe('east')).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
  state.get('east')?.({ kind: 'absent', why: 'no such API' })
  expect(valueIn(await observe('east'))).toMatchObject({ timeline: null, drivenBy: null })
  await observers.close()
})

test('a cluster that could not be opened is tried again at the next request', async () => {
  let trouble: Failure | null = failure('unreachable', 'down')
  const { observers, observe } = observing({ trouble: () => trouble })
  expect(await observe('east')).toMatchObject({ ok: false })
  trouble = null
  expect(await observe('east')).toMatchObject({ ok: true })
  await observers.close()
})

test('a cluster that cannot be opened is not tried again and again because its timeline is open', async () => {
  let tries = 0
  const { observers, clock } = observing({
    trouble: () => {
      tries += 1
      return failure('unreachable', 'down')
    },
  })
  for (let second = 0; second < 25; second += 1) {
    observers.begin('east')
    await clock.advance(1_000)
  }
  expect(tries).toBe(1)
  await clock.advance(10_000)
  observers.begin('east')
  expect(tries).toBe(2)
  await observers.close()
})

test('a cloud with a new connection is observed again', async () => {
  const { observers, observe, started, ended } = observing()
  await observe('east')
  observers.forget('east')
  await observe('east')
  expect(started).toEqual(['east', 'east'])
  expect(ended).toEqual(['east'])
  await observers.close()
})
