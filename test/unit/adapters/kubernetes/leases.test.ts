import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLeaseObserver } from '../../../../main/adapters/kubernetes/lease-observer.ts'
import { createLeases } from '../../../../main/adapters/kubernetes/leases.ts'
import type { LeaseRequest } from '../../../../main/ports/leases.ts'
import { CONTROLLERS_LEASE, nodeLease, nodeOfLease, UPDATE_LEASE } from '../../../../shared/domain/lease-name.ts'
import { must } from '../../../../shared/domain/must.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import {
  type FakeAnswer,
  type FakeApi,
  type FakeRequest,
  startFakeApi,
  status,
} from '../../../fixtures/kubernetes/fake-api.ts'
import { type ManualClock, manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'

type Raw = { metadata: Record<string, unknown>; spec: Record<string, unknown> }

let clock: ManualClock
let api: FakeApi
let lease: Raw | null
/** Runs before a write is processed, as a write of another console would. */
let beforeWrite: () => void
/** What a list of all Leases is answered with; null: with what there is. */
let list: FakeAnswer | null

beforeEach(async () => {
  clock = manualClock()
  lease = null
  list = null
  beforeWrite = () => {}
  let version = 1
  const merged = (old: Record<string, unknown>, patch: unknown): Record<string, unknown> => {
    const result = { ...old }
    for (const [key, value] of Object.entries(patch as Record<string, unknown>)) {
      if (value === null) delete result[key]
      else if (typeof value === 'object') result[key] = merged((old[key] ?? {}) as Record<string, unknown>, value)
      else result[key] = value
    }
    return result
  }
  const answer = ({ method, path, body }: FakeRequest): FakeAnswer => {
    if (method === 'GET' && path.endsWith('/leases')) return list ?? leaseList(lease === null ? [] : [lease])
    if (method === 'GET') return lease === null ? status(404, 'NotFound', 'leases not found') : { body: lease }
    beforeWrite()
    version += 1
    if (method === 'POST') {
      if (lease !== null) return status(409, 'AlreadyExists', 'leases already exists')
      lease = structuredClone(body) as unknown as Raw
      lease.metadata = { ...lease.metadata, uid: `lease-${version}`, resourceVersion: String(version) }
      return { status: 201, body: lease }
    }
    if (lease === null) return status(404, 'NotFound', 'leases not found')
    const sent = body.metadata as Record<string, unknown>
    if (sent.resourceVersion !== lease.metadata.resourceVersion) return status(409, 'Conflict', 'modified')
    lease = merged(lease, body) as Raw
    lease.metadata.resourceVersion = String(version)
    return { body: lease }
  }
  api = await startFakeApi(answer)
})

afterEach(() => api.close())

const request = (identity: string, more: Partial<LeaseRequest> = {}): LeaseRequest => ({
  name: nodeLease('cmp-1'),
  identity,
  runId: `run-of-${identity}`,
  operator: 'ada',
  machine: 'bastion',
  durationSeconds: 60,
  ...more,
})

async function leases() {
  return createLeases({
    session: await api.session(clock),
    namespace: 'lockkeeper',
    clock,
    observer: createLeaseObserver(clock),
  })
}

test('Leases keep the names they had in every version, by which consoles of different ones keep off each other', () => {
  expect([nodeLease('cmp-1'), UPDATE_LEASE, CONTROLLERS_LEASE]).toEqual([
    'lockkeeper-node-cmp-1',
    'lockkeeper-update',
    'lockkeeper-controllers',
  ])
  const names = [nodeLease('cmp-1'), nodeLease('update'), UPDATE_LEASE, CONTROLLERS_LEASE, 'lockkeeper-x', 'node-cmp-1']
  expect(names.map(nodeOfLease)).toEqual(['cmp-1', 'update', null, null, undefined, undefined])
})

test('a free node is taken: the Lease says who, which run and from which machine', async () => {
  const port = await leases()
  expect(await port.acquire(request('a'))).toEqual({ ok: true, value: { kind: 'acquired' } })
  expect(lease).toMatchObject({
    metadata: {
      name: 'lockkeeper-node-cmp-1',
      namespace: 'lockkeeper',
      annotations: {
        'lockkeeper.dev/run': 'run-of-a',
        'lockkeeper.dev/operator': 'ada',
        'lockkeeper.dev/machine': 'bastion',
      },
    },
    spec: {
      holderIdentity: 'a',
      leaseDurationSeconds: 60,
      acquireTime: '2026-01-02T03:04:05.000000Z',
      renewTime: '2026-01-02T03:04:05.000000Z',
    },
  })
  expect(await port.holder(nodeLease('cmp-1'))).toEqual({
    ok: true,
    value: {
      identity: 'a',
      runId: 'run-of-a',
      operator: 'ada',
      machine: 'bastion',
      since: '2026-01-02T03:04:05.000000Z',
      renewedAt: '2026-01-02T03:04:05.000000Z',
      durationSeconds: 60,
      unchangedForMs: 0,
      seenRenewed: true,
      freeInMs: 60_000,
    },
  })
})

test('a held node is not taken, and the second one learns who holds it', async () => {
  const port = await leases()
  await port.acquire(request('a'))
  expect(await port.acquire(request('b'))).toMatchObject({
    ok: true,
    value: { kind: 'held', by: { identity: 'a', operator: 'ada', machine: 'bastion' } },
  })
})

test('a run finds its own Lease again after a restart, and keeps since when it holds it', async () => {
  const port = await leases()
  await port.acquire(request('a'))
  clock.advance(10_000)
  expect(await port.acquire(request('a'))).toEqual({ ok: true, value: { kind: 'acquired' } })
  expect(lease?.spec).toMatchObject({
    acquireTime: '2026-01-02T03:04:05.000000Z',
    renewTime: '2026-01-02T03:04:15.000000Z',
    leaseTransitions: 0,
  })
})

describe('a holder is gone when its record was seen unchanged for as long as it lasts, and not before', () => {
  test('before this process watched for that long it is held, however old its record is', async () => {
    const [theirs, ours] = [await leases(), await leases()]
    await theirs.acquire(request('a'))
    clock.advance(3_600_000)
    expect(await ours.acquire(request('b'))).toMatchObject({
      value: { kind: 'held', by: { identity: 'a', unchangedForMs: 0, seenRenewed: false, freeInMs: 60_000 } },
    })
    clock.advance(59_999)
    expect(await ours.acquire(request('b'))).toMatchObject({ value: { kind: 'held', by: { freeInMs: 1 } } })
    expect(lease?.spec.holderIdentity).toBe('a')
  })

  test('after it, it is taken over with a transition, and who held it learns that it is lost', async () => {
    const [theirs, ours] = [await leases(), await leases()]
    await theirs.acquire(request('a'))
    await ours.holder(nodeLease('cmp-1'))
    clock.advance(60_000)
    expect(await ours.holder(nodeLease('cmp-1'))).toMatchObject({ ok: true, value: { identity: 'a', freeInMs: 0 } })
    expect(await ours.acquire(request('b'))).toEqual({ ok: true, value: { kind: 'acquired' } })
    expect(lease?.spec).toMatchObject({
      holderIdentity: 'b',
      leaseTransitions: 1,
      acquireTime: '2026-01-02T03:05:05.000000Z',
    })
    expect(await theirs.renew(request('a'))).toMatchObject({ value: { kind: 'lost', by: { identity: 'b' } } })
    expect(await theirs.confirm(request('a'))).toMatchObject({ value: { kind: 'lost', by: { identity: 'b' } } })
  })

  test.each([-300_000, -3_600_000, 300_000])(
    'a console whose clock is %d ms off renews: it is never taken for gone',
    async offMs => {
      const off = { ...clock, now: () => clock.now() + offMs, monotonicMs: () => clock.now() }
      const theirs = createLeases({
        session: await api.session(clock),
        namespace: 'lockkeeper',
        clock: off,
        observer: createLeaseObserver(off),
      })
      const ours = await leases()
      await theirs.acquire(request('a'))
      for (let at = 0; at < 60; at += 1) {
        expect(await ours.acquire(request('b'))).toMatchObject({ value: { kind: 'held' } })
        clock.advance(10_000)
        expect(await theirs.renew(request('a'))).toEqual({ ok: true, value: { kind: 'renewed' } })
      }
      expect(await ours.holder(nodeLease('cmp-1'))).toMatchObject({ value: { seenRenewed: true } })
    },
  )

  test('our own clock on the wall jumps by an hour: nothing is taken for it', async () => {
    let jumpedMs = 0
    const jumping = { ...clock, now: () => clock.now() + jumpedMs, monotonicMs: () => clock.monotonicMs() }
    const ours = createLeases({
      session: await api.session(clock),
      namespace: 'lockkeeper',
      clock: jumping,
      observer: createLeaseObserver(jumping),
    })
    await (await leases()).acquire(request('a'))
    await ours.holder(nodeLease('cmp-1'))
    jumpedMs = 3_600_000
    expect(await ours.acquire(request('b'))).toMatchObject({ value: { kind: 'held' } })
  })

  test.each([
    ['missing', undefined, 60_000],
    ['zero', 0, 60_000],
    ['a negative one', -5, 60_000],
    ['a very short one', 1, 15_000],
    ['an enormous one', 4e12, 3_600_000],
  ])('a record whose duration is %s lasts a sane time', async (_what, leaseDurationSeconds, lastsMs) => {
    const port = await leases()
    await port.acquire(request('a'))
    if (lease !== null) lease.spec.leaseDurationSeconds = leaseDurationSeconds
    expect(await port.holder(nodeLease('cmp-1'))).toMatchObject({ value: { freeInMs: lastsMs } })
    clock.advance(lastsMs - 1)
    expect(await port.acquire(request('b'))).toMatchObject({ value: { kind: 'held' } })
    clock.advance(1)
    expect(await port.acquire(request('b'))).toEqual({ ok: true, value: { kind: 'acquired' } })
  })

  test('a record without a renewTime is held too', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    if (lease !== null) delete lease.spec.renewTime
    expect(await port.acquire(request('b'))).toMatchObject({ value: { kind: 'held' } })
  })

  test('an answer without a spec does not say that nobody holds it', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    const { spec: _, ...rest } = lease ?? { metadata: {}, spec: {} }
    lease = rest as Raw
    expect(await port.holder(nodeLease('cmp-1'))).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    expect(await port.acquire(request('b'))).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test('what a driver of the same run that is gone left behind is taken at once', async () => {
    await (await leases()).acquire(request('a'))
    const isPredecessor = (identity: string) => identity === 'a'
    expect(await (await leases()).acquire(request('b', { isPredecessor }))).toEqual({
      ok: true,
      value: { kind: 'acquired' },
    })
  })
})

test('confirming reads it again: ours, or nobody’s after it was deleted', async () => {
  const port = await leases()
  await port.acquire(request('a'))
  expect(await port.confirm(request('a'))).toEqual({ ok: true, value: { kind: 'ours' } })
  lease = null
  expect(await port.confirm(request('a'))).toEqual({ ok: true, value: { kind: 'free' } })
})

describe('two consoles never both win', () => {
  test('both saw no Lease: the one that creates second learns that it is held', async () => {
    const port = await leases()
    beforeWrite = () => {
      beforeWrite = () => {}
      const now = new Date(clock.now()).toISOString()
      lease = {
        metadata: { uid: 'x', resourceVersion: '900' },
        spec: { holderIdentity: 'faster', renewTime: now, leaseDurationSeconds: 60 },
      }
    }
    expect(await port.acquire(request('a'))).toMatchObject({ value: { kind: 'held', by: { identity: 'faster' } } })
  })

  test('both saw the holder gone: the one that writes second learns that it is held', async () => {
    const port = await leases()
    await port.acquire(request('old'))
    await port.holder(nodeLease('cmp-1'))
    clock.advance(120_000)
    const [one, other] = await Promise.all([port.acquire(request('a')), port.acquire(request('b'))])
    const kinds = [one, other].map(answer => answer.ok && answer.value.kind).sort()
    expect(kinds).toEqual(['acquired', 'held'])
  })

  test('twenty at once: one wins', async () => {
    const port = await leases()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => port.acquire(request(`c${index}`))))
    expect(answers.filter(answer => answer.ok && answer.value.kind === 'acquired')).toHaveLength(1)
  })
})

describe('release', () => {
  test('gives it back: nobody holds it, and anybody may take it', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    expect(await port.release(request('a'))).toEqual({ ok: true, value: undefined })
    expect(await port.holder(nodeLease('cmp-1'))).toEqual({ ok: true, value: null })
    expect(lease?.metadata.annotations).toEqual({})
    expect(await port.acquire(request('b'))).toEqual({ ok: true, value: { kind: 'acquired' } })
  })

  test('leaves a Lease alone that is no longer ours', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    expect((await port.release(request('b'))).ok).toBe(true)
    expect(lease?.spec.holderIdentity).toBe('a')
  })
})

test('renewing a Lease that was deleted says that nobody holds it', async () => {
  const port = await leases()
  await port.acquire(request('a'))
  lease = null
  expect(await port.renew(request('a'))).toEqual({ ok: true, value: { kind: 'free' } })
})

test('only patches are sent, each naming the version it builds on', async () => {
  const port = await leases()
  await port.acquire(request('a'))
  await port.renew(request('a'))
  await port.release(request('a'))
  const writes = api.requests.filter(({ method }) => method !== 'GET' && method !== 'POST')
  expect(writes.map(({ method }) => method)).toEqual(['PATCH', 'PATCH'])
  for (const { body, headers } of writes) {
    expect(headers['content-type']).toBe('application/merge-patch+json')
    expect(body.metadata).toMatchObject({ resourceVersion: expect.any(String), uid: expect.any(String) })
  }
})

describe('how far the journal of the driver went', () => {
  const known = { seq: 7, hash: 'ab'.repeat(32) }
  const journal = (holds: boolean, head: typeof known | null = known) => ({ headOf: () => head, holds: () => holds })
  const headOf = (of: Raw | null) => Object(of?.metadata.annotations)['lockkeeper.dev/journal-head']
  const by = (identity: string, more: Partial<LeaseRequest>) => request(identity, { runId: 'run-1', ...more })

  test('is written with each renewal, and gone when the Lease is given back', async () => {
    const port = await leases()
    await port.acquire(by('a', { journal: journal(true) }))
    expect(headOf(lease)).toBe(`7:${known.hash}`)
    const later = { seq: 9, hash: 'cd'.repeat(32) }
    await port.renew(by('a', { journal: journal(true, later) }))
    expect(headOf(lease)).toBe(`9:${later.hash}`)
    await port.release(by('a', {}))
    expect(headOf(lease)).toBeUndefined()
  })

  test('has to be in the journal of a console that continues that run, and of no other', async () => {
    const port = await leases()
    await port.acquire(by('a', { journal: journal(true) }))
    const isPredecessor = () => true
    const left = structuredClone(lease)
    expect(await port.acquire(by('b', { isPredecessor, journal: journal(false) }))).toEqual({
      ok: true,
      value: { kind: 'journal-lacks', head: known },
    })
    expect(lease, 'nothing was written').toEqual(left)
    expect(await port.acquire(by('b', { isPredecessor, journal: journal(true) }))).toMatchObject({
      value: { kind: 'acquired' },
    })
    expect(await port.acquire(by('c', { runId: 'run-2', isPredecessor, journal: journal(false) }))).toMatchObject({
      value: { kind: 'acquired' },
    })
  })
})

describe('a list of all Leases', () => {
  const reported = async () => (await leases()).all()

  test('tells which are held and what is noted on them, and of others in the namespace nothing', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    const other = { ...structuredClone(must(lease, 'it was taken')), metadata: { name: 'someone-else', uid: 'u' } }
    list = leaseList([must(lease, 'it was taken'), other])
    const all = valueIn(await port.all())
    expect([...all.keys()]).toEqual([nodeLease('cmp-1')])
    expect(all.get(nodeLease('cmp-1'))).toMatchObject({ held: true, annotations: { 'lockkeeper.dev/run': 'run-of-a' } })
    list = null
    await port.release(request('a'))
    expect(valueIn(await port.all()).get(nodeLease('cmp-1'))).toMatchObject({ held: false })
  })

  test('that lacks the Lease which this console just took is not whole', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    list = leaseList([])
    expect(await port.all()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test('that lacks a Lease of another console which was seen is not whole, however long ago that was', async () => {
    const port = await leases()
    await (await leases()).acquire(request('b'))
    await port.holder(nodeLease('cmp-1'))
    clock.advance(3_600_000)
    list = leaseList([])
    expect(await port.all()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })

  test('that lacks a Lease which somebody deleted is complete, and the deleted one is read once', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    lease = null
    expect(valueIn(await port.all()).size).toBe(0)
    const asked = api.requests.length
    expect(valueIn(await port.all()).size).toBe(0)
    expect(api.requests.length - asked).toBe(1)
  })

  test('that is refused, or has a Lease without a spec, is refused', async () => {
    list = status(403, 'Forbidden', 'leases is forbidden')
    expect(await reported()).toMatchObject({ failure: { code: 'not-permitted' } })
    list = leaseList([{ metadata: { name: 'lockkeeper-node-cmp-1' } }])
    expect(await reported()).toMatchObject({ failure: { code: 'unreadable' } })
  })
})

function leaseList(items: readonly object[]): FakeAnswer {
  return {
    body: { kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1', metadata: { resourceVersion: '900' }, items },
  }
}

test('two clusters behind one front are two, though their nodes have one name: what was seen of one says nothing of the other', async () => {
  const front = await startFakeApi(({ path }) => {
    const cluster = /^\/k8s\/clusters\/(c-[12])\//.exec(path)?.[1] ?? 'none'
    return {
      body: {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'lockkeeper-node-cmp-1', namespace: 'lockkeeper', uid: cluster, resourceVersion: '1' },
        spec: { holderIdentity: `of-${cluster}`, leaseDurationSeconds: 60, leaseTransitions: 0 },
      },
    }
  })
  const observer = createLeaseObserver(clock)
  const portOf = async (cluster: string) =>
    createLeases({
      session: await front.session(clock, `/k8s/clusters/${cluster}`),
      namespace: 'lockkeeper',
      clock,
      observer,
    })
  const [one, two] = [await portOf('c-1'), await portOf('c-2')]
  for (const port of [one, two, one, two]) {
    await port.holder(nodeLease('cmp-1'))
    clock.advance(30_000)
  }
  expect(await one.holder(nodeLease('cmp-1'))).toMatchObject({
    value: { identity: 'of-c-1', unchangedForMs: 120_000, freeInMs: 0, seenRenewed: false },
  })
  expect(await two.holder(nodeLease('cmp-1'))).toMatchObject({
    value: { identity: 'of-c-2', unchangedForMs: 90_000, freeInMs: 0, seenRenewed: false },
  })
  await front.close()
})
