import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { type LiveView, startLiveView } from '../../../main/clusters/view/live-view.ts'
import type { ViewPatch } from '../../../main/clusters/view/paced-patches.ts'
import type { ActiveNodeRun } from '../../../main/runs/active-runs.ts'
import { applyChanges, type LiveCluster, liveOf } from '../../../renderer/stores/views.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { HOST_MODE_ANNOTATION } from '../../../shared/domain/instance-policy.ts'
import { NO_MAINTENANCE_OBJECTS } from '../../../shared/domain/maintenance-api.ts'
import { ok } from '../../../shared/domain/result.ts'
import { fakeHolder } from '../../fixtures/procedures/fake-records.ts'
import { fakeCluster, fakeInstance, fakeNode, fakePod, fakeService } from '../../fixtures/procedures/fake-world.ts'
import { nodeLock } from '../../fixtures/procedures/node-lock.ts'
import { type ScriptedCluster, scriptedCluster } from '../../fixtures/view/scripted-cluster.ts'
import { createVirtualClock, type VirtualClock } from '../../fixtures/virtual-clock.ts'

const NOW = '2026-01-01T00:00:00Z'

interface Watched {
  readonly clock: VirtualClock
  readonly world: ScriptedCluster
  readonly view: LiveView
  readonly patches: ViewPatch[]
  /** What a screen shows that got the first snapshot and every patch since. */
  readonly shown: () => LiveCluster
  readonly stop: () => Promise<void>
}

const running: Watched[] = []
afterEach(async () => {
  for (const watched of running.splice(0)) await watched.stop()
})

async function watched(
  names: readonly string[],
  prepare: (world: ScriptedCluster) => void = () => {},
  more: Parameters<typeof fakeCluster>[0] = {},
  activeRuns: () => readonly ActiveNodeRun[] = () => [],
  hasFailed: (runId: string) => boolean = () => false,
): Promise<Watched> {
  const clock = createVirtualClock()
  const world = scriptedCluster()
  world.cloud.services = names.map(name => fakeService(name))
  prepare(world)
  const patches: ViewPatch[] = []
  const view = startLiveView({
    cluster: fakeCluster(more),
    warnings: [],
    feeds: world.feeds,
    cloud: async () => ok(world.port),
    ceph: null,
    foreign: null,
    activeRuns,
    drainedOnly: () => new Map(),
    hasFailed,
    attention: () => ({ kind: 'shown' }),
    clock,
    onPatch: patch => patches.push(patch),
  })
  world.received.nodes?.onChange(
    names.map(name => fakeNode(name)),
    [],
  )
  world.received.pods?.onChange([], [])
  world.received.leases?.onChange([], [])
  await clock.advance(0)
  await view.ready
  const first = view.snapshot()
  patches.length = 0
  const begun = liveOf(first.view, first.seq)
  const result: Watched = {
    clock,
    world,
    view,
    patches,
    shown: () =>
      patches.reduce((live, patch) => {
        expect(patch.fromSeq).toBe(live.seq)
        return applyChanges(live, patch.changes, patch.toSeq)
      }, begun),
    stop: async () => {
      await view.stop()
      expect(clock.sleeping).toBe(0)
    },
  }
  running.push(result)
  return result
}

test('the load of hosts is read again soon after a move, and rarely otherwise', async () => {
  const { clock, world } = await watched(['n0', 'n1'], ({ cloud }) => {
    cloud.instances = [fakeInstance('i0', 'n0', { updatedAt: NOW })]
  })
  const reads = () => world.cloud.asked.filter(name => name === 'providers').length
  await clock.advance(30_000)
  expect(reads()).toBe(1)
  world.cloud.instances = [fakeInstance('i0', 'n1', { updatedAt: new Date(clock.now()).toISOString() })]
  await clock.advance(15_000)
  expect(reads()).toBe(2)
  await clock.advance(30_000)
  expect(reads()).toBe(2)
})

describe('a shown cloud', () => {
  const idle = (count: number) => (world: ScriptedCluster) => {
    world.cloud.instances = Array.from({ length: count }, (_, at) => fakeInstance(`i${at}`, 'n0', { updatedAt: NOW }))
  }

  test('where nothing changes gets 22 requests a minute, and its server groups once', async () => {
    const { clock, world } = await watched(['n0'], idle(3))
    await clock.advance(120_000)
    world.cloud.asked.length = 0
    await clock.advance(600_000)
    const times = (name: string) => world.cloud.asked.filter(asked => asked === name).length / 10
    expect(times('changes') + times('instances')).toBeCloseTo(12, 0)
    expect(times('instances')).toBeCloseTo(1, 0)
    expect(times('services')).toBeCloseTo(6, 0)
    expect(times('agents')).toBeCloseTo(2, 0)
    expect(times('groups')).toBeCloseTo(1, 0)
    expect(world.cloud.asked.length / 10).toBeLessThan(23)
  })

  test('gets a request for changes every three seconds for a minute after one', async () => {
    const { clock, world } = await watched(['n0'], idle(3))
    await clock.advance(120_000)
    world.cloud.instances = [fakeInstance('i0', 'n0', { updatedAt: new Date(clock.now()).toISOString() })]
    await clock.advance(6_000)
    world.cloud.asked.length = 0
    await clock.advance(30_000)
    expect(world.cloud.asked.filter(asked => asked === 'changes').length).toBeGreaterThanOrEqual(9)
  })

  test('that is large is listed as a whole a page every ten seconds, beside the changes', async () => {
    const { clock, world, view } = await watched(['n0', 'n1'], idle(2_000))
    world.cloud.asked.length = 0
    await clock.advance(62_000)
    // Changed and created while the list is read: its pages show an earlier state.
    const at = new Date(clock.now()).toISOString()
    world.cloud.instances = [
      ...world.cloud.instances.slice(2),
      fakeInstance('i1', 'n1', { updatedAt: at }),
      fakeInstance('new', 'n1', { updatedAt: at }),
    ]
    world.cloud.unlisted = []
    await clock.advance(20_000)
    expect(world.cloud.asked.filter(asked => asked === 'page')).toHaveLength(3)
    const allInstances = () => {
      const first = view.snapshot()
      const instances = [...first.view.instances]
      for (let { more } = first; more !== undefined; ) {
        const page = view.instancesAfter(more)
        instances.push(...page.instances)
        more = page.more
      }
      return instances
    }
    const hostOf = (id: string) => allInstances().find(each => each.id === id)?.host
    expect([hostOf('i1'), hostOf('new')]).toEqual(['n1', 'n1'])
    await clock.advance(120_000)
    expect([hostOf('i0'), hostOf('i1'), hostOf('new')]).toEqual([undefined, 'n1', 'n1'])
    expect(world.cloud.asked.filter(asked => asked === 'page').length).toBeLessThanOrEqual(15)
  })
})

describe('patches', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('cordon' as const), at: fc.nat(3), on: fc.boolean() }),
    fc.record({ kind: fc.constant('mode' as const), at: fc.nat(3), mode: fc.constantFrom('live', 'manual', 'skip') }),
    fc.record({ kind: fc.constant('remove-node' as const), at: fc.nat(3) }),
    fc.record({ kind: fc.constant('pod' as const), at: fc.nat(3), pod: fc.nat(5) }),
    fc.record({ kind: fc.constant('remove-pod' as const), pod: fc.nat(5) }),
    fc.record({ kind: fc.constant('move' as const), instance: fc.nat(5), at: fc.nat(3) }),
    fc.record({ kind: fc.constant('delete' as const), instance: fc.nat(5) }),
    fc.record({ kind: fc.constant('service' as const), at: fc.nat(3), up: fc.boolean() }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(5, 30, 150, 4000, 61_000) }),
  )

  test('lead from an old snapshot to exactly the new one, whatever happens in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        const names = ['n0', 'n1', 'n2', 'n3']
        const run = await watched(names, ({ cloud }) => {
          cloud.instances = [0, 1, 2].map(at => fakeInstance(`i${at}`, `n${at}`, { updatedAt: NOW }))
        })
        const { world, clock } = run
        const nodes = new Map(names.map(name => [name, fakeNode(name)]))
        const put = (name: string, change: object) => {
          const node = { ...(nodes.get(name) ?? fakeNode(name)), ...change }
          nodes.set(name, node)
          world.received.nodes?.onChange([node], [])
        }
        for (const each of steps) {
          switch (each.kind) {
            case 'cordon':
              put(`n${each.at}`, { unschedulable: each.on })
              break
            case 'mode':
              put(`n${each.at}`, { annotations: { [HOST_MODE_ANNOTATION]: each.mode } })
              break
            case 'remove-node': {
              const node = nodes.get(`n${each.at}`)
              nodes.delete(`n${each.at}`)
              if (node !== undefined) world.received.nodes?.onChange([], [node.uid])
              break
            }
            case 'pod':
              world.received.pods?.onChange(
                [fakePod(`p${each.pod}`, { uid: `p${each.pod}`, nodeName: `n${each.at}` })],
                [],
              )
              break
            case 'remove-pod':
              world.received.pods?.onChange([], [`p${each.pod}`])
              break
            case 'move': {
              const id = `i${each.instance}`
              const moved = fakeInstance(id, `n${each.at}`, { updatedAt: new Date(clock.now()).toISOString() })
              world.cloud.instances = [...world.cloud.instances.filter(other => other.id !== id), moved]
              break
            }
            case 'delete':
              world.cloud.instances = world.cloud.instances.filter(other => other.id !== `i${each.instance}`)
              break
            case 'service':
              world.cloud.services = world.cloud.services.map(service =>
                service.host === `n${each.at}` ? { ...service, state: each.up ? 'up' : 'down' } : service,
              )
              break
            case 'wait':
              await clock.advance(each.ms)
              break
          }
        }
        const { view, seq } = run.view.snapshot()
        const fresh = liveOf(view, seq)
        const shown = run.shown()
        expect(new Map([...shown.nodes].sort())).toEqual(new Map([...fresh.nodes].sort()))
        expect(new Map([...shown.instances].sort())).toEqual(new Map([...fresh.instances].sort()))
        expect(shown.seq).toBe(fresh.seq)
        // A name that is no longer a node has a row while Nova knows it; it is decommissioned only when nothing is on it.
        const present = [...fresh.nodes.values()].filter(({ ready }) => ready !== 'none')
        expect(present.map(({ name }) => name).sort()).toEqual([...nodes.keys()].sort())
      }),
      { numRuns: 60 },
    )
  })

  test('go out soon after quiet, and at most ten times a second under a stream of changes', async () => {
    const { world, clock, patches } = await watched(['n0'])
    await clock.advance(500)
    patches.length = 0
    world.received.nodes?.onChange([fakeNode('n0', { unschedulable: true })], [])
    await clock.advance(20)
    expect(patches).toHaveLength(1)
    for (let at = 0; at < 100; at += 1) {
      world.received.nodes?.onChange([fakeNode('n0', { kubeletVersion: `v1.${at}` })], [])
      await clock.advance(10)
    }
    expect(patches.length).toBeLessThanOrEqual(12)
    expect(patches.length).toBeGreaterThan(8)
  })

  test('are not sent for what comes out the same', async () => {
    const { world, clock, patches } = await watched(['n0'])
    await clock.advance(500)
    patches.length = 0
    world.received.nodes?.onChange([fakeNode('n0', { resourceVersion: '9' })], [])
    await clock.advance(500)
    expect(patches.flatMap(patch => patch.changes).filter(change => change.kind !== 'source')).toEqual([])
  })
})

test('the first list of instances is shown page by page, and nothing is counted before it is complete', async () => {
  const pages = Promise.withResolvers<void>()
  const both = [fakeInstance('i0', 'n0', { updatedAt: NOW }), fakeInstance('i1', 'n0', { updatedAt: NOW })]
  const run = await watched(['n0', 'n1'], ({ port, cloud }) => {
    cloud.instances = both
    port.listInstances = async (_signal, _reads, { onPage } = {}) => {
      onPage?.(both.slice(0, 1))
      await pages.promise
      onPage?.(both.slice(1))
      return ok({ items: both, unreachable: [] })
    }
  })
  await run.clock.advance(500)
  const counts = () => ['n0', 'n1'].map(name => run.shown().nodes.get(name)?.instances?.total ?? null)
  expect([...run.shown().instances.keys()]).toEqual(['i0'])
  expect(run.shown().sources.get('instances')?.state.kind).toBe('catching-up')
  expect(counts()).toEqual([null, null])
  run.view.readInstances(['i0'])
  await run.clock.advance(500)
  expect(counts()).toEqual([null, null])
  pages.resolve()
  await run.clock.advance(500)
  expect([...run.shown().instances.keys()]).toEqual(['i0', 'i1'])
  expect(run.shown().sources.get('instances')?.state.kind).toBe('live')
  expect(counts()).toEqual([2, 0])
})

describe('what cannot be asked', () => {
  test('is shown with its reason, keeps the last known facts, and comes back without help', async () => {
    const run = await watched(['n0'], ({ cloud }) => {
      cloud.instances = [fakeInstance('i0', 'n0', { updatedAt: NOW })]
    })
    expect(run.view.snapshot().view.nodes[0]?.instances?.total).toBe(1)
    run.world.cloud.failure = failure('unreachable', 'Nova does not answer.')
    await run.clock.advance(6000)
    const stateOf = (name: string) => run.view.snapshot().view.sources.find(source => source.name === name)?.state
    expect(stateOf('instances')).toMatchObject({ kind: 'offline', why: 'Nova does not answer.' })
    expect(stateOf('nodes')).not.toMatchObject({ kind: 'offline' })
    expect(run.view.snapshot().view.instances).toHaveLength(1)
    run.world.cloud.failure = null
    await run.clock.advance(6000)
    expect(stateOf('instances')).toMatchObject({ kind: 'live' })
  })

  test('is not counted as nothing: without the list of instances a node does not say how many it has', async () => {
    const run = await watched(['n0'], ({ cloud }) => {
      cloud.failure = failure('not-permitted', 'Nova refuses to list every project.')
    })
    expect(run.view.snapshot().view.nodes[0]).toMatchObject({ instances: null })
  })

  test('does not count as gone: while a cell of Nova is silent, no node is called empty', async () => {
    const run = await watched(['n0'], ({ cloud }) => {
      cloud.instances = [fakeInstance('i0', 'n0', { updatedAt: NOW })]
      cloud.services = [fakeService('n0', { status: 'disabled' })]
    })
    run.world.received.nodes?.onChange([fakeNode('n0', { unschedulable: true })], [])
    await run.clock.advance(200)
    expect(run.view.snapshot().view.nodes[0]).toMatchObject({ state: 'partial' })
    run.world.cloud.instances = [fakeInstance('i0', 'n0', { host: null, partial: true, updatedAt: NOW })]
    run.world.cloud.unreachable = ['a Nova cell does not answer']
    await run.clock.advance(70_000)
    const { nodes, sources, instances } = run.view.snapshot().view
    expect(instances[0]).toMatchObject({ id: 'i0', host: 'n0' })
    expect(nodes[0]).toMatchObject({ state: 'unknown' })
    expect(sources.find(source => source.name === 'instances')?.state).toMatchObject({
      kind: 'offline',
      why: 'a Nova cell does not answer.',
    })
  })

  describe('an empty list', () => {
    const USED = { id: 'p', name: 'n0', capacities: { VCPU: 8 }, usages: { VCPU: 2 } }
    const shownOf = (run: Watched) => {
      const { nodes, sources, instances } = run.view.snapshot().view
      const source = sources.find(({ name }) => name === 'instances')
      return { nodes, source, ids: instances.map(({ id }) => id) }
    }

    test('removes no instance that Nova still returns in a separate request', async () => {
      const run = await watched(['n0'], ({ cloud }) => {
        cloud.instances = [fakeInstance('i0', 'n0', { updatedAt: NOW })]
      })
      run.world.cloud.unlisted = run.world.cloud.instances
      run.world.cloud.instances = []
      await run.clock.advance(70_000)
      expect(shownOf(run)).toMatchObject({
        ids: ['i0'],
        source: {
          state: {
            kind: 'offline',
            why: expect.stringContaining('lacks vm-i0 (i0)'),
            reason: 'CloudAnswerLacks',
            values: { lacks: [{ code: 'ListLacksInstance' }] },
          },
        },
      })
      run.world.cloud.unlisted = []
      await run.clock.advance(10_000)
      expect(shownOf(run)).toMatchObject({ ids: [], source: { state: { kind: 'live' } } })
    })

    test('is not believed at the beginning while Placement counts allocations, and is once it counts none', async () => {
      const run = await watched(['n0'], ({ cloud }) => {
        cloud.providers = [USED]
      })
      await run.clock.advance(70_000)
      expect(shownOf(run).source?.state).toMatchObject({ kind: 'offline', why: expect.stringContaining('Placement') })
      run.world.cloud.providers = [{ ...USED, usages: { VCPU: 0 } }]
      await run.clock.advance(10_000)
      expect(shownOf(run).source?.state).toMatchObject({ kind: 'live' })
    })

    test('of compute services where there were some is not an answer: no node becomes partial', async () => {
      const run = await watched(['n0'])
      const before = run.view.snapshot().view.nodes[0]?.state
      run.world.cloud.services = []
      await run.clock.advance(20_000)
      expect(run.view.snapshot().view.nodes[0]?.computeService).not.toBeNull()
      expect(before).toBe('active')
    })
  })

  test('leaves the first board without its nodes: opening it fails with the reason', async () => {
    const clock = createVirtualClock()
    const world = scriptedCluster()
    const view = startLiveView({
      cluster: fakeCluster(),
      warnings: [],
      feeds: world.feeds,
      cloud: null,
      ceph: null,
      foreign: null,
      activeRuns: () => [],
      drainedOnly: () => new Map(),
      hasFailed: () => false,
      attention: () => ({ kind: 'shown' }),
      clock,
      onPatch: () => {},
    })
    world.received.nodes?.onState({ kind: 'offline', since: NOW, why: 'No connection to the API server.' })
    await expect(view.ready).resolves.toMatchObject({
      ok: false,
      failure: { message: 'No connection to the API server.' },
    })
    await view.stop()
    expect(clock.sleeping).toBe(0)
  })
})

describe('a node', () => {
  test('shows the lamps of its workload locks by what their spec names, and none where the cluster has no locks', async () => {
    const { world, clock, view } = await watched(['n0.example.org'])
    expect(view.snapshot().view.nodes[0]?.locks).toBeNull()
    const nodeLocks = [nodeLock('openstack', 'n0.example.org'), nodeLock('ceph', 'n0', { state: 'inactive' })]
    world.received.maintenance?.onObjects({ ...NO_MAINTENANCE_OBJECTS, nodeLocks })
    await clock.advance(200)
    const lamps = () => view.snapshot().view.nodes[0]?.locks?.map(lamp => `${lamp.controller} ${lamp.state}`)
    expect(lamps()).toEqual(['ceph inactive', 'openstack active'])
    world.received.maintenance?.onState({ kind: 'absent', why: 'This cluster has no node maintenance API.' })
    await clock.advance(200)
    expect(lamps()).toBeUndefined()
    expect(view.snapshot().view.maintenance).toBeNull()
  })

  test.each([
    ['once its locks were listed, though none is its own', true, 'active'],
    ['before any lock is read', false, 'unknown'],
  ] as const)('of a cloud with the node maintenance API: %s', async (_, isListed, state) => {
    const { world, clock, view } = await watched(['n0'], () => {}, { flavour: 'mosk' })
    if (isListed)
      world.received.maintenance?.onObjects({ ...NO_MAINTENANCE_OBJECTS, nodeLocks: [nodeLock('openstack', 'n1')] })
    await clock.advance(200)
    expect(view.snapshot().view.nodes[0]?.state).toBe(state)
  })

  test.each([
    ['a dead record beside the live one', 'down', 0],
    ['two live records', 'up', null],
  ] as const)('with %s has this count of instances', async (_, state, total) => {
    const { view } = await watched(['n0.example.org'], ({ cloud }) => {
      cloud.services = [fakeService('n0.example.org'), fakeService('n0.rack', { state })]
    })
    expect(view.snapshot().view.nodes[0]?.instances?.total ?? null).toBe(total)
  })

  test('the node of a lock is resolved again when nodes come and go (docs/domain.md A.1)', async () => {
    const { world, clock, view } = await watched(['n0'])
    const nodeLocks = [nodeLock('openstack', 'n1.example.org')]
    world.received.maintenance?.onObjects({ ...NO_MAINTENANCE_OBJECTS, nodeLocks })
    world.received.nodes?.onChange([fakeNode('n1')], [])
    await clock.advance(200)
    expect(view.snapshot().view.nodes.map(({ name, locks }) => [name, locks?.length])).toEqual([
      ['n0', 0],
      ['n1', 1],
    ])
  })

  test('its locks are sent once for each change, without the copy of the node on each of them', async () => {
    const { world, clock, view, patches } = await watched(['n0'])
    const annotations = { 'openstack.lcm.mirantis.com/original-node': '{"big":"copy"}', inner_state: 'active' }
    const objects = { ...NO_MAINTENANCE_OBJECTS, nodeLocks: [nodeLock('openstack', 'n0', { annotations })] }
    world.received.maintenance?.onObjects(objects)
    await clock.advance(200)
    world.received.maintenance?.onObjects(structuredClone(objects))
    await clock.advance(200)
    const reported = patches.flatMap(({ changes }) => changes).filter(({ kind }) => kind === 'maintenance')
    expect(reported).toHaveLength(1)
    expect(view.snapshot().view.maintenance?.nodeLocks[0]?.annotations).toEqual({ inner_state: 'active' })
  })

  test('hundreds of locks that change all the time are sent twice a second, and the last state is always sent', async () => {
    const { world, clock, patches } = await watched(['n0'])
    for (let round = 0; round < 40; round += 1) {
      const nodeLocks = Array.from({ length: 300 }, (_, index) =>
        nodeLock('openstack', `n${index}.example.org`, { errorMessage: `Waiting ${round}` }),
      )
      world.received.maintenance?.onObjects({ ...NO_MAINTENANCE_OBJECTS, nodeLocks })
      await clock.advance(50)
    }
    await clock.advance(1_000)
    const reported = patches.flatMap(({ changes }) => changes.filter(change => change.kind === 'maintenance'))
    expect(reported.length).toBeLessThanOrEqual(6)
    expect(reported.at(-1)?.value?.nodeLocks[0]?.errorMessage).toBe('Waiting 39')
  })

  test('says within 30 s that its run has lost its driver, although no event comes', async () => {
    let isDriven = true
    const runs = () => [{ runId: 'run1', node: 'n0', kind: 'enter', isDriven }] as const
    const { clock, view, stop } = await watched(['n0'], undefined, undefined, runs)
    const reason = () => view.snapshot().view.nodes[0]?.stateReason
    expect(reason()).toBe('Run run1 takes it out of service.')
    isDriven = false
    await clock.advance(30_000)
    expect(reason()).toContain('or stop it')
    await stop()
  })

  test('says who holds it, and that it is gone once its Lease was seen unchanged for as long as it lasts', async () => {
    const { world, clock, view } = await watched(['n0'])
    // Its clock is an hour behind, or seems so: the view draws no conclusion from that.
    const renewedAt = new Date(clock.now() - 3_600_000).toISOString()
    world.received.leases?.onChange(
      [
        {
          uid: 'l',
          node: 'n0',
          holder: fakeHolder({ runId: 'run1', machine: 'desk', since: renewedAt, renewedAt }),
          nooutRun: null,
          seen: { sinceMs: clock.monotonicMs(), renewed: false },
        },
      ],
      [],
    )
    await clock.advance(100)
    expect(view.snapshot().view.nodes[0]?.heldBy).toMatchObject({ operator: 'ann', machine: 'desk', runId: 'run1' })
    expect(view.snapshot().view.nodes[0]?.heldBy?.gone).toBe(false)
    await clock.advance(75_000)
    expect(view.snapshot().view.nodes[0]?.heldBy).toMatchObject({ operator: 'ann', gone: true })
  })
})

test('an instance that was changed by hand is read at once, without waiting for the next list', async () => {
  const run = await watched(['n0'], ({ cloud }) => {
    cloud.instances = [fakeInstance('i0', 'n0', { updatedAt: NOW })]
  })
  run.world.cloud.instances = [
    fakeInstance('i0', 'n0', { updatedAt: NOW, tags: ['openstack.lcm.mirantis.com:maintenance_action=notify'] }),
  ]
  run.view.readInstances(['i0'])
  await run.clock.advance(50)
  expect(run.shown().instances.get('i0')?.marks).toEqual(['notify'])
})

describe('a node that is removed from the cluster', () => {
  const gone = (run: Watched) => run.world.received.nodes?.onChange([], ['uid-n1'])
  const stateOf = (run: Watched) => run.shown().nodes.get('n1')?.state

  test('is shown as decommissioned while Nova still lists its host as down, and gone when Nova forgets it', async () => {
    const run = await watched(['n0', 'n1'], ({ cloud }) => {
      cloud.services = [fakeService('n0'), fakeService('n1', { state: 'down' })]
    })
    gone(run)
    await run.clock.advance(1_000)
    expect(stateOf(run)).toBe('decommissioned')
    run.world.cloud.services = [fakeService('n0')]
    await run.clock.advance(120_000)
    expect(stateOf(run)).toBeUndefined()
  })

  test('is gone at once where its nova-compute lives: a machine beside Kubernetes', async () => {
    const run = await watched(['n0', 'n1'])
    gone(run)
    await run.clock.advance(1_000)
    expect(stateOf(run)).toBeUndefined()
  })
})

describe('names of projects', () => {
  test('are in the view once Keystone listed them, and again when one is renamed', async () => {
    const { world, clock, patches, shown } = await watched(['cmp-1'], ({ cloud }) => {
      cloud.projects = [{ id: 'p1', name: 'shop' }]
    })
    await clock.advance(1_000)
    expect([...shown().projects]).toEqual([['p1', 'shop']])
    world.cloud.projects = [{ id: 'p1', name: 'store' }]
    await clock.advance(301_000)
    expect([...shown().projects]).toEqual([['p1', 'store']])
    const reported = patches.flatMap(({ changes }) => changes.filter(({ kind }) => kind === 'projects'))
    await clock.advance(120_000)
    expect(patches.flatMap(({ changes }) => changes.filter(({ kind }) => kind === 'projects'))).toEqual(reported)
  })
})

describe('a node that a run brought where it was to go', () => {
  /** States that a screen showed of n0, each once in a row, while both ends of a run are played with these delays. */
  async function statesShown(kind: 'enter' | 'leave', delays: readonly number[]): Promise<readonly string[]> {
    const [cordonMs = 0, serviceMs = 0, endMs = 0] = delays
    const after = kind === 'enter' ? 'disabled' : 'enabled'
    let runs: readonly ActiveNodeRun[] = [{ runId: 'r1', node: 'n0', kind, isDriven: true }]
    const run = await watched(
      ['n0'],
      ({ cloud }) => {
        cloud.services = [fakeService('n0', { status: kind === 'enter' ? 'enabled' : 'disabled' })]
      },
      {},
      () => runs,
    )
    const { clock, world, view, patches } = run
    const steps = [
      {
        at: cordonMs,
        act: () => world.received.nodes?.onChange([fakeNode('n0', { unschedulable: kind === 'enter' })], []),
      },
      { at: serviceMs, act: () => Object.assign(world.cloud, { services: [fakeService('n0', { status: after })] }) },
      {
        at: endMs,
        act: () => {
          runs = []
          view.runsChanged()
        },
      },
    ].sort((a, b) => a.at - b.at)
    world.received.nodes?.onChange([fakeNode('n0', { unschedulable: kind === 'leave' })], [])
    let now = 0
    for (const { at, act } of steps) {
      await clock.advance(at - now)
      now = at
      act()
    }
    await clock.advance(20_000)
    const states = patches.flatMap(({ changes }) =>
      changes.flatMap(change => (change.kind === 'node' ? [change.value.state] : [])),
    )
    await run.stop()
    running.splice(running.indexOf(run), 1)
    return states.filter((state, index) => state !== states[index - 1])
  }

  test.each([
    ['leave', 'leaving', 'active'],
    ['enter', 'entering', 'maintenance'],
  ] as const)('is never called partial on its %s, however late the polls are', async (kind, way, end) => {
    const ms = fc.constantFrom(0, 5, 40, 400, 1_900, 2_100, 5_500)
    await fc.assert(
      fc.asyncProperty(
        ms,
        ms,
        fc.constantFrom(0, 1, 30, 700),
        fc.constantFrom(0, 5, 40, 400, 900),
        async (node, nova, rest, late) => {
          // The run ends once all is verified; the watch may report the node a little later.
          const delays = [node + late, nova, Math.max(node, nova) + rest]
          const states = await statesShown(kind, delays)
          expect(states.filter(state => state !== way)).toEqual([end])
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is the present state at once where its run ended in another way', async () => {
    let runs: readonly ActiveNodeRun[] = [{ runId: 'r1', node: 'n0', kind: 'leave', isDriven: true }]
    const run = await watched(
      ['n0'],
      ({ cloud }) => {
        cloud.services = [fakeService('n0', { status: 'disabled' })]
      },
      {},
      () => runs,
      runId => runId === 'r1',
    )
    runs = []
    run.view.runsChanged()
    await run.clock.advance(200)
    expect(run.view.snapshot().view.nodes[0]).toMatchObject({ state: 'partial' })
  })

  test('is partial where lists made since say so', async () => {
    let runs: readonly ActiveNodeRun[] = [{ runId: 'r1', node: 'n0', kind: 'leave', isDriven: true }]
    const run = await watched(
      ['n0'],
      ({ cloud }) => {
        cloud.services = [fakeService('n0', { status: 'disabled' })]
      },
      {},
      () => runs,
    )
    await run.clock.advance(3_000)
    runs = []
    run.view.runsChanged()
    await run.clock.advance(200)
    expect(run.view.snapshot().view.nodes[0]).toMatchObject({ state: 'leaving', runId: null })
    await run.clock.advance(6_000)
    expect(run.view.snapshot().view.nodes[0]).toMatchObject({ state: 'partial' })
  })

  test('keeps no poll quick once there is no such node any more', async () => {
    let runs: readonly ActiveNodeRun[] = [{ runId: 'r1', node: 'n0', kind: 'leave', isDriven: true }]
    const run = await watched(
      ['n0', 'n1'],
      ({ cloud }) => {
        cloud.services = [fakeService('n0', { status: 'disabled' }), fakeService('n1')]
      },
      {},
      () => runs,
    )
    runs = []
    run.view.runsChanged()
    await run.clock.advance(200)
    expect(run.view.snapshot().view.nodes[0]).toMatchObject({ name: 'n0', state: 'leaving' })
    run.world.cloud.services = [fakeService('n1')]
    run.world.received.nodes?.onChange([], ['uid-n0'])
    await run.clock.advance(20_000)
    expect(run.view.snapshot().view.nodes.map(({ name }) => name)).toEqual(['n1'])
    run.world.cloud.asked.length = 0
    await run.clock.advance(60_000)
    expect(run.world.cloud.asked.filter(list => list === 'services').length).toBeLessThan(20)
  })

  test('is the last known state where no list comes any more', async () => {
    let runs: readonly ActiveNodeRun[] = [{ runId: 'r1', node: 'n0', kind: 'leave', isDriven: true }]
    const run = await watched(
      ['n0'],
      ({ cloud }) => {
        cloud.services = [fakeService('n0', { status: 'disabled' })]
      },
      {},
      () => runs,
    )
    run.world.cloud.failure = failure('unreachable', 'Nova is silent.')
    runs = []
    run.view.runsChanged()
    await run.clock.advance(30_000)
    expect(run.view.snapshot().view.nodes[0]).not.toMatchObject({ state: 'leaving' })
  })
})
