import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKubernetesPort } from '../../../main/adapters/kubernetes/kubernetes-port.ts'
import { readPod } from '../../../main/adapters/kubernetes/read-pod.ts'
import { PODS } from '../../../main/adapters/kubernetes/resource-types.ts'
import type { KubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { watchResource } from '../../../main/adapters/kubernetes/watch.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { KubernetesPort } from '../../../main/ports/kubernetes.ts'
import type { LeaseRequest } from '../../../main/ports/leases.ts'
import { maintenanceAccessQuestions } from '../../../main/procedures/steps/general/access-questions.ts'
import type { DrainFact, DrainOptions, WatchState } from '../../../shared/domain/kubernetes.ts'
import { nodeLease } from '../../../shared/domain/lease-name.ts'
import { labNamespace, labSession, must } from '../../fixtures/kubernetes/lab-session.ts'
import { until } from '../../fixtures/kubernetes/until.ts'
import { LAB_KUBECONFIG, LAB_VIEWER_KUBECONFIG } from '../lab-places.ts'

/**
 * The port against a real API server. The test creates the node that it cordons and drains, without a kubelet, so
 * that the lab's cloud does not change; its pods leave at once because they have no grace period.
 */
const NAME = `lockkeeper-port-${process.pid}`
const FOLDER = `/api/v1/namespaces/${NAME}/pods`
const BUDGETS = `/apis/policy/v1beta1/namespaces/${NAME}/poddisruptionbudgets`
const OPTIONS: DrainOptions = {
  force: true,
  ignoreDaemonSets: true,
  deleteEmptyDirData: false,
  disableEviction: false,
  gracePeriodSeconds: 0,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 60_000,
}

let session: KubernetesSession
let viewerSession: KubernetesSession
let port: KubernetesPort
let viewer: KubernetesPort

beforeAll(async () => {
  session = await labSession(LAB_KUBECONFIG)
  viewerSession = await labSession(LAB_VIEWER_KUBECONFIG)
  const more = { leaseNamespace: NAME, clock: systemClock, log: silentLogger }
  port = createKubernetesPort({ session, ...more })
  viewer = createKubernetesPort({ session: viewerSession, ...more })
  await labNamespace(session, NAME)
  await must(session, 'POST', '/api/v1/nodes', { metadata: { name: NAME } })
})

afterAll(async () => {
  await must(session, 'DELETE', `/api/v1/nodes/${NAME}`)
  await must(session, 'DELETE', `/api/v1/namespaces/${NAME}`)
  session.close()
  viewerSession.close()
})

async function makePod(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
  await must(session, 'POST', FOLDER, {
    metadata: { name, labels },
    spec: { nodeName: NAME, containers: [{ name: 'c', image: 'busybox' }] },
  })
  await must(session, 'PATCH', `${FOLDER}/${name}/status`, {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  })
}

const drain = (onFact: (fact: DrainFact) => void = () => {}, options: DrainOptions = OPTIONS) =>
  port.drain(NAME, options, { onFact, requestedBefore: new Set(), signal: new AbortController().signal })

test('nodes are read, with everything rules need', async () => {
  const nodes = await port.listNodes()
  const node = nodes.ok ? nodes.value.find(({ name }) => name === 'ctl-1') : undefined
  expect(node).toMatchObject({ readiness: 'ready', kubeletVersion: 'v1.20.2' })
  expect(node?.uid).toMatch(/^[0-9a-f-]{36}$/)
})

test('reports the version', async () => {
  expect(await session.version()).toMatchObject({ ok: true, value: { gitVersion: 'v1.20.2' } })
})

test('budgets and workloads are read from a server that only has policy/v1beta1', async () => {
  const budgets = await port.listBudgets()
  expect(budgets.ok && budgets.value.find(({ name }) => name === 'mariadb-server')).toMatchObject({
    apiVersion: 'policy/v1beta1',
    namespace: 'openstack',
    selector: { matchLabels: expect.anything() },
  })
  const workloads = await port.listWorkloads(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'])
  expect(workloads.ok && new Set(workloads.value.map(({ kind }) => kind))).toEqual(
    new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet']),
  )
})

describe('permissions', () => {
  test('an administrator may do all a plan needs, a user without rights nothing', async () => {
    const questions = maintenanceAccessQuestions(NAME)
    const ours = await port.reviewAccess(questions)
    expect(ours.ok && ours.value.every(({ allowed }) => allowed)).toBe(true)
    const theirs = await viewer.reviewAccess(questions)
    expect(theirs.ok && theirs.value.filter(({ question, allowed }) => allowed && question.verb === 'patch')).toEqual(
      [],
    )
  })

  test("a refusal names verb, resource and the server's own rule", async () => {
    expect(await viewer.setUnschedulable(NAME, true)).toMatchObject({
      ok: false,
      failure: { code: 'not-permitted', message: expect.stringMatching(/nodes.+User "viewer" cannot/) },
    })
  })
})

test('cordon and uncordon change the node once, and say when there is nothing to change', async () => {
  expect(await port.setUnschedulable(NAME, true)).toEqual({ ok: true, value: { changed: true } })
  expect(await port.setUnschedulable(NAME, true)).toEqual({ ok: true, value: { changed: false } })
  expect(await port.getNode(NAME)).toMatchObject({ ok: true, value: { unschedulable: true } })
  expect(await port.setUnschedulable(NAME, false)).toEqual({ ok: true, value: { changed: true } })
  expect(await port.getNode(NAME)).toMatchObject({ ok: true, value: { unschedulable: false } })
})

test('annotations are set and removed without touching others', async () => {
  expect((await port.annotateNode(NAME, { 'lockkeeper.dev/a': '1', 'lockkeeper.dev/b': '2' })).ok).toBe(true)
  expect((await port.annotateNode(NAME, { 'lockkeeper.dev/a': null })).ok).toBe(true)
  const node = await port.getNode(NAME)
  expect(node.ok && node.value.annotations).toMatchObject({ 'lockkeeper.dev/b': '2' })
  expect(node.ok && node.value.annotations).not.toHaveProperty('lockkeeper.dev/a')
})

describe('leases on a real server', () => {
  const request = (identity: string): LeaseRequest => ({
    name: nodeLease(NAME),
    identity,
    runId: 'run-1',
    operator: 'ada',
    machine: 'bastion',
    durationSeconds: 60,
  })

  test('of twenty who ask at once one wins, renews and gives back', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => port.leases.acquire(request(`c${index}`))),
    )
    const winners = answers.flatMap((answer, index) =>
      answer.ok && answer.value.kind === 'acquired' ? [`c${index}`] : [],
    )
    expect(winners).toHaveLength(1)
    expect(answers.every(({ ok }) => ok)).toBe(true)
    const [winner = ''] = winners
    expect(await port.leases.holder(nodeLease(NAME))).toMatchObject({
      ok: true,
      value: { identity: winner, operator: 'ada' },
    })
    expect(await port.leases.renew(request(winner))).toEqual({ ok: true, value: { kind: 'renewed' } })
    expect(await port.leases.release(request(winner))).toEqual({ ok: true, value: undefined })
    expect(await port.leases.holder(nodeLease(NAME))).toEqual({ ok: true, value: null })
    expect(await port.leases.acquire(request('next'))).toEqual({ ok: true, value: { kind: 'acquired' } })
    expect(await port.leases.renew(request(winner))).toMatchObject({
      ok: true,
      value: { kind: 'lost', by: { identity: 'next' } },
    })
  })
})

describe('drain on a real server', () => {
  test('V2: a node that is not cordoned keeps its pods', async () => {
    await port.setUnschedulable(NAME, false)
    await makePod('stays')
    expect(await drain()).toMatchObject({ kind: 'refused', failure: { code: 'conflict' } })
    expect(await port.getPod(NAME, 'stays')).toMatchObject({ ok: true, value: { deletionAt: null } })
  })

  test('pods leave by policy/v1beta1 eviction; the drain quotes a budget and waits for it, and the rest continues', async () => {
    await port.setUnschedulable(NAME, true)
    await must(session, 'POST', BUDGETS, {
      metadata: { name: 'guard' },
      spec: { minAvailable: 1, selector: { matchLabels: { guarded: 'yes' } } },
    })
    await makePod('guarded', { guarded: 'yes' })
    await makePod('free')
    const budgetCounted = async () => {
      const budgets = await port.listBudgets()
      return (
        budgets.ok && budgets.value.some(({ namespace, currentHealthy }) => namespace === NAME && currentHealthy === 1)
      )
    }
    const giveUpAt = Date.now() + 30_000
    while (!(await budgetCounted()) && Date.now() < giveUpAt) await new Promise(resolve => setTimeout(resolve, 50))
    const plan = await port.planDrain(NAME, OPTIONS, { dryRun: true })
    const guarded = plan.ok ? plan.value.decisions.find(({ pod }) => pod.name === 'guarded') : undefined
    expect(guarded).toMatchObject({
      fate: 'evict',
      budgets: [{ name: 'guard', disruptionsAllowed: 0 }],
      dryRun: { kind: 'refused', sentence: expect.stringContaining('guard') },
    })
    const facts: DrainFact[] = []
    const outcome = drain(fact => facts.push(fact))
    const refused = () => facts.find(fact => fact.kind === 'pod.eviction-refused')
    await until(() => refused() !== undefined, 'the budget refuses')
    expect(refused()).toMatchObject({ pod: { name: 'guarded' }, sentence: expect.stringContaining('guard') })
    await until(() => facts.some(fact => fact.kind === 'pod.left' && fact.pod.name === 'free'), 'the free pod leaves')
    await must(session, 'DELETE', `${BUDGETS}/guard`)
    expect(await outcome).toMatchObject({ kind: 'drained' })
    const after = await port.listPodsOnNode(NAME)
    expect(after.ok && after.value).toEqual([])
  })

  test('V1: a new pod with the same name is not evicted in place of the chosen pod', async () => {
    await port.setUnschedulable(NAME, true)
    await makePod('again')
    const before = await port.getPod(NAME, 'again')
    await must(session, 'DELETE', `${FOLDER}/again`, { gracePeriodSeconds: 0 })
    await makePod('again')
    const { removePod } = await import('../../../main/adapters/kubernetes/eviction.ts')
    if (!before.ok) throw new Error(before.failure.message)
    const answer = await removePod(session, {
      pod: before.value,
      version: 'policy/v1beta1',
      gracePeriodSeconds: 0,
      dryRun: false,
    })
    expect(answer.kind).toBe('conflict')
    expect(await port.getPod(NAME, 'again')).toMatchObject({ ok: true, value: { deletionAt: null } })
    expect((await drain()).kind).toBe('drained')
  })

  test('without eviction pods are deleted', async () => {
    await port.setUnschedulable(NAME, true)
    await makePod('plain')
    const facts: DrainFact[] = []
    expect(await drain(fact => facts.push(fact), { ...OPTIONS, disableEviction: true })).toMatchObject({
      kind: 'drained',
    })
    expect(facts[0]).toMatchObject({ kind: 'pod.eviction-requested', how: 'delete' })
  })
})

describe('watch on a real server', () => {
  async function watching(
    over: KubernetesSession,
    work: (seen: { changes: string[]; states: WatchState[] }) => Promise<void>,
  ) {
    const stop = new AbortController()
    const seen = { changes: [] as string[], states: [] as WatchState[] }
    const done = watchResource({
      session: over,
      collection: { type: PODS, namespace: NAME },
      parse: readPod,
      onChange: (upserts, removals) =>
        seen.changes.push(...upserts.map(({ name }) => `+${name}`), ...removals.map(({ name }) => `-${name}`)),
      onState: state => seen.states.push(state),
      clock: systemClock,
      signal: stop.signal,
    })
    try {
      await work(seen)
    } finally {
      stop.abort()
      await done
    }
  }

  test('a pod that comes and goes is seen', async () => {
    await watching(session, async ({ changes, states }) => {
      await until(() => states.at(-1)?.kind === 'live', 'the watch is live')
      await makePod('seen')
      await until(() => changes.includes('+seen'), 'the pod is seen')
      await must(session, 'DELETE', `${FOLDER}/seen`, { gracePeriodSeconds: 0 })
      await until(() => changes.includes('-seen'), 'its end is seen')
    })
  })

  test('reports missing rights to a user without rights', async () => {
    await watching(viewerSession, async ({ states }) => {
      await until(() => states.at(-1)?.kind === 'not-permitted', 'the refusal is reported')
    })
  })
})
