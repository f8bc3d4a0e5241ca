import { expect, test } from 'vitest'
import { readCluster } from '../../../main/platform/reading/cluster-reading.ts'
import type { LeasePort } from '../../../main/ports/leases.ts'
import { PORT_ACCESS } from '../../../main/ports/port-access.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { whyNotWhole } from '../../../main/procedures/steps/general/pods-gone.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { Pod } from '../../../shared/domain/kubernetes.ts'
import { type LeaseName, nodeLease } from '../../../shared/domain/lease-name.ts'
import { must } from '../../../shared/domain/must.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import type { WatcherPlan } from '../../../shared/domain/watcher.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { DEFAULTS } from '../../fixtures/kubernetes/drains.ts'
import { fakeNode, fakePod } from '../../fixtures/procedures/fake-world.ts'
import { moskCloud } from '../../fixtures/procedures/lcm-world.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

/** A world whose every call is written down, by its subject and its input. */
function counted(): { readonly world: MaintenanceWorld; readonly calls: string[]; readonly signals: unknown[] } {
  const calls: string[] = []
  const signals: unknown[] = []
  const { world } = moskCloud().lcm
  const port = (name: string, effects: object) =>
    Object.fromEntries(
      Object.keys(effects).map(call => [
        call,
        async (...given: unknown[]) => {
          calls.push([name, call, ...given.filter(each => typeof each === 'string')].join(' '))
          signals.push(given.at(-1))
          return ok(null)
        },
      ]),
    )
  const ports = Object.fromEntries(Object.entries(PORT_ACCESS).map(([name, effects]) => [name, port(name, effects)]))
  const leases = {
    ...world.kubernetes.leases,
    holder: async (of: LeaseName) => {
      calls.push(`holder ${of}`)
      return ok(null)
    },
  }
  return {
    world: { ...world, ...ports, kubernetes: { ...ports.kubernetes, leases } } as MaintenanceWorld,
    calls,
    signals,
  }
}

const READS = Object.entries(PORT_ACCESS).flatMap(([port, effects]) =>
  Object.entries(effects).map(([call, effect]) => [port, call, effect] as const),
)

/** These read more than one thing, and have their own tests. */
const COMPOSED = ['leases', 'planDrain', 'recommend', 'resourceProviders']

test.each(READS.filter(([, call]) => !COMPOSED.includes(call)))('%s.%s (%s)', async (port, call, effect) => {
  const { world, calls } = counted()
  const reading = readCluster(world, createVirtualClock()).world as unknown as Record<
    string,
    Record<string, (of: string) => Promise<unknown>>
  >
  const ask = (of: string) => reading[port]?.[call]?.(of)
  await Promise.all([ask('cmp-1'), ask('cmp-1'), ask('cmp-2')])
  await ask('cmp-1')
  // What may act goes through as often as it is called.
  expect(calls).toHaveLength(effect === 'reads' ? 2 : 4)
})

test('who gives no signal asks the same question as who gives one', async () => {
  const { world, calls } = counted()
  const { kubernetes } = readCluster(world, createVirtualClock()).world
  await kubernetes.listNodes()
  await kubernetes.listNodes(undefined)
  await kubernetes.listNodes(new AbortController().signal)
  expect(calls).toHaveLength(1)
})

test('two who ask at once share the answer, also where it is a failure', async () => {
  const { world } = counted()
  let asked = 0
  const away = failed(failure('unreachable', 'The API server is away.'))
  const listNodes = async () => {
    asked += 1
    return away
  }
  const { kubernetes } = readCluster(
    { ...world, kubernetes: { ...world.kubernetes, listNodes } },
    createVirtualClock(),
  ).world
  expect(await Promise.all([kubernetes.listNodes(), kubernetes.listNodes()])).toEqual([away, away])
  expect(asked).toBe(1)
})

test('a cancel by one caller does not cancel for the others: requests belong to the whole reading', async () => {
  const { world, signals } = counted()
  const whole = new AbortController()
  const { kubernetes } = readCluster(world, createVirtualClock(), whole.signal).world
  await kubernetes.getNode('cmp-1', AbortSignal.abort())
  await kubernetes.planDrain('cmp-1', DEFAULTS, { dryRun: true, signal: AbortSignal.abort() })
  expect(signals).toEqual([whole.signal, expect.objectContaining({ dryRun: true, signal: whole.signal })])
})

test('the same drain with other options is another fact, for every caller', async () => {
  const { world, calls } = counted()
  const { kubernetes } = readCluster(world, createVirtualClock()).world
  const { signal } = new AbortController()
  await kubernetes.planDrain('cmp-1', DEFAULTS, { dryRun: true, signal })
  await kubernetes.planDrain('cmp-1', DEFAULTS, { dryRun: true })
  expect(calls).toHaveLength(1)
  await kubernetes.planDrain('cmp-1', { ...DEFAULTS, force: true }, { dryRun: true })
  await kubernetes.planDrain('cmp-1', DEFAULTS, { dryRun: false })
  expect(calls).toHaveLength(3)
})

test('a pass that lasts long does not judge by old facts: after half a minute a fact is read again', async () => {
  const { world, calls } = counted()
  const clock = createVirtualClock()
  const { kubernetes } = readCluster(world, clock).world
  await kubernetes.getNode('cmp-1')
  await clock.advance(29_000)
  await kubernetes.getNode('cmp-1')
  expect(calls).toHaveLength(1)
  await clock.advance(1_000)
  await kubernetes.getNode('cmp-1')
  expect(calls).toHaveLength(2)
})

test('a Lease is read as often as somebody looks: only looking again tells whether its holder lives', async () => {
  const { world, calls } = counted()
  const { kubernetes } = readCluster(world, createVirtualClock()).world
  await kubernetes.leases.holder(nodeLease('cmp-1'))
  await kubernetes.leases.holder(nodeLease('cmp-1'))
  expect(calls).toEqual(Array(2).fill(`holder ${nodeLease('cmp-1')}`))
})

test('a reading of a reading is the same one: no fact gets a later time than its own, or serves longer', async () => {
  const { world, calls } = counted()
  const clock = createVirtualClock()
  const outer = readCluster(world, clock)
  await outer.world.kubernetes.getNode('cmp-1')
  await clock.advance(20_000)
  const inner = readCluster(outer.world, clock)
  expect(inner.at).toBe(outer.at)
  await inner.world.kubernetes.getNode('cmp-1')
  expect(calls).toHaveLength(1)
  await clock.advance(10_000)
  await inner.world.kubernetes.getNode('cmp-1')
  expect(calls).toHaveLength(2)
})

const NODES = [fakeNode('cmp-1'), fakeNode('cmp-2')]
const PODS = [
  fakePod('here', { namespace: 'openstack', nodeName: 'cmp-1' }),
  fakePod('there', { namespace: 'kube-system', nodeName: 'cmp-2' }),
]

/** Lists that tell something, and each question that reached the cluster. */
function listing(
  leases: () => ReturnType<LeasePort['all']> = async () =>
    failed(failure('not-permitted', 'Leases may not be listed.')),
) {
  const { world, calls } = counted()
  const asked = <T>(what: string, answer: T) => {
    calls.push(what)
    return Promise.resolve(ok(answer))
  }
  const kubernetes = {
    ...world.kubernetes,
    listNodes: () => asked('nodes', NODES),
    listPods: (namespace: string | null) =>
      asked(
        `pods ${namespace ?? 'of all'}`,
        PODS.filter(pod => namespace === null || pod.namespace === namespace),
      ),
    leases: { ...world.kubernetes.leases, all: () => leases() },
  }
  return { calls, ...readCluster({ ...world, kubernetes }, createVirtualClock()).world }
}

test('lists that were read answer for what they show; a node that is not in them is read separately', async () => {
  const { calls, kubernetes } = listing()
  await Promise.all([kubernetes.listNodes(), kubernetes.listPods(null)])
  expect(await kubernetes.getNode('cmp-1')).toEqual(ok(NODES[0]))
  expect(await kubernetes.listPods('openstack')).toEqual(ok([PODS[0]]))
  expect(calls).toEqual(['nodes', 'pods of all'])
  expect(await kubernetes.listPods('rook-ceph')).toEqual(ok([]))
  expect(calls).toHaveLength(2)
  await kubernetes.getNode('cmp-9')
  expect(calls.slice(2)).toEqual(['kubernetes getNode cmp-9'])
})

test('the pods of a node are another question than all pods: what one list leaves out the other shows', async () => {
  const { world } = counted()
  const hidden = fakePod('hidden', { namespace: 'openstack', nodeName: 'cmp-1' })
  const lists = (all: readonly Pod[], here: readonly Pod[]) => {
    const kubernetes = { ...world.kubernetes, listPods: async () => ok(all), listPodsOnNode: async () => ok(here) }
    return readCluster({ ...world, kubernetes }, createVirtualClock()).world
  }
  const lacksOne = lists(PODS, [...PODS.slice(0, 1), hidden])
  await lacksOne.kubernetes.listPods(null)
  expect(await lacksOne.kubernetes.listPodsOnNode('cmp-1')).toEqual(ok([PODS[0], hidden]))
  const showsMore = lists([...PODS, hidden], PODS.slice(0, 1))
  await showsMore.kubernetes.listPods(null)
  const here = valueIn(await showsMore.kubernetes.listPodsOnNode('cmp-1'))
  expect(await whyNotWhole('cmp-1', here, { world: showsMore })).toMatchObject({
    code: 'PodListLacksPods',
    values: { pods: { names: ['openstack/hidden'] } },
  })
})

test('a list of all is not read where nobody else needs it', async () => {
  const { calls, kubernetes } = listing()
  await kubernetes.getNode('cmp-1')
  await kubernetes.listPods('openstack')
  expect(calls).toEqual(['kubernetes getNode cmp-1', 'pods openstack'])
})

test('resource providers are read once, with a signal and without', async () => {
  const { calls, openstack } = listing()
  const cloud = must(openstack, 'the cluster has a cloud')
  await cloud.resourceProviders()
  await cloud.resourceProviders(new AbortController().signal)
  expect(calls).toEqual(['openstack resourceProviders'])
})

const NOTED = { held: true, annotations: { note: 'run-7' } }

test('one list of Leases answers for all of them', async () => {
  let listed = 0
  const { calls, kubernetes } = listing(async () => {
    listed += 1
    return ok(new Map([[nodeLease('cmp-1'), NOTED]]))
  })
  expect(await kubernetes.isLeaseFree('cmp-1')).toEqual(ok(false))
  expect(await kubernetes.isLeaseFree('cmp-2')).toEqual(ok(true))
  expect(await kubernetes.getLeaseAnnotations('cmp-1')).toEqual(ok(NOTED.annotations))
  expect(await kubernetes.getLeaseAnnotations('cmp-2')).toEqual(ok({}))
  expect([listed, calls]).toEqual([1, []])
})

test.each(['not-permitted', 'unreadable'] as const)(
  'where the list of Leases is %s, each Lease is read separately',
  async code => {
    const { calls, kubernetes } = listing(async () => failed(failure(code, 'No list.')))
    await kubernetes.isLeaseFree('cmp-1')
    await kubernetes.getLeaseAnnotations('cmp-1')
    expect(calls).toEqual(['kubernetes isLeaseFree cmp-1', 'kubernetes getLeaseAnnotations cmp-1'])
  },
)

test('a plan that Watcher just recommended is not read again', async () => {
  const { world, calls } = counted()
  const plan = { uuid: 'p1', state: 'RECOMMENDED' }
  const watcher = must(world.watcher, 'the cloud has a Watcher')
  const recommend = async () => ok(plan as WatcherPlan)
  const read = must(
    readCluster({ ...world, watcher: { ...watcher, recommend } }, createVirtualClock()).world.watcher,
    'so',
  )
  await read.recommend({ goal: 'g', strategy: 's', parameters: {}, name: 'n' })
  expect(await read.plan('p1')).toEqual(ok(plan))
  expect(calls).toEqual([])
  await read.plan('p2')
  expect(calls).toEqual(['watcher plan p2'])
})
