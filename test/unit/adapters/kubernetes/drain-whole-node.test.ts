import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startDrains, uid } from '../../../fixtures/kubernetes/drains.ts'
import { status } from '../../../fixtures/kubernetes/fake-api.ts'
import type { ManualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import { NODE, type SmallCluster } from '../../../fixtures/kubernetes/small-cluster.ts'
import { until } from '../../../fixtures/kubernetes/until.ts'

let drains: Awaited<ReturnType<typeof startDrains>>
let clock: ManualClock
let cluster: SmallCluster
let drain: (typeof drains)['drain']

beforeEach(async () => {
  drains = await startDrains()
  ;({ clock, cluster, drain } = drains)
})

afterEach(() => cluster.close())

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

  test('when the journal refuses a fact, no request is sent and the refusal passes through', async () => {
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
