import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RetryDrain } from '../../../../main/adapters/kubernetes/drain-pod.ts'
import { planDrain } from '../../../../main/adapters/kubernetes/drain-reads.ts'
import { BUDGET, DEFAULTS, startDrains, uid } from '../../../fixtures/kubernetes/drains.ts'
import { status } from '../../../fixtures/kubernetes/fake-api.ts'
import type { ManualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import { NODE, type SmallCluster } from '../../../fixtures/kubernetes/small-cluster.ts'
import { until } from '../../../fixtures/kubernetes/until.ts'

let drains: Awaited<ReturnType<typeof startDrains>>
let clock: ManualClock
let cluster: SmallCluster
let drain: (typeof drains)['drain']
let sleepsAbout: (typeof drains)['sleepsAbout']

beforeEach(async () => {
  drains = await startDrains()
  ;({ clock, cluster, drain, sleepsAbout } = drains)
})

afterEach(() => cluster.close())

const TERMINATING = status(403, 'Forbidden', 'forbidden', {
  details: { causes: [{ reason: 'NamespaceTerminating', message: 'namespace default is being terminated' }] },
})

describe('5.3 evict or delete', () => {
  test('a drain retries failures that may pass, also for one pod alone, and asks only after its patience ends', async () => {
    cluster.add({ name: 'a' })
    cluster.add({ name: 'b' })
    let refusals = 3
    cluster.onRequest = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/pods/a/eviction') || refusals === 0) return undefined
      refusals -= 1
      return status(500, 'InternalError', 'etcdserver: leader changed')
    }
    const waitedOut: string[] = []
    const patient = (tries: number): RetryDrain => {
      return async (what, attempt) => {
        for (let left = tries; ; left -= 1) {
          const answer = await attempt()
          if (answer.ok || !answer.failure.retryable || left === 0) return answer
          waitedOut.push(what)
        }
      }
    }
    const given = await drain({}, { retryTransient: patient(1) })
    expect(await given.outcome).toMatchObject({
      kind: 'failed',
      failures: [{ pod: { name: 'a' }, why: expect.stringContaining('leader changed') }],
    })
    const { outcome } = await drain({}, { retryTransient: patient(5) })
    expect((await outcome).kind).toBe('drained')
    expect(waitedOut).toEqual(['pod/default/a', 'pod/default/a'])
    expect(cluster.removals.filter(({ path }) => path.endsWith('/b/eviction'))).toHaveLength(1)
  })

  test('eviction supported/enabled: every pod is evicted, with facts before the effect', async () => {
    cluster.add({ name: 'a' })
    cluster.add({ name: 'b' })
    const announced: number[] = []
    const { outcome, kinds } = await drain(
      {},
      { onFact: fact => fact.kind === 'pod.eviction-requested' && announced.push(cluster.removals.length) },
    )
    expect(await outcome).toEqual({ kind: 'drained', left: [uid('a'), uid('b')] })
    expect(kinds('a')).toEqual(['pod.eviction-requested', 'pod.eviction-accepted', 'pod.left'])
    expect(announced[0]).toBe(0)
    expect(cluster.removals.map(({ path }) => path).sort()).toEqual([
      '/api/v1/namespaces/default/pods/a/eviction',
      '/api/v1/namespaces/default/pods/b/eviction',
    ])
  })

  test('eviction unsupported: pods are deleted, one after another', async () => {
    cluster.evictionVersion = null
    cluster.add({ name: 'a' })
    cluster.add({ name: 'b' })
    const { outcome, facts } = await drain()
    expect((await outcome).kind).toBe('drained')
    expect(cluster.removals.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /api/v1/namespaces/default/pods/a',
      'DELETE /api/v1/namespaces/default/pods/b',
    ])
    expect(facts[0]).toMatchObject({ kind: 'pod.eviction-requested', how: 'delete' })
  })

  test('eviction supported/disabled: pods are deleted without asking what the server has', async () => {
    cluster.add({ name: 'a' })
    const { outcome } = await drain({ disableEviction: true })
    expect((await outcome).kind).toBe('drained')
    expect(cluster.removals.map(({ method }) => method)).toEqual(['DELETE'])
    expect(cluster.api.requests.some(({ path }) => path === '/api/v1')).toBe(false)
  })

  test('eviction unsupported/disabled: pods are deleted', async () => {
    cluster.evictionVersion = null
    cluster.add({ name: 'a' })
    const { outcome } = await drain({ disableEviction: true })
    expect((await outcome).kind).toBe('drained')
    expect(cluster.removals.map(({ method }) => method)).toEqual(['DELETE'])
  })

  test('rule 5: the first delete that fails leaves the rest untouched', async () => {
    cluster.evictionVersion = null
    for (const name of ['a', 'b', 'c']) cluster.add({ name })
    cluster.onRemove = pod => (pod?.metadata.name === 'b' ? status(403, 'Forbidden', 'no') : undefined)
    const { outcome } = await drain()
    expect(await outcome).toMatchObject({
      kind: 'failed',
      failures: [{ pod: uid('b') }],
      pending: [uid('c')],
    })
    expect(cluster.removals).toHaveLength(2)
    expect(cluster.pods.map(({ metadata }) => metadata.name)).toEqual(['b', 'c'])
  })

  test('rule 4: one pod that fails does not hold up the others', async () => {
    for (const name of ['a', 'b', 'c']) cluster.add({ name })
    cluster.onRemove = pod =>
      pod?.metadata.name === 'b'
        ? status(500, 'InternalError', 'This pod has more than one PodDisruptionBudget')
        : undefined
    const { outcome, kinds } = await drain()
    expect(await outcome).toMatchObject({ kind: 'failed', failures: [{ pod: uid('b') }], pending: [] })
    expect(kinds('b')).toEqual(['pod.eviction-requested', 'pod.failed'])
    expect(cluster.pods.map(({ metadata }) => metadata.name)).toEqual(['b'])
  })

  test('404: done, without waiting', async () => {
    cluster.add({ name: 'a' })
    cluster.onRemove = () => status(404, 'NotFound', 'pods "a" not found')
    const { outcome, kinds } = await drain()
    expect((await outcome).kind).toBe('drained')
    expect(kinds()).toEqual(['pod.eviction-requested', 'pod.left'])
  })

  test.each(['drop', 500, 504] as const)(
    'an eviction whose answer was lost (%s) is not sent again to the same pod once it terminates: the drain waits for it',
    async lost => {
      cluster.add({ name: 'a' })
      cluster.departure = 'stays'
      cluster.onRemove = () => {
        cluster.terminate('a', new Date(clock.now()).toISOString())
        return lost === 'drop' ? 'drop' : status(lost, 'InternalError', 'lost')
      }
      const { outcome, kinds } = await drain()
      await until(sleepsAbout(5_000), 'it waits for the next look')
      clock.advance(6_000)
      await until(sleepsAbout(20_000), 'the drain waits for the pod')
      expect(cluster.removals).toHaveLength(1)
      expect(kinds().filter(kind => kind === 'pod.eviction-requested')).toHaveLength(1)
      cluster.remove('a')
      expect((await outcome).kind).toBe('drained')
    },
  )

  test('429: waits 5 s and tries again until the budget allows it, and says the budget live (V6, V8)', async () => {
    cluster.add({ name: 'a' })
    let tries = 0
    cluster.onRemove = () => {
      tries += 1
      return tries < 3 ? BUDGET : undefined
    }
    const { outcome, facts } = await drain()
    for (const round of [1, 2]) {
      await until(() => tries === round && sleepsAbout(5_000)(), `the drain waits after try ${round}`)
      clock.advance(5_000)
    }
    expect((await outcome).kind).toBe('drained')
    expect(facts.filter(({ kind }) => kind === 'pod.eviction-refused')).toEqual([
      expect.objectContaining({
        sentence: 'The disruption budget b needs 2 healthy pods and has 2',
        retryAt: '2026-01-02T03:04:10.000Z',
      }),
      expect.objectContaining({ retryAt: '2026-01-02T03:04:15.000Z' }),
    ])
    expect(facts.filter(fact => fact.kind === 'pod.eviction-requested').map(fact => fact.attempt)).toEqual([1, 2, 3])
  })

  test('V6: the drain waits for a longer Retry-After', async () => {
    cluster.add({ name: 'a' })
    cluster.onRemove = () =>
      cluster.removals.length === 1 ? { ...(BUDGET as object), headers: { 'Retry-After': '10' } } : undefined
    const { outcome } = await drain()
    await until(sleepsAbout(10_000), 'the drain waits 10 s')
    clock.advance(10_000)
    expect((await outcome).kind).toBe('drained')
  })
})

describe('5.3 a namespace that is being deleted', () => {
  test('Pod refreshed after NamespaceTerminating: with a deletionTimestamp it is only waited for', async () => {
    cluster.add({ name: 'a' })
    cluster.onRemove = () => TERMINATING
    const { outcome } = await drain()
    await until(sleepsAbout(5_000), 'the drain waits to look again')
    cluster.terminate('a', '2026-01-02T03:04:06Z')
    clock.advance(5_000)
    await until(() => cluster.removals.length === 2, 'it is asked again')
    cluster.remove('a')
    expect((await outcome).kind).toBe('drained')
    expect(cluster.removals).toHaveLength(2)
  })

  test('Pod not refreshed after NamespaceTerminating: gone in between is left', async () => {
    cluster.add({ name: 'a' })
    cluster.onRemove = () => TERMINATING
    const { outcome, kinds } = await drain()
    await until(sleepsAbout(5_000), 'the drain waits to look again')
    cluster.remove('a')
    clock.advance(5_000)
    expect((await outcome).kind).toBe('drained')
    expect(kinds()).toEqual(['pod.eviction-requested', 'pod.eviction-refused', 'pod.left'])
  })
})

describe('5.6 where we deliberately differ', () => {
  test('V1: a pod that was replaced before it was asked to leave is not evicted', async () => {
    const pod = cluster.add({ name: 'a' })
    let looks = 0
    cluster.onRequest = ({ path }) => {
      if (path !== `/api/v1/nodes/${NODE}`) return undefined
      looks += 1
      // The second look at the node comes after the pods were listed and right before the first eviction.
      if (looks === 2) pod.metadata.uid = 'uid-other'
      return undefined
    }
    const { outcome, facts } = await drain()
    expect((await outcome).kind).toBe('drained')
    expect(facts).toEqual([{ kind: 'pod.left', how: 'replaced', pod: uid('a') }])
    expect(cluster.removals).toEqual([])
  })

  test('V1: after a refusal a namesake on another node is left alone', async () => {
    const pod = cluster.add({ name: 'a' })
    cluster.onRemove = () => BUDGET
    const { outcome, facts } = await drain()
    await until(sleepsAbout(5_000), 'the drain waits')
    pod.metadata.uid = 'uid-elsewhere'
    pod.spec.nodeName = 'cmp-2'
    clock.advance(5_000)
    expect((await outcome).kind).toBe('drained')
    expect(facts.at(-1)).toMatchObject({ kind: 'pod.left', how: 'replaced' })
    expect(cluster.removals).toHaveLength(1)
  })

  test('V1: the same pod bound to another node is left alone', async () => {
    const pod = cluster.add({ name: 'a' })
    cluster.onRemove = () => BUDGET
    const { outcome, facts } = await drain()
    await until(sleepsAbout(5_000), 'the drain waits')
    pod.spec.nodeName = 'cmp-2'
    clock.advance(5_000)
    expect((await outcome).kind).toBe('drained')
    expect(facts.at(-1)).toMatchObject({ kind: 'pod.left', how: 'moved' })
  })

  test('V1: 409 looks again, then decides', async () => {
    const pod = cluster.add({ name: 'a' })
    cluster.onRemove = () => {
      pod.metadata.uid = 'uid-other'
      return status(409, 'Conflict', 'the UID in the precondition does not match')
    }
    const { outcome, facts } = await drain()
    await until(() => facts.some(({ kind }) => kind === 'pod.eviction-refused'), 'the conflict is reported')
    clock.advance(1)
    expect((await outcome).kind).toBe('drained')
    expect(facts.at(-1)).toMatchObject({ kind: 'pod.left', how: 'replaced' })
    expect(cluster.removals).toHaveLength(1)
  })

  test('V2: nothing is evicted from a node that is not cordoned', async () => {
    cluster.cordoned = false
    cluster.add({ name: 'a' })
    const { outcome } = await drain()
    expect(await outcome).toMatchObject({ kind: 'refused', failure: { code: 'conflict', target: `node/${NODE}` } })
    expect(cluster.removals).toEqual([])
  })

  test('V3: an eviction with a broken connection is tried again', async () => {
    cluster.add({ name: 'a' })
    cluster.onRemove = () => (cluster.removals.length === 1 ? 'drop' : undefined)
    const { outcome } = await drain()
    await until(sleepsAbout(5_000), 'the drain waits')
    clock.advance(5_000)
    expect((await outcome).kind).toBe('drained')
    expect(cluster.removals).toHaveLength(2)
  })

  test('V7: at most 20 requests are in flight, while the drain waits for any number of pods', async () => {
    cluster.departure = 'stays'
    for (let index = 0; index < 60; index += 1) cluster.add({ name: `p${index}` })
    let most = 0
    cluster.onRemove = () => {
      most = Math.max(most, cluster.api.connections)
      return undefined
    }
    const { outcome, facts } = await drain()
    await until(() => facts.filter(({ kind }) => kind === 'pod.eviction-accepted').length === 60, 'all are accepted')
    for (let index = 0; index < 60; index += 1) cluster.remove(`p${index}`)
    expect((await outcome).kind).toBe('drained')
    // One more is the watch, and one may be an idle connection of the plan's parallel reads.
    expect(most).toBeLessThanOrEqual(24)
    expect(most).toBeGreaterThan(1)
  })

  test('V9: a plan sends one dry-run eviction per pod that leaves, and touches nothing', async () => {
    cluster.add({ name: 'a', labels: { app: 'x' } })
    cluster.add({ name: 'ds', owner: { kind: 'DaemonSet', name: 'agent' } })
    cluster.daemonSets.add('default/agent')
    cluster.budgets = [
      {
        metadata: { name: 'b', namespace: 'default' },
        spec: { selector: { matchLabels: { app: 'x' } } },
        status: { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 },
      },
    ]
    cluster.onRemove = () => BUDGET
    const session = await cluster.api.session(clock)
    const plan = await planDrain(session, clock, NODE, DEFAULTS, { dryRun: true, withBudgets: true })
    expect(plan).toMatchObject({
      ok: true,
      value: {
        evictionVersion: 'policy/v1',
        blockers: [],
        decisions: [
          {
            fate: 'evict',
            budgets: [{ name: 'b', disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 }],
            dryRun: { kind: 'refused', sentence: 'The disruption budget b needs 2 healthy pods and has 2' },
          },
          { fate: 'keep', warnings: ['ignoring DaemonSet-managed Pods'], dryRun: null },
        ],
      },
    })
    expect(cluster.removals.map(({ body }) => body)).toEqual([
      expect.objectContaining({ deleteOptions: { dryRun: ['All'], preconditions: { uid: 'uid-a' } } }),
    ])
    expect(cluster.pods).toHaveLength(2)
  })

  test('plans of one session discover evictions once in 30 s; a drain discovers them itself', async () => {
    const session = await cluster.api.session(clock)
    const discoveries = () => cluster.api.requests.filter(({ path }) => path === '/api/v1').length
    const plan = (dryRun: boolean) => planDrain(session, clock, NODE, DEFAULTS, { dryRun, withBudgets: false })
    await plan(true)
    await plan(true)
    expect(discoveries()).toBe(1)
    await plan(false)
    expect(discoveries()).toBe(2)
    clock.advance(30_000)
    await plan(true)
    expect(discoveries()).toBe(3)
  })
})
