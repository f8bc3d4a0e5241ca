import { afterEach, beforeAll, expect, it } from 'vitest'
import type { LockTarget } from '../../main/ports/maintenance-api.ts'
import type { NodeMaintenanceRequest, NodeWorkloadLock } from '../../shared/domain/maintenance-api.ts'
import { must } from '../../shared/domain/must.ts'
import { type ContractTarget, failureOf, until, value } from './target.ts'

const FOLDER = '/apis/lcm.mirantis.com/v1alpha1'
const API_VERSION = 'lcm.mirantis.com/v1alpha1'
const FINALIZER = 'lcm.mirantis.com/lockkeeper-contract-finalizer'
const NO_SUCH_UID = '00000000-0000-4000-8000-000000000000'

/**
 * What our adapter of the node maintenance API relies on (docs/domain.md A.1): the same tests run against the embedded cluster and the
 * real lab, which others use at the same time. Everything created here is called `contract-…` and has no name of a node of the cluster.
 */
export function maintenanceContract(target: () => ContractTarget): void {
  const api = () => target().maintenanceApi
  const locks = () => target().locks

  beforeAll(async () => {
    value(await api().installDefinitions())
    await wipe(target())
  })
  afterEach(() => wipe(target()))

  const asked = async (name: string): Promise<NodeMaintenanceRequest> =>
    value(
      await api().createNodeRequest({
        name,
        nodeName: 'contract-node',
        scope: 'os',
        release: null,
        annotations: { 'lockkeeper.dev/reason': 'new firmware' },
      }),
    )
  const locked = async (name: string): Promise<LockTarget> => {
    const { uid } = value(
      await locks().createNodeLock({
        name,
        controller: 'contract',
        nodeName: 'contract-node',
        nodeDeletionRequestSupported: true,
        annotations: {},
      }),
    )
    return { kind: 'NodeWorkloadLock', name, uid }
  }
  const requestNow = async (name: string) =>
    value(await api().objects()).nodeRequests.find(request => request.name === name)
  const lockNow = async (name: string): Promise<NodeWorkloadLock> =>
    must(
      value(await api().objects()).nodeLocks.find(lock => lock.name === name),
      `lock ${name} is there`,
    )
  const raw = (method: 'POST' | 'PATCH', path: string, body: unknown, query = {}) =>
    target().session.request({
      method,
      path: `${FOLDER}/${path}`,
      query,
      body,
      contentType: method === 'PATCH' ? 'application/merge-patch+json' : undefined,
    })

  it('docs/domain.md A.1: all six definitions exist after the installation, and a second installation changes nothing', async () => {
    const installed = value(await api().installDefinitions())
    expect(installed).toHaveLength(6)
    expect(installed.filter(({ state }) => state === 'missing')).toEqual([])
    expect(value(await api().definitions())).toEqual(installed)
  })

  it('docs/domain.md A.1: a request has node, scope and release in its spec, and its author in annotations', async () => {
    const created = value(
      await api().createNodeRequest({
        name: 'contract-a',
        nodeName: 'contract-node.example.org',
        scope: 'drain',
        release: 'r-1',
        annotations: { 'lockkeeper.dev/operator': 'ada' },
      }),
    )
    const said = { nodeName: 'contract-node.example.org', scope: 'drain', release: 'r-1', faults: [] }
    expect(created).toMatchObject(said)
    expect(await requestNow('contract-a')).toMatchObject({
      ...said,
      uid: created.uid,
      annotations: { 'lockkeeper.dev/operator': 'ada' },
    })
    const cluster = value(
      await api().createClusterRequest({ name: 'contract-c', scope: 'os', release: null, annotations: {} }),
    )
    expect(cluster).toMatchObject({ scope: 'os', release: null, deletingSince: null })
  })

  it('a name can be used once', async () => {
    await asked('contract-b')
    const again = { name: 'contract-b', nodeName: 'other', scope: 'os' as const, release: null, annotations: {} }
    expect(failureOf(await api().createNodeRequest(again)).code).toBe('conflict')
  })

  it('docs/domain.md A.1: invalid scopes and requests without their node are refused', async () => {
    const request = (spec: object) => ({
      apiVersion: API_VERSION,
      kind: 'NodeMaintenanceRequest',
      metadata: { name: 'contract-bad' },
      spec,
    })
    const posted = async (spec: object) => failureOf(await raw('POST', 'nodemaintenancerequests', request(spec))).code
    expect(await posted({ nodeName: 'contract-node', scope: 'reboot' })).toBe('bad-input')
    expect(await posted({ scope: 'os' })).toBe('bad-input')
  })

  it('docs/domain.md A.10: unknown fields (reason, drainStrategy) are refused or pruned, never stored', async () => {
    const answer = await raw(
      'POST',
      'nodemaintenancerequests',
      {
        apiVersion: API_VERSION,
        kind: 'NodeMaintenanceRequest',
        metadata: { name: 'contract-invented' },
        spec: { nodeName: 'contract-node', reason: 'firmware', drainStrategy: 'force' },
      },
      { fieldValidation: 'Strict' },
    )
    if (answer.ok) expect(answer.value).toMatchObject({ spec: { nodeName: 'contract-node' } })
    if (answer.ok) expect(JSON.stringify((answer.value as { spec: object }).spec)).not.toContain('firmware')
    else expect(answer.failure.code).toBe('bad-input')
  })

  it('deletes exactly the intended object, and accepts that it is already gone', async () => {
    const { name, uid } = await asked('contract-d')
    const kind = 'NodeMaintenanceRequest'
    expect(failureOf(await api().deleteRequest({ kind, name, uid: NO_SUCH_UID })).code).toBe('conflict')
    expect(await requestNow(name)).toMatchObject({ uid, deletingSince: null })
    value(await api().deleteRequest({ kind, name, uid }))
    expect(await requestNow(name)).toBeUndefined()
    value(await api().deleteRequest({ kind, name, uid }))
  })

  it('docs/domain.md A.3: a request with a finalizer is Terminating until the last finalizer is gone', async () => {
    const { name, uid } = await asked('contract-e')
    const request = { kind: 'NodeMaintenanceRequest', name, uid } as const
    value(await locks().setFinalizer(request, FINALIZER, true))
    value(await locks().setFinalizer(request, FINALIZER, true))
    value(await api().deleteRequest(request))
    expect(await requestNow(name)).toMatchObject({ uid, finalizers: [FINALIZER] })
    expect((await requestNow(name))?.deletingSince).toMatch(/^\d{4}-/)
    // A second delete changes nothing, and nobody can add a finalizer.
    value(await api().deleteRequest(request))
    expect(failureOf(await locks().setFinalizer(request, `${FINALIZER}2`, true)).code).toBe('conflict')
    value(await locks().setFinalizer(request, FINALIZER, false))
    expect(await requestNow(name)).toBeUndefined()
    value(await locks().setFinalizer(request, FINALIZER, false))
    expect(failureOf(await locks().setFinalizer(request, FINALIZER, true)).code).toBe('not-found')
  })

  it('finalizers that several clients set at the same time are all kept', async () => {
    const { name, uid } = await asked('contract-f')
    const request = { kind: 'NodeMaintenanceRequest', name, uid } as const
    const names = ['openstack', 'ceph', 'tungstenfabric'].map(each => `lcm.mirantis.com/contract-${each}-finalizer`)
    for (const answer of await Promise.all(names.map(each => locks().setFinalizer(request, each, true)))) value(answer)
    expect((await requestNow(name))?.finalizers.toSorted()).toEqual(names.toSorted())
  })

  it('docs/domain.md A.1: the state of a lock changes only by the status subresource', async () => {
    const lock = await locked('contract-g')
    expect(await lockNow(lock.name)).toMatchObject({
      controller: 'contract',
      nodeName: 'contract-node',
      nodeDeletionRequestSupported: true,
      // Seed 001: active is the default.
      state: 'active',
      faults: [],
    })
    value(await raw('PATCH', 'nodeworkloadlocks/contract-g', { status: { state: 'inactive' } }))
    expect((await lockNow(lock.name)).state).toBe('active')
    value(await locks().setLockStatus(lock, { state: 'active', release: 'r-1' }))
    expect(await lockNow(lock.name)).toMatchObject({ state: 'active', release: 'r-1', faults: [] })
    expect(
      failureOf(await raw('PATCH', 'nodeworkloadlocks/contract-g/status', { status: { state: 'busy' } })).code,
    ).toBe('bad-input')
  })

  it('docs/domain.md A.1: progress is set and removed, and omitted fields stay', async () => {
    const lock = await locked('contract-h')
    const inactivationProgress = { percentage: 20, description: '1 out of 5 nodes updated' }
    value(await locks().setLockStatus(lock, { state: 'active', errorMessage: 'x', inactivationProgress }))
    expect(await lockNow(lock.name)).toMatchObject({ errorMessage: 'x', progress: inactivationProgress })
    value(await locks().setLockStatus(lock, { state: 'inactive', errorMessage: '' }))
    expect(await lockNow(lock.name)).toMatchObject({
      state: 'inactive',
      errorMessage: '',
      progress: inactivationProgress,
    })
    value(await locks().setLockStatus(lock, { inactivationProgress: null }))
    expect(await lockNow(lock.name)).toMatchObject({ state: 'inactive', progress: null })
  })

  it('a write that changes nothing sends nothing', async () => {
    const lock = await locked('contract-i')
    value(await locks().setLockStatus(lock, { state: 'active', errorMessage: 'x' }))
    value(await locks().annotateLock(lock, { inner_state: 'active' }))
    const before = (await lockNow(lock.name)).resourceVersion
    value(await locks().setLockStatus(lock, { state: 'active', errorMessage: 'x', inactivationProgress: null }))
    value(await locks().annotateLock(lock, { inner_state: 'active', other: null }))
    expect((await lockNow(lock.name)).resourceVersion).toBe(before)
  })

  it('docs/domain.md A.2: an annotation is set and removed, and other annotations stay', async () => {
    const lock = await locked('contract-j')
    value(await locks().annotateLock(lock, { inner_state: 'active', other: 'x' }))
    value(await locks().annotateLock(lock, { inner_state: null }))
    expect(await lockNow(lock.name)).toMatchObject({ innerState: null, annotations: { other: 'x' } })
  })

  it('a lock that was deleted and created again is a different one: no write for the old one reaches it', async () => {
    const former = await locked('contract-k')
    value(await locks().deleteLock(former))
    await locked('contract-k')
    expect(failureOf(await locks().setLockStatus(former, { state: 'inactive' })).code).toBe('conflict')
    expect(failureOf(await locks().annotateLock(former, { inner_state: 'active' })).code).toBe('conflict')
    expect(failureOf(await locks().deleteLock(former)).code).toBe('conflict')
    expect(await lockNow('contract-k')).toMatchObject({ state: 'active', innerState: null })
  })

  it('a deleted lock is not found, and a name cannot be used twice', async () => {
    const lock = await locked('contract-l')
    const second = { name: lock.name, controller: 'x', nodeName: 'y', annotations: {} }
    const made = await locks().createNodeLock({ ...second, nodeDeletionRequestSupported: false })
    expect(failureOf(made).code).toBe('conflict')
    value(await locks().deleteLock(lock))
    expect(failureOf(await locks().setLockStatus(lock, { state: 'active' })).code).toBe('not-found')
  })

  it('concurrent writers of one lock keep each other’s changes', async () => {
    const lock = await locked('contract-m')
    value(await locks().setLockStatus(lock, { state: 'active' }))
    const written = await Promise.all([
      locks().setLockStatus(lock, { release: 'r-2' }),
      locks().setLockStatus(lock, { errorMessage: 'waiting' }),
      locks().annotateLock(lock, { inner_state: 'active' }),
      locks().annotateLock(lock, { other: 'x' }),
    ])
    for (const answer of written) value(answer)
    expect(await lockNow(lock.name)).toMatchObject({
      state: 'active',
      release: 'r-2',
      errorMessage: 'waiting',
      innerState: 'active',
      annotations: { other: 'x' },
    })
  })

  it('the other three kinds are read as well', async () => {
    const posted = (plural: string, kind: string, spec: object) =>
      raw('POST', plural, { apiVersion: API_VERSION, kind, metadata: { name: 'contract-n' }, spec })
    value(await locks().createClusterLock({ name: 'contract-n', controller: 'contract', annotations: {} }))
    value(await posted('nodedisablenotifications', 'NodeDisableNotification', { nodeName: 'contract-node' }))
    value(await posted('nodedeletionrequests', 'NodeDeletionRequest', { nodeName: 'contract-node' }))
    const objects = value(await api().objects())
    const named = { name: 'contract-n' }
    expect(objects.clusterLocks).toContainEqual(expect.objectContaining({ ...named, controller: 'contract' }))
    const ofNode = expect.objectContaining({ ...named, nodeName: 'contract-node', faults: [] })
    expect(objects.disableNotifications).toContainEqual(ofNode)
    expect(objects.deletionRequests).toContainEqual(ofNode)
  })

  it('a watch sends all objects, then every change, and a later subscriber gets the known state at once', async () => {
    const scope = new AbortController()
    const received: string[] = []
    const states: string[] = []
    const seen = (name: string) => (received.includes(name) ? true : null)
    const watching = target().watchMaintenance(
      {
        onObjects: ({ nodeRequests, nodeLocks }) => {
          for (const { name, deletingSince } of nodeRequests) received.push(`${name} ${deletingSince === null}`)
          for (const { name, state } of nodeLocks) received.push(`${name} ${state}`)
          if (!nodeRequests.some(({ name }) => name === 'contract-o')) received.push('no contract-o')
        },
        onState: ({ kind }) => states.push(kind),
      },
      scope.signal,
    )
    await until('the first objects', async () => seen('no contract-o'))
    const { name, uid } = await asked('contract-o')
    const request = { kind: 'NodeMaintenanceRequest', name, uid } as const
    await until('the request', async () => seen('contract-o true'))
    const lock = await locked('contract-p')
    value(await locks().setLockStatus(lock, { state: 'inactive' }))
    await until('the lock', async () => seen('contract-p inactive'))

    const late: string[] = []
    const more = new AbortController()
    const also = target().watchMaintenance(
      { onObjects: ({ nodeLocks }) => late.push(...nodeLocks.map(each => each.name)), onState: () => {} },
      more.signal,
    )
    expect(late).toContain('contract-p')
    more.abort()
    await also

    value(await locks().setFinalizer(request, FINALIZER, true))
    value(await api().deleteRequest(request))
    await until('Terminating', async () => seen('contract-o false'))
    received.length = 0
    value(await locks().setFinalizer(request, FINALIZER, false))
    await until('the request no longer exists', async () => seen('no contract-o'))
    expect(states[0]).toBe('catching-up')
    expect(states.at(-1)).toBe('live')
    scope.abort()
    await watching
  })
}

/** Removes what these tests create, also what an earlier run left. */
async function wipe({ maintenanceApi, locks, session }: ContractTarget): Promise<void> {
  const objects = value(await maintenanceApi.objects())
  const ours = <T extends { readonly name: string }>(list: readonly T[]) =>
    list.filter(({ name }) => name.startsWith('contract-'))
  for (const request of ours(objects.nodeRequests)) {
    const target = { kind: 'NodeMaintenanceRequest', name: request.name, uid: request.uid } as const
    value(await maintenanceApi.deleteRequest(target))
    for (const finalizer of request.finalizers) value(await locks.setFinalizer(target, finalizer, false))
  }
  for (const { name, uid } of ours(objects.clusterRequests)) {
    value(await maintenanceApi.deleteRequest({ kind: 'ClusterMaintenanceRequest', name, uid }))
  }
  for (const { name, uid } of ours(objects.nodeLocks)) {
    value(await locks.deleteLock({ kind: 'NodeWorkloadLock', name, uid }))
  }
  for (const { name, uid } of ours(objects.clusterLocks)) {
    value(await locks.deleteLock({ kind: 'ClusterWorkloadLock', name, uid }))
  }
  for (const [plural, list] of [
    ['nodedisablenotifications', objects.disableNotifications],
    ['nodedeletionrequests', objects.deletionRequests],
  ] as const) {
    for (const { name } of ours(list))
      value(await session.request({ method: 'DELETE', path: `${FOLDER}/${plural}/${name}` }))
  }
}
