import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KubernetesRequest } from '../../main/adapters/kubernetes/send-request.ts'
import type { KubernetesAnswer } from '../../main/adapters/kubernetes/session.ts'
import { type ServerAbilities, serverAbilities } from './server-abilities.ts'
import { type ContractTarget, until, value } from './target.ts'

const NAME = `contract-${process.pid}`
const PODS = `/api/v1/namespaces/${NAME}/pods`
const MAPS = `/api/v1/namespaces/${NAME}/configmaps`
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const FINALIZER = 'lockkeeper.dev/contract'
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."

/**
 * What our adapters rely on in the answers of API servers (docs/drain.md 5.5 and 5.7): the same tests run against the embedded
 * cluster, as 1.36 and as 1.20, and against the lab's real 1.20. The tests ask the server what its release can do.
 */
export function apiServerContract(target: () => ContractTarget): void {
  let able: ServerAbilities
  const budgets = () => `/apis/${able.policy}/namespaces/${NAME}/poddisruptionbudgets`

  beforeAll(async () => {
    able = await serverAbilities(target().session)
    value(
      await target().session.request({
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { metadata: { name: NAME } },
      }),
    )
  })
  afterAll(async () => {
    await target().session.request({ method: 'DELETE', path: `${DEFINITIONS}/lates.${NAME}.lockkeeper.dev` })
    await target().session.request({ method: 'DELETE', path: `/api/v1/namespaces/${NAME}` })
  })

  const answer = async (method: KubernetesRequest['method'], path: string, body?: unknown): Promise<KubernetesAnswer> =>
    value(
      await target().session.exchange({
        method,
        path,
        body,
        contentType: method === 'PATCH' ? 'application/merge-patch+json' : undefined,
        retry: false,
      }),
    )
  const made = async (path: string, body: unknown) => expect((await answer('POST', path, body)).status).toBe(201)
  const read = async (path: string) => (await answer('GET', path)).body as ReadObject

  /** A pod whose label `app` is its name, running on the compute node unless `spec` names another; ready unless it has gates. */
  async function makePod(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
    const body = {
      metadata: { name, labels: { app: name }, ...metadata },
      spec: {
        nodeName: target().computeNode,
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'c', image: 'busybox' }],
        ...spec,
      },
    }
    // A namespace accepts pods once its service account exists.
    await until(`pod ${name} is made`, async () => ((await answer('POST', PODS, body)).status === 201 ? true : null))
  }
  const isReady = ({ status }: ReadObject) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  const settled = (name: string, holds: (pod: ReadObject) => boolean) =>
    until(`pod ${name}`, async () => {
      const pod = await read(`${PODS}/${name}`)
      return holds(pod) ? pod : null
    })

  /** A budget for the pods of an app, whose newest generation the controller has observed. */
  async function makeBudget(name: string, app: string, spec: object): Promise<void> {
    await made(budgets(), {
      apiVersion: able.policy,
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { selector: { matchLabels: { app } }, ...spec },
    })
    await until(`budget ${name} is processed`, async () => {
      const { metadata, status } = await read(`${budgets()}/${name}`)
      return status?.observedGeneration === metadata.generation && status?.expectedPods === 1 ? true : null
    })
  }

  const evict = (name: string, dryRun = true) =>
    answer('POST', `${PODS}/${name}/eviction`, {
      apiVersion: able.policy,
      kind: 'Eviction',
      metadata: { name, namespace: NAME },
      deleteOptions: dryRun ? { dryRun: ['All'] } : {},
    })
  const refusal = (sentence: string) => ({
    status: 429,
    body: {
      kind: 'Status',
      status: 'Failure',
      reason: 'TooManyRequests',
      message: REFUSED,
      details: { causes: [{ reason: 'DisruptionBudget', message: sentence }] },
    },
  })

  it('refuses an eviction that a budget does not allow, gives its name and numbers, and no Retry-After', async () => {
    await makePod('guarded')
    await settled('guarded', isReady)
    await makeBudget('full', 'guarded', { minAvailable: 1 })
    await until('the budget counts the pod', async () =>
      (await read(`${budgets()}/full`)).status?.currentHealthy === 1 ? true : null,
    )
    const refused = await evict('guarded')
    expect(refused).toMatchObject(refusal('The disruption budget full needs 1 healthy pods and has 1 currently'))
    expect(refused.retryAfterMs).toBeNull()
  })

  it('refuses permanently if two budgets select a pod', async () => {
    await makeBudget('second', 'guarded', { minAvailable: 0 })
    expect(await evict('guarded')).toMatchObject({
      status: 500,
      body: {
        message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      },
    })
    expect((await answer('DELETE', `${budgets()}/second`)).status).toBe(200)
  })

  it('refuses an eviction while it processes the budget; since 1.22 with a Retry-After of 10 s', async () => {
    // Its controller cannot compute a percentage for pods whose owner has no scale, so its status stays old.
    await made(MAPS, { metadata: { name: 'owner' } })
    const { uid } = (await read(`${MAPS}/owner`)).metadata
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, controller: true }
    await makePod('owned', {}, { ownerReferences: [owner] })
    await settled('owned', isReady)
    await makeBudget('behind', 'owned', { minAvailable: 0 })
    const change = { spec: { minAvailable: null, maxUnavailable: 1 } }
    expect((await answer('PATCH', `${budgets()}/behind`, change)).status).toBe(200)
    const refused = await evict('owned')
    expect(refused).toMatchObject(refusal('The disruption budget behind is still being processed by the server.'))
    expect(refused.retryAfterMs).toBe(able.answersWhenProcessed ? 10_000 : null)
  })

  it('evicts an unready pod despite its budget if the budget has AlwaysAllow, on servers that know it', async () => {
    await makePod('sick', { readinessGates: [{ conditionType: 'contract.lockkeeper.dev/open' }] })
    await settled('sick', pod => pod.status?.phase === 'Running' && !isReady(pod))
    await makeBudget('lenient', 'sick', { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })
    const strict = refusal('The disruption budget lenient needs 1 healthy pods and has 0 currently')
    expect(await evict('sick')).toMatchObject(able.unhealthyPods ? { status: 201 } : strict)
    const heeding = { spec: { unhealthyPodEvictionPolicy: null } }
    expect((await answer('PATCH', `${budgets()}/lenient`, heeding)).status).toBe(200)
    await until('the change is processed', async () => ((await evict('sick')).retryAfterMs === null ? true : null))
    expect(await evict('sick')).toMatchObject(strict)
  })

  it('evicts a pending pod despite its budget', async () => {
    await makePod('waiting', { nodeName: undefined, nodeSelector: { 'contract.lockkeeper.dev/nowhere': 'yes' } })
    await makeBudget('firm', 'waiting', { minAvailable: 1 })
    expect(await evict('waiting')).toMatchObject({ status: 201, body: { kind: 'Status', status: 'Success' } })
  })

  it('marks an evicted pod (since 1.26), and a pod with a finalizer stays terminating', async () => {
    await makePod('marked', {}, { finalizers: [FINALIZER] })
    await settled('marked', isReady)
    expect((await evict('marked', false)).status).toBe(201)
    const pod = await settled('marked', ({ metadata }) => metadata.deletionTimestamp !== undefined)
    const mark = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }
    const marks = (pod.status?.conditions ?? []).filter(({ type }) => type === mark.type)
    expect(marks).toMatchObject(able.marksEvicted ? [mark] : [])
    // A second eviction ignores every budget, and the pod still stays.
    expect((await evict('marked')).status).toBe(201)
    expect((await answer('PATCH', `${PODS}/marked`, { metadata: { finalizers: null } })).status).toBe(200)
    await until('it is gone', async () => ((await answer('GET', `${PODS}/marked`)).status === 404 ? true : null))
  })

  /** The events of a watch until the server ends it. */
  async function eventsOf(
    query: Readonly<Record<string, string>>,
    during = async () => {},
    path = MAPS,
  ): Promise<WatchEvent[]> {
    const whole = { ...query, watch: true, timeoutSeconds: 2 }
    const opened = value(await target().session.stream({ method: 'GET', path, query: whole, retry: false }))
    expect(opened.status).toBe(200)
    await during()
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of opened.body) text += decoder.decode(chunk, { stream: true })
    return text
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as WatchEvent)
  }
  /** The path of objects of a new kind; its definition is removed with the rest. */
  async function defineKind(): Promise<string> {
    const group = `${NAME}.lockkeeper.dev`
    const schema = { openAPIV3Schema: { type: 'object' } }
    await made(DEFINITIONS, {
      metadata: { name: `lates.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural: 'lates', singular: 'late', kind: 'Late', listKind: 'LateList' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    })
    await until('the kind is served', async () =>
      (await answer('GET', `/apis/${group}/v1/lates`)).status === 200 ? true : null,
    )
    return `/apis/${group}/v1/lates`
  }
  const far = async () => String(Number((await read(MAPS)).metadata.resourceVersion) + 1_000_000)

  it('lists objects at least as new as a version, and refuses a future version after three seconds', async () => {
    const list = async (resourceVersion: string) => answer('GET', `${MAPS}?resourceVersion=${resourceVersion}`)
    // The version of an object, because a real 1.20 answers 504 to the version of the list while no object changes.
    await made(MAPS, { metadata: { name: 'newest' } })
    expect((await list((await read(`${MAPS}/newest`)).metadata.resourceVersion)).status).toBe(200)
    const late = await list(await far())
    expect(late).toMatchObject({
      status: 504,
      retryAfterMs: 1000,
      body: {
        reason: 'Timeout',
        message: expect.stringMatching(/Too large resource version: \d+, current: \d+/),
        details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
      },
    })
    expect(late.tookMs).toBeGreaterThanOrEqual(2_900)
  })

  it('opens a watch from a future version and sends no events', async () => {
    const bookmarks = { allowWatchBookmarks: 'true' }
    const events = await eventsOf({ resourceVersion: await far(), ...bookmarks }, () =>
      made(MAPS, { metadata: { name: 'unseen' } }),
    )
    expect(events).toEqual([])
  })

  it('opens a watch from a version that is too old, and ends it with one ERROR event with code 410', async () => {
    // A new kind, because a server that started with an empty store still has all events of its built-in kinds.
    const late = await defineKind()
    const events = await eventsOf({ resourceVersion: '1' }, undefined, late)
    expect(events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410 } }])
    expect(['Expired', 'Gone']).toContain(events[0]?.object.reason)
  })

  it('starts a watch with the existing objects and a bookmark after them, or refuses if its release cannot', async () => {
    await answer('POST', MAPS, { metadata: { name: 'first' } })
    const query = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' }
    if (!able.initialEvents) {
      const refused = await answer('GET', `${MAPS}?${new URLSearchParams({ watch: 'true', ...query })}`)
      expect(refused).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
      return
    }
    const events = await eventsOf(query)
    const end = events.findIndex(({ type }) => type === 'BOOKMARK')
    expect(events.slice(0, end).map(({ type }) => type)).toContain('ADDED')
    expect(events.slice(0, end).every(({ type }) => type === 'ADDED')).toBe(true)
    expect(events[end]?.object.metadata).toMatchObject({
      annotations: { 'k8s.io/initial-events-end': 'true' },
      resourceVersion: expect.stringMatching(/^\d+$/),
    })
  })
}

interface ReadObject {
  readonly metadata: {
    readonly uid: string
    readonly resourceVersion: string
    readonly generation?: number
    readonly deletionTimestamp?: string
  }
  readonly status?: {
    readonly phase?: string
    readonly observedGeneration?: number
    readonly expectedPods?: number
    readonly currentHealthy?: number
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

interface WatchEvent {
  readonly type: string
  readonly object: { readonly code?: number; readonly reason?: string; readonly metadata?: object }
}
