import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../../main/journal/journal.ts'
import { type Observer, observeCluster } from '../../../../main/lcm/observer/observe.ts'
import type { ObservedWorld } from '../../../../main/lcm/observer/watch-cluster.ts'
import type { LcmReport } from '../../../../main/ports/lcm.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { ClusterNode, Pod } from '../../../../shared/domain/kubernetes.ts'
import { type MaintenanceObjects, NO_MAINTENANCE_OBJECTS } from '../../../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import {
  COMPUTE,
  fakeInstance,
  fakeNode,
  fakePod,
  fakeService,
  fakeWorld,
} from '../../../fixtures/procedures/fake-world.ts'
import { createVirtualClock, type VirtualClock } from '../../../fixtures/virtual-clock.ts'
import { clusterLock, clusterRequest, nodeLock, nodeRequest } from './seen.ts'

let directory: string
let journal: Journal
let clock: VirtualClock
let observers: Observer[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-observer-'))
  clock = createVirtualClock({ start: Date.parse('2026-11-21T06:00:00Z') })
  journal = valueIn(openJournal({ path: join(directory, 'journal.db'), clock }))
  observers = []
})
afterEach(async () => {
  await Promise.all(observers.map(each => each.stop()))
  journal.close()
  rmSync(directory, { recursive: true, force: true })
})

const IDLE: MaintenanceObjects = {
  ...NO_MAINTENANCE_OBJECTS,
  clusterLocks: [clusterLock('openstack')],
  nodeLocks: [nodeLock('openstack', 'cmp-1')],
}
const ASKED: MaintenanceObjects = { ...IDLE, clusterRequests: [clusterRequest()] }
const WORKED: MaintenanceObjects = {
  ...ASKED,
  clusterLocks: [clusterLock('openstack', 'inactive')],
  nodeLocks: [nodeLock('openstack', 'cmp-1', 'inactive')],
  nodeRequests: [nodeRequest('cmp-1')],
}
const CMP = fakeNode('cmp-1', { labels: COMPUTE })
const CORDONED = { ...CMP, unschedulable: true }

/** A cluster whose feeds a test speaks for. */
function stage(more: { readonly lcm?: () => Result<LcmReport>; readonly podsKnown?: boolean } = {}) {
  const fake = fakeWorld({ services: [fakeService('cmp-1')], instances: [fakeInstance('a', 'cmp-1')] })
  let nodes: readonly ClusterNode[] = [CMP]
  let pods: readonly Pod[] = [fakePod('a', { nodeName: 'cmp-1' })]
  let objects = IDLE
  const receives: (() => void)[] = []
  const until = (signal: AbortSignal) =>
    new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
  const observed: ObservedWorld = {
    world: fake.port,
    feeds: {
      nodes: (listener, signal) => {
        receives.push(() => listener.onChange(nodes, []))
        return until(signal)
      },
      pods: (listener, signal) => {
        if (more.podsKnown === false) listener.onState({ kind: 'not-permitted' })
        else
          receives.push(() =>
            listener.onChange(
              pods,
              ['uid-a', 'uid-b'].filter(uid => pods.every(pod => pod.uid !== uid)),
            ),
          )
        return until(signal)
      },
    },
    watchMaintenance: (listener, signal) => {
      receives.push(() => listener.onObjects(objects))
      return until(signal)
    },
    readLcmReport: async () => more.lcm?.() ?? ok({ lines: [], phase: null, upgraded: [], begun: [], done: [] }),
  }
  let changes = 0
  const unkept: string[] = []
  return {
    fake,
    unkept,
    changes: () => changes,
    observe: () => {
      receives.length = 0
      const observer = observeCluster({
        observed,
        log: journal.observations,
        clock,
        onChanged: () => {
          changes += 1
        },
        onUnkept: why => unkept.push(why),
      })
      observers.push(observer)
      return observer
    },
    /** Sets the state of the cluster and reports it. */
    async is(now: {
      readonly objects?: MaintenanceObjects
      readonly nodes?: readonly ClusterNode[]
      readonly pods?: readonly Pod[]
    }) {
      objects = now.objects ?? objects
      nodes = now.nodes ?? nodes
      pods = now.pods ?? pods
      for (const receive of receives) receive()
      await clock.advance(200)
    },
  }
}
const stageOf = (observer: Observer) => observer.status().timeline?.lanes[0]?.stage

describe('an observer', () => {
  test('sees nothing where there is no update', async () => {
    const cluster = stage()
    const observer = cluster.observe()
    await cluster.is({})
    await observer.ready
    expect(observer.status()).toEqual({ timeline: null, drivenBy: null, plans: [], trouble: null })
  })

  test('follows an update from the cluster request to its end', async () => {
    const cluster = stage()
    const observer = cluster.observe()
    await cluster.is({})
    await cluster.is({ objects: ASKED })
    expect(observer.status()).toMatchObject({ drivenBy: 'somebody', timeline: { phase: 'applications' } })
    await cluster.is({ objects: WORKED, nodes: [CORDONED] })
    expect(stageOf(observer)).toBe('draining')
    await cluster.is({ pods: [] })
    expect(stageOf(observer)).toBe('work')
    await cluster.is({ nodes: [CMP] })
    await cluster.is({ objects: { ...ASKED, clusterLocks: [clusterLock('openstack', 'inactive')] } })
    expect(stageOf(observer)).toBe('done')
    await cluster.is({ objects: IDLE })
    const { timeline } = observer.status()
    expect(timeline?.endedAt).not.toBeNull()
    expect(timeline?.lanes[0]?.spans.map(span => span.stage)).toEqual([
      'requested',
      'locks',
      'draining',
      'work',
      'returning',
      'done',
    ])
  })

  test('gives a node whose lock turns up later its lane, also after a restart', async () => {
    const cluster = stage()
    const first = cluster.observe()
    const nodes = [CMP, fakeNode('cmp-2', { labels: COMPUTE })]
    await cluster.is({ objects: ASKED, nodes })
    const nodeLocks = [nodeLock('openstack', 'cmp-2'), nodeLock('openstack', 'cmp-1')]
    await cluster.is({ objects: { ...ASKED, nodeLocks } })
    const names = (observer: Observer) => observer.status().timeline?.lanes.map(({ node }) => node)
    expect(names(first)).toEqual(['cmp-1', 'cmp-2'])
    await first.stop()
    expect(names(cluster.observe())).toEqual(['cmp-1', 'cmp-2'])
  })

  test('continues after a restart, and reports what was seen before', async () => {
    const cluster = stage()
    const first = cluster.observe()
    await cluster.is({})
    await cluster.is({ objects: WORKED, nodes: [CORDONED], pods: [] })
    const before = first.status().timeline
    await first.stop()
    const second = cluster.observe()
    await cluster.is({ pods: [fakePod('b', { nodeName: 'cmp-1' })] })
    expect(second.status().timeline).toMatchObject({ startedAt: before?.startedAt, phase: 'worker-nodes' })
    expect(second.status().timeline?.lanes).toEqual(before?.lanes)
    expect(second.status().drivenBy).toBe('somebody')
  })

  test('that was away at the end reports the end when it comes back', async () => {
    const cluster = stage()
    const first = cluster.observe()
    await cluster.is({ objects: WORKED, nodes: [CORDONED], pods: [] })
    await first.stop()
    const second = cluster.observe()
    await cluster.is({ objects: IDLE, nodes: [CMP] })
    expect(second.status().timeline).toMatchObject({ phase: null })
    expect(second.status().timeline?.endedAt).not.toBeNull()
    expect(stageOf(second)).toBe('done')
  })

  test('names the run and the operator of an update that Lockkeeper drives', async () => {
    const cluster = stage()
    const observer = cluster.observe()
    const annotations = { 'lockkeeper.dev/run': 'abc', 'lockkeeper.dev/operator': 'kay' }
    await cluster.is({ objects: { ...IDLE, clusterRequests: [clusterRequest({ annotations })] } })
    expect(observer.status().drivenBy).toBe('Lockkeeper run abc by kay')
  })

  test('takes figures every 15 s during an update, and none after it', async () => {
    const cluster = stage()
    const observer = cluster.observe()
    await cluster.is({ objects: WORKED, nodes: [CORDONED], pods: [] })
    await clock.advance(60_000)
    const samples = observer.status().timeline?.samples ?? []
    expect(samples.length).toBeGreaterThanOrEqual(4)
    expect(samples.length).toBeLessThanOrEqual(6)
    expect(samples.at(-1)).toMatchObject({ instancesRemaining: 1, migrationsDone: 0, locksInactive: 1 })
    await cluster.is({ objects: IDLE, nodes: [CMP] })
    await clock.advance(20_000)
    const after = observer.status().timeline?.samples.length
    await clock.advance(120_000)
    expect(observer.status().timeline?.samples.length).toBe(after)
  })

  test('does not take what LCM reported about an earlier update for this one', async () => {
    let phase: LcmReport['phase'] = 'worker-nodes'
    const cluster = stage({ lcm: () => ok({ lines: [], phase, upgraded: [], begun: [], done: [] }) })
    const observer = cluster.observe()
    await cluster.is({})
    phase = null
    await cluster.is({ objects: { ...ASKED, clusterLocks: [] } })
    expect(observer.status()).toMatchObject({ drivenBy: 'somebody', timeline: { phase: 'applications' } })
  })

  test('who came late, or was away, believes the plan of LCM: what nobody watched is done, and marked', async () => {
    let done: LcmReport['done'] = []
    const cluster = stage({ lcm: () => ok({ lines: [], phase: null, upgraded: [], begun: [], done }) })
    const observer = cluster.observe()
    await cluster.is({ objects: ASKED })
    await cluster.is({ objects: IDLE })
    expect(stageOf(observer)).toBe('unseen')
    done = [{ phase: 'worker-nodes', at: new Date(clock.now() + 60_000).toISOString() }]
    await clock.advance(200_000)
    const lane = observer.status().timeline?.lanes[0]
    expect(lane).toMatchObject({ stage: 'done', spans: [{ note: 'nobody watched' }] })
  })

  test('docs/domain.md A.8: to who came late a phase began when LCM says that the one before it was completed', async () => {
    const begunMs = clock.now()
    const minutes = (count: number) => new Date(begunMs + count * 60_000).toISOString()
    await clock.advance(60 * 60_000)
    const cluster = stage({
      lcm: () =>
        ok({
          lines: [],
          phase: 'worker-nodes',
          upgraded: [],
          begun: [],
          done: [
            { phase: 'applications', at: minutes(10) },
            { phase: 'control-nodes', at: minutes(25) },
          ],
        }),
    })
    const observer = cluster.observe()
    const clusterRequests = [clusterRequest({ createdAt: minutes(0) })]
    await cluster.is({ objects: { ...WORKED, clusterRequests }, nodes: [CORDONED] })
    await clock.advance(200_000)
    const spans = observer.status().timeline?.phases.map(({ phase, fromAt, toAt }) => [phase, fromAt, toAt])
    expect(spans?.slice(1)).toEqual([
      ['applications', minutes(0), minutes(10)],
      ['control-nodes', minutes(10), minutes(25)],
      ['worker-nodes', minutes(25), null],
      ['finalize', null, null],
    ])
  })

  test('tells what LCM says, and goes without where it cannot be asked', async () => {
    const report = {
      lines: ['ClusterUpdatePlan a: InProgress'],
      phase: 'applications',
      upgraded: [],
      begun: [],
      done: [],
    } as const
    const cluster = stage({ lcm: () => ok(report) })
    const observer = cluster.observe()
    await cluster.is({ objects: ASKED })
    expect(observer.status()).toMatchObject({ plans: report.lines, drivenBy: 'LCM' })
    const mute = stage({ lcm: () => failed(failure('unreachable', 'down')) })
    const other = mute.observe()
    await mute.is({ objects: ASKED })
    expect(other.status().plans).toEqual([])
  })

  test('a request right after the end gets LCM’s report, and nothing unobserved', async () => {
    let done: LcmReport['done'] = []
    const cluster = stage({ lcm: () => ok({ lines: [], phase: null, upgraded: [], begun: done, done }) })
    const before = cluster.observe()
    await cluster.is({ objects: ASKED })
    await before.stop()
    done = [{ phase: 'worker-nodes', at: new Date(clock.now() + 30_000).toISOString() }]
    await clock.advance(60_000)
    const after = cluster.observe()
    await cluster.is({ objects: IDLE })
    await after.ready
    expect(after.status().timeline).toMatchObject({ lanes: [{ stage: 'done' }] })
    expect(after.status().timeline?.phases[3]).toMatchObject({ state: 'done', toAt: done[0]?.at })
  })

  test('goes without pods where they may not be watched', async () => {
    const cluster = stage({ podsKnown: false })
    const observer = cluster.observe()
    await cluster.is({ objects: WORKED, nodes: [CORDONED] })
    expect(stageOf(observer)).toBe('draining')
    await cluster.is({ nodes: [{ ...CORDONED, readiness: 'not-ready' }] })
    expect(stageOf(observer)).toBe('work')
  })

  test('sees no more of pods than what a drain takes away', async () => {
    const cluster = stage()
    const observer = cluster.observe()
    const daemon = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd' }
    await cluster.is({
      objects: WORKED,
      nodes: [CORDONED],
      pods: [
        fakePod('a', { nodeName: 'cmp-1', controller: daemon }),
        fakePod('b', { nodeName: 'cmp-1', mirror: true }),
      ],
    })
    expect(stageOf(observer)).toBe('work')
  })

  test('leaves nothing running when it stops', async () => {
    const cluster = stage()
    const observer = cluster.observe()
    await cluster.is({ objects: ASKED })
    await observer.stop()
    await clock.advance(0)
    expect(clock.sleeping).toBe(0)
  })
})

test('a journal that takes nothing more hides nothing of what is seen', async () => {
  const cluster = stage()
  const observer = cluster.observe()
  await cluster.is({})
  const { observations } = journal
  const full = { ...observations, record: () => failed(failure('server-fault', 'The disk is full.')) }
  const other = observeCluster({
    observed: {
      world: cluster.fake.port,
      feeds: {
        nodes: async listener => listener.onChange([CMP], []),
        pods: async listener => listener.onChange([], []),
      },
      watchMaintenance: async listener => listener.onObjects(ASKED),
      readLcmReport: async () => ok({ lines: [], phase: null, upgraded: [], begun: [], done: [] }),
    },
    log: full,
    clock,
    onChanged: () => {},
    onUnkept: why => cluster.unkept.push(why),
  })
  observers.push(other)
  await clock.advance(200)
  expect(other.status().timeline?.phase).toBe('applications')
  expect(cluster.unkept).toContain('The disk is full.')
  await observer.stop()
})
