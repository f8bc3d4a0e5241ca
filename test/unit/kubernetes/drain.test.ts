import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { drainNode } from '../../../main/kubernetes/drain.ts'
import { planDrain } from '../../../main/kubernetes/drain-reads.ts'
import { silentLogger } from '../../../main/log/logger.ts'
import type { DrainFact, DrainOptions, DrainOutcome } from '../../../shared/domain/kubernetes.ts'
import { status } from '../../fixtures/kubernetes/fake-api.ts'
import { type ManualClock, manualClock } from '../../fixtures/kubernetes/manual-clock.ts'
import { NODE, type SmallCluster, startSmallCluster } from '../../fixtures/kubernetes/small-cluster.ts'
import { until } from '../../fixtures/kubernetes/until.ts'

const DEFAULTS: DrainOptions = {
  force: false,
  ignoreDaemonSets: true,
  deleteEmptyDirData: false,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 0,
}
const TERMINATING = status(403, 'Forbidden', 'forbidden', {
  details: { causes: [{ reason: 'NamespaceTerminating', message: 'namespace default is being terminated' }] },
})
const BUDGET = status(429, 'TooManyRequests', 'Cannot evict pod', {
  details: {
    causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget b needs 2 healthy pods and has 2' }],
  },
})

let clock: ManualClock
let cluster: SmallCluster

beforeEach(async () => {
  clock = manualClock()
  cluster = await startSmallCluster(clock)
})

afterEach(() => cluster.close())

interface Drain {
  readonly outcome: Promise<DrainOutcome>
  readonly facts: DrainFact[]
  readonly abort: () => void
  readonly kinds: (pod?: string) => readonly string[]
}

async function drain(
  options: Partial<DrainOptions> = {},
  more: { readonly requestedBefore?: readonly string[]; readonly onFact?: (fact: DrainFact) => void } = {},
): Promise<Drain> {
  const facts: DrainFact[] = []
  const stop = new AbortController()
  const session = await cluster.api.session(clock)
  const outcome = drainNode({
    session,
    clock,
    log: silentLogger,
    node: NODE,
    options: { ...DEFAULTS, ...options },
    onFact: fact => {
      more.onFact?.(fact)
      facts.push(fact)
    },
    requestedBefore: new Set(more.requestedBefore ?? []),
    signal: stop.signal,
  })
  outcome.catch(() => {})
  return {
    outcome,
    facts,
    abort: () => stop.abort(),
    kinds: pod => facts.filter(fact => pod === undefined || fact.pod.name === pod).map(({ kind }) => kind),
  }
}

const sleepsAbout = (ms: number) => () => clock.asleep.some(asleep => asleep >= ms && asleep < ms + 1_001)
const uid = (name: string) => ({ namespace: 'default', name, uid: `uid-${name}` })

describe('5.3 evict or delete', () => {
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

  test('V6: a longer Retry-After is waited for', async () => {
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

describe('5.4 wait and time-out', () => {
  beforeEach(() => {
    cluster.departure = 'stays'
  })

  test('Wait for deleting to complete: the watch tells at once, without a second look', async () => {
    cluster.add({ name: 'a' })
    const { outcome, kinds } = await drain()
    await until(() => kinds().includes('pod.eviction-accepted'), 'the eviction is accepted')
    await until(sleepsAbout(20_000), 'only the backstop is left to ask')
    cluster.remove('a')
    expect((await outcome).kind).toBe('drained')
    expect(
      cluster.api.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/pods/a')),
    ).toHaveLength(1)
  })

  test('without permission to watch, the pod is asked for every second as kubectl does', async () => {
    cluster.onRequest = ({ query }) =>
      query.get('watch') === 'true' ? status(403, 'Forbidden', 'no watch') : undefined
    cluster.add({ name: 'a' })
    const { outcome } = await drain()
    await until(sleepsAbout(1_000), 'the drain waits for the next look')
    clock.advance(1_000)
    await until(
      () => cluster.api.requests.filter(({ path }) => path.endsWith('/pods/a')).length === 2,
      'it looks again',
    )
    await until(sleepsAbout(1_000), 'the drain waits for the next look')
    const [pod] = cluster.pods
    if (pod !== undefined) pod.metadata.uid = 'uid-other'
    clock.advance(1_000)
    expect((await outcome).kind).toBe('drained')
  })

  test('Pod found with same name but different UID is done', async () => {
    cluster.add({ name: 'a' })
    const { outcome, facts } = await drain()
    await until(sleepsAbout(20_000), 'the pod is waited for')
    const [pod] = cluster.pods
    if (pod !== undefined) pod.metadata.uid = 'uid-other'
    clock.advance(20_000)
    expect((await outcome).kind).toBe('drained')
    expect(facts.at(-1)).toMatchObject({ kind: 'pod.left', how: 'replaced', pod: uid('a') })
  })

  test('Deleting could timeout: the time covers evicting and waiting, and says what each pod waits for', async () => {
    cluster.add({ name: 'a' })
    cluster.add({ name: 'b' })
    cluster.onRemove = pod => (pod?.metadata.name === 'b' ? BUDGET : undefined)
    const { outcome, kinds } = await drain({ timeoutMs: 60_000 })
    await until(() => kinds('a').includes('pod.eviction-accepted'), 'a terminates')
    await until(() => kinds('b').includes('pod.eviction-refused'), 'b is refused')
    await until(() => sleepsAbout(5_000)() && sleepsAbout(20_000)(), 'both wait')
    clock.advance(60_000)
    expect(await outcome).toEqual({
      kind: 'timed-out',
      pending: [
        { pod: uid('a'), why: expect.stringContaining('terminates') },
        { pod: uid('b'), why: 'The disruption budget b needs 2 healthy pods and has 2' },
      ],
    })
  })

  test('Context Canceled: the operator stops the drain while it sleeps (V5)', async () => {
    cluster.add({ name: 'a' })
    cluster.onRemove = () => BUDGET
    const { outcome, abort } = await drain()
    await until(sleepsAbout(5_000), 'the drain waits')
    abort()
    expect(await outcome).toEqual({ kind: 'aborted', pending: [uid('a')] })
  })

  test('a drain that is stopped leaves no watch behind', async () => {
    cluster.add({ name: 'a' })
    const { outcome, abort } = await drain()
    await until(sleepsAbout(20_000), 'the drain waits')
    abort()
    await outcome
    expect(clock.asleep).toEqual([])
  })

  test('Client error could be passed out: a look that is not permitted fails the pod', async () => {
    cluster.add({ name: 'a' })
    const { outcome, kinds } = await drain()
    await until(sleepsAbout(20_000), 'the pod is waited for')
    cluster.onRequest = ({ path }) => (path.endsWith('/pods/a') ? status(403, 'Forbidden', 'no longer') : undefined)
    clock.advance(20_000)
    expect(await outcome).toMatchObject({
      kind: 'failed',
      failures: [{ pod: uid('a'), message: expect.stringContaining('no longer') }],
    })
    expect(kinds().at(-1)).toBe('pod.failed')
  })

  test('V3: a server that fails for a while is waited out', async () => {
    cluster.add({ name: 'a' })
    const { outcome } = await drain()
    await until(sleepsAbout(20_000), 'the pod is waited for')
    let fails = 0
    cluster.onRequest = ({ path }) => {
      if (!path.endsWith('/pods/a') || fails >= 8) return undefined
      fails += 1
      return status(503, 'ServiceUnavailable', 'restarting')
    }
    while (fails < 8) {
      clock.advance(500)
      await new Promise(resolve => setImmediate(resolve))
    }
    await until(sleepsAbout(20_000), 'the pod is waited for again')
    cluster.remove('a')
    expect((await outcome).kind).toBe('drained')
  })

  test('rule 4: a pod deleted long ago is not waited for when the operator says so', async () => {
    cluster.add({ name: 'a' })
    const { outcome } = await drain({ skipWaitForDeleteSeconds: 30 })
    await until(sleepsAbout(20_000), 'the pod is waited for')
    clock.advance(20_000)
    await until(sleepsAbout(20_000), 'the pod is waited for')
    clock.advance(20_000)
    expect(await outcome).toEqual({ kind: 'drained', left: [] })
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
    await until(() => facts.some(({ kind }) => kind === 'pod.eviction-refused'), 'the conflict is told')
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

  test('V3: an eviction that broke off is tried again', async () => {
    cluster.add({ name: 'a' })
    cluster.onRemove = () => (cluster.removals.length === 1 ? 'drop' : undefined)
    const { outcome } = await drain()
    await until(sleepsAbout(5_000), 'the drain waits')
    clock.advance(5_000)
    expect((await outcome).kind).toBe('drained')
    expect(cluster.removals).toHaveLength(2)
  })

  test('V7: at most 20 requests are in flight, while any number of pods is waited for', async () => {
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
})

describe('the whole node', () => {
  test('empty node', async () => {
    const { outcome } = await drain()
    expect(await outcome).toEqual({ kind: 'drained', left: [] })
  })

  test('missing node', async () => {
    cluster.onRequest = ({ path }) =>
      path.startsWith('/api/v1/nodes/') ? status(404, 'NotFound', `nodes "${NODE}" not found`) : undefined
    const { outcome } = await drain()
    expect(await outcome).toMatchObject({ kind: 'refused', failure: { code: 'not-found' } })
  })

  test('fail to list', async () => {
    cluster.add({ name: 'a' })
    cluster.onRequest = ({ path }) =>
      path === '/api/v1/pods' ? status(403, 'Forbidden', 'pods is forbidden') : undefined
    const { outcome } = await drain()
    expect(await outcome).toMatchObject({ kind: 'refused', failure: { code: 'not-permitted' } })
    expect(cluster.removals).toEqual([])
  })

  test('one pod that blocks keeps every pod of the node', async () => {
    cluster.add({ name: 'a' })
    cluster.add({ name: 'naked', owner: null })
    const { outcome } = await drain()
    expect(await outcome).toEqual({
      kind: 'blocked',
      blockers: ['cannot delete Pods that declare no controller (use --force to override): default/naked'],
    })
    expect(cluster.removals).toEqual([])
  })

  test('pods of another node are not touched', async () => {
    cluster.add({ name: 'a' })
    cluster.add({ name: 'other', node: 'cmp-2' })
    const { outcome } = await drain()
    expect(await outcome).toEqual({ kind: 'drained', left: [uid('a')] })
  })
})

describe('resuming, and the journal', () => {
  test('a pod whose eviction was announced before and that terminates is only waited for', async () => {
    cluster.add({ name: 'a', deletionTimestamp: '2026-01-02T03:04:00Z' })
    cluster.add({ name: 'b' })
    const { outcome, kinds } = await drain({}, { requestedBefore: ['uid-a', 'uid-b'] })
    await until(() => kinds('b').includes('pod.left'), 'b left')
    cluster.remove('a')
    expect((await outcome).kind).toBe('drained')
    expect(kinds('a')).toEqual(['pod.left'])
    expect(kinds('b')).toEqual(['pod.eviction-requested', 'pod.eviction-accepted', 'pod.left'])
  })

  test('a terminating pod that nobody of this run announced is evicted again, as kubectl does', async () => {
    cluster.add({ name: 'a', deletionTimestamp: '2026-01-02T03:04:00Z' })
    const { outcome } = await drain()
    expect((await outcome).kind).toBe('drained')
    expect(cluster.removals).toHaveLength(1)
  })

  test('when the journal refuses a fact, nothing is asked for and the refusal passes through', async () => {
    cluster.add({ name: 'a' })
    cluster.add({ name: 'b' })
    const refusal = new Error('the lease is lost')
    const { outcome } = await drain(
      {},
      {
        onFact: () => {
          throw refusal
        },
      },
    )
    await expect(outcome).rejects.toBe(refusal)
    expect(cluster.removals).toEqual([])
    expect(clock.asleep).toEqual([])
  })
})
