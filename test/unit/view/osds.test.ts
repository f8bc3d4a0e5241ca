import { afterEach, describe, expect, test } from 'vitest'
import { startLiveView } from '../../../main/clusters/view/live-view.ts'
import type { CephOsd } from '../../../shared/domain/ceph.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { Pod } from '../../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { fakeOsd } from '../../fixtures/procedures/fake-records.ts'
import { fakeCluster, fakeNode, fakePod } from '../../fixtures/procedures/fake-world.ts'
import { scriptedCluster } from '../../fixtures/view/scripted-cluster.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const TOOLBOX = fakePod('tools', { namespace: 'rook-ceph', labels: { app: 'rook-ceph-tools' } })
const osd = (id: number, host: string | null): CephOsd => fakeOsd(id, host)

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

function watched(
  pods: readonly Pod[],
  answer: () => Result<readonly CephOsd[]>,
  cluster = fakeCluster(),
  runs: ReturnType<Parameters<typeof startLiveView>[0]['activeRuns']> = [],
) {
  const clock = createVirtualClock()
  const world = scriptedCluster()
  let asked = 0
  const view = startLiveView({
    cluster,
    warnings: [],
    feeds: world.feeds,
    cloud: null,
    ceph: {
      osds: async () => {
        asked += 1
        return answer()
      },
    },
    foreign: null,
    activeRuns: () => runs,
    drainedOnly: () => new Map(),
    hasFailed: () => false,
    attention: () => ({ kind: 'shown' }),
    clock,
    onPatch: () => {},
  })
  stops.push(() => view.stop())
  world.received.nodes?.onChange([fakeNode('st-1.kaas.local', { unschedulable: true }), fakeNode('cmp-1')], [])
  world.received.pods?.onState({ kind: 'live', lastAnswerAt: '2026-01-01T00:00:00Z' })
  world.received.pods?.onChange(pods, [])
  return {
    clock,
    asked: () => asked,
    states: () => Object.fromEntries(view.snapshot().view.nodes.map(node => [node.name, node.state])),
    osds: () => Object.fromEntries(view.snapshot().view.nodes.map(node => [node.name, node.osds])),
  }
}

describe('OSDs in the live view', () => {
  test('each node shows how many are on it, by CRUSH host or the first label of its name; a node without has none', async () => {
    const { clock, osds } = watched([TOOLBOX], () => ok([osd(0, 'st-1'), osd(1, 'st-1'), osd(2, 'gone'), osd(3, null)]))
    await clock.advance(2_000)
    expect(osds()).toEqual({ 'st-1.kaas.local': 2, 'cmp-1': 0 })
  })

  test('a node with dots in its name has those of the CRUSH host that Rook names with dashes, and of no other', async () => {
    const { clock, osds } = watched([TOOLBOX], () =>
      ok([osd(0, 'st-1-kaas-local'), osd(1, 'st-1-kaas'), osd(2, 'st-10-kaas-local'), osd(3, 'st')]),
    )
    await clock.advance(2_000)
    expect(osds()).toEqual({ 'st-1.kaas.local': 1, 'cmp-1': 0 })
  })

  test('a disk that is added shows within 15 seconds, and what was known stays while Ceph is silent', async () => {
    let answer: Result<readonly CephOsd[]> = ok([osd(0, 'st-1')])
    const { clock, osds } = watched([TOOLBOX], () => answer)
    await clock.advance(2_000)
    answer = ok([osd(0, 'st-1'), osd(1, 'st-1')])
    await clock.advance(15_000)
    expect(osds()['st-1.kaas.local']).toBe(2)
    answer = failed(failure('unreachable', 'The toolbox does not answer.'))
    await clock.advance(60_000)
    expect(osds()['st-1.kaas.local']).toBe(2)
  })

  test('during a run, a disk shows within three seconds: the state of its node must be current', async () => {
    let answer: Result<readonly CephOsd[]> = ok([osd(0, 'st-1')])
    const run = { runId: 'run-1', node: 'st-1.kaas.local', kind: 'enter', isDriven: true } as const
    const { clock, osds } = watched([TOOLBOX], () => answer, fakeCluster(), [run])
    await clock.advance(2_000)
    answer = ok([osd(0, 'st-1'), osd(1, 'st-1')])
    await clock.advance(4_000)
    expect(osds()['st-1.kaas.local']).toBe(2)
  })

  test('the state of a node and its disks is unknown while Ceph is silent, and known again when it answers', async () => {
    const away: CephOsd = { ...osd(0, 'st-1'), up: false }
    let answer: Result<readonly CephOsd[]> = ok([away])
    const juju = { kind: 'client-files', directory: '/nowhere', controller: 'c', model: 'm' } as const
    const sunbeam = fakeCluster({
      flavour: 'sunbeam',
      cloud: null,
      roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, juju },
    })
    const { clock, states } = watched([], () => answer, sunbeam)
    await clock.advance(2_000)
    expect(states()['st-1.kaas.local']).toBe('maintenance')
    answer = failed(failure('unreachable', 'Juju does not answer.'))
    await clock.advance(16_000)
    // The other had no disk when Ceph last answered.
    expect(states()).toEqual({ 'st-1.kaas.local': 'unknown', 'cmp-1': 'active' })
    answer = ok([away])
    await clock.advance(16_000)
    expect(states()['st-1.kaas.local']).toBe('maintenance')
  })

  test('a cluster without a toolbox pod is never asked, and shows that nothing is known', async () => {
    const { clock, asked, osds } = watched([], () => ok([]))
    await clock.advance(120_000)
    expect(asked()).toBe(0)
    expect(osds()['cmp-1']).toBeNull()
  })

  test('who may not run commands in the toolbox asks no more than every five minutes', async () => {
    const { clock, asked } = watched([TOOLBOX], () => failed(failure('not-permitted', 'You may not.')))
    await clock.advance(290_000)
    expect(asked()).toBe(1)
  })
})
