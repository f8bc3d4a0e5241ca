import { afterEach, expect, test } from 'vitest'
import { startLiveView } from '../../../main/clusters/view/live-view.ts'
import type { ForeignMaintenances } from '../../../main/ports/kubernetes.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { ForeignMaintenance } from '../../../shared/domain/foreign-maintenance.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { fakeCluster, fakeNode } from '../../fixtures/procedures/fake-world.ts'
import { scriptedCluster } from '../../fixtures/view/scripted-cluster.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const FIX_DISK: ForeignMaintenance = {
  node: 'cmp-1.example.net',
  code: 'NodeMaintenance',
  object: 'fix-disk',
  reason: 'broken disk',
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function watched(answers: readonly Result<ForeignMaintenances>[]) {
  const clock = createVirtualClock()
  const world = scriptedCluster()
  let asked = 0
  const view = startLiveView({
    cluster: fakeCluster(),
    warnings: [],
    feeds: world.feeds,
    cloud: null,
    ceph: null,
    foreign: {
      listForeignMaintenances: async () => {
        asked += 1
        return answers[Math.min(asked, answers.length) - 1] ?? ok({ found: [], unread: [] })
      },
    },
    activeRuns: () => [],
    drainedOnly: () => new Map(),
    hasFailed: () => false,
    attention: () => ({ kind: 'shown' }),
    clock,
    onPatch: () => {},
  })
  stops.push(() => view.stop())
  world.received.nodes?.onChange([fakeNode('cmp-1'), fakeNode('cmp-10')], [])
  await clock.advance(0)
  const maintained = () =>
    Object.fromEntries(view.snapshot().view.nodes.map(({ name, maintainedBy }) => [name, maintainedBy]))
  return { clock, maintained, asked: () => asked }
}

test('the map shows who else maintains a node, by any of its names, until that ends', async () => {
  const { clock, maintained } = await watched([
    ok({ found: [FIX_DISK], unread: [] }),
    failed(failure('unreachable', 'The API server refuses connections.')),
    ok({ found: [], unread: [] }),
  ])
  expect(maintained()).toEqual({ 'cmp-1': [FIX_DISK], 'cmp-10': [] })
  await clock.advance(60_000)
  expect(maintained(), 'silence ends nothing').toEqual({ 'cmp-1': [FIX_DISK], 'cmp-10': [] })
  await clock.advance(60_000)
  expect(maintained()).toEqual({ 'cmp-1': [], 'cmp-10': [] })
})

test('what was never read is not shown as nothing', async () => {
  const { maintained } = await watched([failed(failure('unreachable', 'The API server refuses connections.'))])
  expect(maintained()).toEqual({ 'cmp-1': undefined, 'cmp-10': undefined })
})

test('a refused kind is read again after minutes, not seconds', async () => {
  const { clock, asked } = await watched([
    ok({ found: [], unread: [failure('not-permitted', 'You may not list Machines.')] }),
  ])
  await clock.advance(299_000)
  expect(asked()).toBe(1)
  await clock.advance(1_000)
  expect(asked()).toBe(2)
})
