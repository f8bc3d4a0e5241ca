import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Leaving } from '../../../../main/adapters/kubernetes/drain-pod.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { BUDGET, startDrains } from '../../../fixtures/kubernetes/drains.ts'
import type { ManualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import type { SmallCluster } from '../../../fixtures/kubernetes/small-cluster.ts'
import { until } from '../../../fixtures/kubernetes/until.ts'

type Gate = NonNullable<Leaving['gate']>

let clock: ManualClock
let cluster: SmallCluster
let drain: Awaited<ReturnType<typeof startDrains>>['drain']
let sleepsAbout: Awaited<ReturnType<typeof startDrains>>['sleepsAbout']

beforeEach(async () => {
  ;({ clock, cluster, drain, sleepsAbout } = await startDrains())
})

afterEach(() => cluster.close())

/** A gate of the Lease, and what came to pass in which order: looks at the pod, looks at the Lease, requests that ask it to leave. */
function watched(holds: () => boolean): { readonly gate: Gate; readonly order: string[] } {
  const order: string[] = []
  cluster.onRequest = ({ method, path }) => {
    if (path.endsWith('/pods/a') && method === 'GET') order.push('pod')
    if (method === 'POST' || method === 'DELETE') order.push('request')
    return undefined
  }
  const gate: Gate = async effect => {
    order.push('lease')
    return holds() ? effect() : failed(failure('aborted', 'The Lease is not held.'))
  }
  return { gate, order }
}

describe.each([
  ['evicts', {}],
  ['deletes', { disableEviction: true }],
] as const)('a pod that a drain %s', (_, options) => {
  test('is asked to leave only after the pod and then the Lease were read', async () => {
    cluster.add({ name: 'a' })
    const { gate, order } = watched(() => true)
    const { outcome } = await drain(options, { gate })
    expect((await outcome).kind).toBe('drained')
    expect(order.slice(0, 3)).toEqual(['pod', 'lease', 'request'])
    expect(order.filter(what => what === 'request')).toHaveLength(1)
  })

  test('is not asked to leave, nor announced, where the Lease does not hold', async () => {
    cluster.add({ name: 'a' })
    cluster.add({ name: 'b' })
    const { gate, order } = watched(() => false)
    const { outcome, kinds } = await drain(options, { gate })
    expect((await outcome).kind).not.toBe('drained')
    expect(order).toContain('lease')
    expect(order).not.toContain('request')
    expect(cluster.removals).toEqual([])
    expect(kinds()).not.toContain('pod.eviction-requested')
  })
})

test('each repetition of an eviction looks at the Lease again', async () => {
  cluster.add({ name: 'a' })
  let holds = true
  cluster.onRemove = () => BUDGET
  const { gate, order } = watched(() => holds)
  const { outcome } = await drain({}, { gate })
  await until(sleepsAbout(5_000), 'it waits after the refusal')
  expect(order.filter(what => what === 'lease')).toHaveLength(1)
  holds = false
  clock.advance(7_000)
  expect((await outcome).kind).not.toBe('drained')
  expect(order.filter(what => what === 'lease')).toHaveLength(2)
  expect(cluster.removals).toHaveLength(1)
})
