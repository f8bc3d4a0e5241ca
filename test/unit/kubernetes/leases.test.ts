import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLeases } from '../../../main/kubernetes/leases.ts'
import type { LeaseRequest } from '../../../main/maintenance/ports.ts'
import {
  type FakeAnswer,
  type FakeApi,
  type FakeRequest,
  startFakeApi,
  status,
} from '../../fixtures/kubernetes/fake-api.ts'
import { type ManualClock, manualClock } from '../../fixtures/kubernetes/manual-clock.ts'

type Raw = { metadata: Record<string, unknown>; spec: Record<string, unknown> }

let clock: ManualClock
let api: FakeApi
let lease: Raw | null
/** Runs before a write is looked at: where another console slips in. */
let beforeWrite: () => void

beforeEach(async () => {
  clock = manualClock()
  lease = null
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
  const answer = ({ method, body }: FakeRequest): FakeAnswer => {
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
  node: 'cmp-1',
  identity,
  runId: `run-of-${identity}`,
  operator: 'ada',
  machine: 'bastion',
  durationSeconds: 60,
  ...more,
})

async function leases() {
  return createLeases({ session: await api.session(clock), namespace: 'lockkeeper', clock })
}

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
  expect(await port.holder('cmp-1')).toEqual({
    ok: true,
    value: {
      identity: 'a',
      runId: 'run-of-a',
      operator: 'ada',
      machine: 'bastion',
      since: '2026-01-02T03:04:05.000000Z',
      renewedAt: '2026-01-02T03:04:05.000000Z',
      durationSeconds: 60,
    },
  })
})

test('a held node is not taken, and the second one is told who holds it', async () => {
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

describe('expiry: renewTime + duration', () => {
  test('to the last millisecond it is held', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    clock.advance(60_000)
    expect(await port.acquire(request('b'))).toMatchObject({ value: { kind: 'held' } })
  })

  test('after it, nobody holds it, and it is taken over with a transition', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    clock.advance(60_001)
    expect(await port.holder('cmp-1')).toEqual({ ok: true, value: null })
    expect(await port.acquire(request('b'))).toEqual({ ok: true, value: { kind: 'acquired' } })
    expect(lease?.spec).toMatchObject({
      holderIdentity: 'b',
      leaseTransitions: 1,
      acquireTime: '2026-01-02T03:05:05.001000Z',
    })
    expect(await port.renew(request('a'))).toMatchObject({ ok: true, value: { kind: 'lost', by: { identity: 'b' } } })
  })

  test('renewing keeps it', async () => {
    const port = await leases()
    await port.acquire(request('a'))
    clock.advance(50_000)
    expect(await port.renew(request('a'))).toEqual({ ok: true, value: { kind: 'renewed' } })
    clock.advance(50_000)
    expect(await port.acquire(request('b'))).toMatchObject({ value: { kind: 'held' } })
  })
})

describe('two consoles never both win', () => {
  test('both saw no Lease: the one that creates second is told that it is held', async () => {
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

  test('both saw an expired Lease: the one that writes second is told that it is held', async () => {
    const port = await leases()
    await port.acquire(request('old'))
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
    expect(await port.holder('cmp-1')).toEqual({ ok: true, value: null })
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

test('renewing a Lease that was deleted says that it is lost', async () => {
  const port = await leases()
  await port.acquire(request('a'))
  lease = null
  expect(await port.renew(request('a'))).toEqual({ ok: true, value: { kind: 'lost', by: null } })
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
