import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BUDGET, startDrains, uid } from '../../../fixtures/kubernetes/drains.ts'
import { status } from '../../../fixtures/kubernetes/fake-api.ts'
import type { ManualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import type { SmallCluster } from '../../../fixtures/kubernetes/small-cluster.ts'
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

describe('5.4 wait and time-out', () => {
  beforeEach(() => {
    cluster.departure = 'stays'
  })

  test('Wait for deleting to complete: the watch reports it at once, and the pod itself is read once more', async () => {
    cluster.add({ name: 'a' })
    const { outcome, kinds } = await drain()
    await until(() => kinds().includes('pod.eviction-accepted'), 'the eviction is accepted')
    await until(sleepsAbout(20_000), 'only the backstop is left to ask')
    cluster.remove('a')
    expect((await outcome).kind).toBe('drained')
    expect(
      cluster.api.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/pods/a')),
    ).toHaveLength(2)
  })

  test('a watch that lost the pod from its list does not make it gone: the drain waits on', async () => {
    cluster.add({ name: 'a' })
    const { outcome, kinds } = await drain()
    await until(() => kinds().includes('pod.eviction-accepted'), 'the eviction is accepted')
    await until(sleepsAbout(20_000), 'only the backstop is left to ask')
    cluster.hide('a')
    await until(
      () => cluster.api.requests.filter(({ path }) => path.endsWith('/pods/a')).length >= 2,
      'the pod itself is read',
    )
    expect(kinds()).not.toContain('pod.left')
    cluster.remove('a')
    await until(sleepsAbout(5_000), 'it looks again')
    clock.advance(6_000)
    expect((await outcome).kind).toBe('drained')
  })

  test('a pod that has ended and is kept by a finalizer is named once, and the drain waits until it is gone', async () => {
    cluster.add({ name: 'a', finalizers: ['example.com/backup'] })
    const { outcome, facts, kinds } = await drain()
    await until(() => kinds().includes('pod.eviction-accepted'), 'the eviction is accepted')
    for (let looks = 2; looks <= 3; looks += 1) {
      await until(sleepsAbout(20_000), 'the drain waits for the pod')
      clock.advance(20_000)
      await until(
        () =>
          cluster.api.requests.filter(({ path, method }) => method === 'GET' && path.endsWith('/pods/a')).length >=
          looks,
        'it looks again',
      )
    }
    await until(sleepsAbout(20_000), 'the drain waits for the pod')
    expect(facts.filter(({ kind }) => kind === 'pod.held')).toMatchObject([{ by: 'its finalizer example.com/backup' }])
    cluster.remove('a')
    expect((await outcome).kind).toBe('drained')
  })

  test('an eviction that is accepted and not carried out is reported once, after seconds, and the drain waits for the pod', async () => {
    cluster.add({ name: 'a' })
    cluster.onRemove = () => ({ code: 201, body: { kind: 'Status', status: 'Success' } })
    const { outcome, facts, kinds } = await drain()
    await until(() => kinds().includes('pod.eviction-accepted'), 'the eviction is accepted')
    for (let looks = 1; looks <= 2; looks += 1) {
      await until(sleepsAbout(5_000), 'the pod is read soon: the watch does not show it terminating')
      clock.advance(5_000)
      await until(() => kinds().includes('pod.not-deleted'), 'it is reported')
    }
    expect(facts.filter(({ kind }) => kind === 'pod.not-deleted')).toHaveLength(1)
    // The obstacle is gone: the drain no longer reports that nothing deletes the pod.
    await until(sleepsAbout(5_000), 'the pod is read soon')
    cluster.terminate('a', new Date(clock.now() + 600_000).toISOString())
    clock.advance(5_000)
    await until(() => kinds().includes('pod.terminates'), 'it is reported')
    expect(kinds().slice(-2)).toEqual(['pod.not-deleted', 'pod.terminates'])
    cluster.remove('a')
    expect((await outcome).kind).toBe('drained')
  })

  test('without permission to watch, the pod is read every second as kubectl does', async () => {
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
    await until(sleepsAbout(20_000), 'the drain waits for the pod')
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
    expect(await outcome).toMatchObject({
      kind: 'timed-out',
      pending: [
        { pod: uid('a'), code: 'PodTerminates' },
        { pod: uid('b'), code: 'EvictionRefused', why: 'The disruption budget b needs 2 healthy pods and has 2' },
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
    await until(sleepsAbout(20_000), 'the drain waits for the pod')
    cluster.onRequest = ({ path }) => (path.endsWith('/pods/a') ? status(403, 'Forbidden', 'no longer') : undefined)
    clock.advance(20_000)
    expect(await outcome).toMatchObject({
      kind: 'failed',
      failures: [{ pod: uid('a'), why: expect.stringContaining('no longer'), code: 'CredentialsMayNot' }],
    })
    expect(kinds().at(-1)).toBe('pod.failed')
  })

  test('V3: the drain waits while a server fails', async () => {
    cluster.add({ name: 'a' })
    const { outcome } = await drain()
    await until(sleepsAbout(20_000), 'the drain waits for the pod')
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
    await until(sleepsAbout(20_000), 'the drain waits for the pod again')
    cluster.remove('a')
    expect((await outcome).kind).toBe('drained')
  })

  test('rule 4: the drain does not wait for a pod deleted long ago when the operator says so', async () => {
    cluster.add({ name: 'a' })
    const { outcome } = await drain({ skipWaitForDeleteSeconds: 30 })
    await until(sleepsAbout(20_000), 'the drain waits for the pod')
    clock.advance(20_000)
    await until(sleepsAbout(20_000), 'the drain waits for the pod')
    clock.advance(20_000)
    expect(await outcome).toEqual({ kind: 'drained', left: [] })
  })
})
