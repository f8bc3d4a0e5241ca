import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { applyChanges, type LiveCluster, liveOf } from '../../../renderer/stores/views.ts'
import { ViewChange } from '../../../shared/domain/cluster-view.ts'
import { must } from '../../../shared/domain/must.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { connectTarget } from '../../fixtures/connect-target.ts'

/** A console over demo-plain, and what its screens would show: the snapshot with every patch applied, by the renderer's own rules. */
describe('the live view of a cluster', () => {
  let directory: string
  let demo: DemoClouds
  let app: App
  let live: LiveCluster
  let byHand: Awaited<ReturnType<typeof connectTarget>>
  const sentAt: number[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-view-'))
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 20 })
    app = valueIn(
      await createApp({
        dataDirectory: join(directory, 'data'),
        demo: false,
        face: { kind: 'terminal', pickFiles: null, secrets: null },
      }),
    )
    const cloud = must(demo.clusters[0], 'the demo has a cluster')
    byHand = await connectTarget({
      kubeconfig: cloud.kubeconfigPath,
      context: cloud.context,
      viewerKubeconfig: null,
      cloudsYaml: cloud.cloudsYamlPath,
      cloud: cloud.cloud,
      userCloud: `${cloud.cloud}-demo`,
    })
    await app.contract.ask('cluster.add', {
      name: 'east',
      flavour: 'plain',
      kubeconfig: { paths: [cloud.kubeconfigPath], context: cloud.context },
      cloud: { path: cloud.cloudsYamlPath, cloud: cloud.cloud },
    })
    app.contract.listen('view.patch', ({ fromSeq, toSeq, changes }) => {
      sentAt.push(systemClock.now())
      expect(fromSeq).toBe(live.seq)
      for (const change of changes) ViewChange.parse(change)
      live = applyChanges(live, changes, toSeq)
    })
    await open()
  })

  async function open(): Promise<void> {
    const { view, seq } = valueIn(await app.contract.ask('view.open', { cluster: 'east' }))
    live = liveOf(view, seq)
  }

  afterAll(async () => {
    await app.close()
    await byHand.close()
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const becomes = (look: () => unknown, wanted: unknown, timeout = 20_000) =>
    vi.waitFor(() => expect(look()).toEqual(wanted), { timeout, interval: 20 })
  const node = (name: string) => live.nodes.get(name)
  const server = (name: string) =>
    must(
      [...demo.openstack.state.servers.values()].find(each => each.name === name),
      `${name} is in the demo`,
    )
  test('begins with every node and every instance of the cloud', async () => {
    expect(live.nodes.size).toBe(14)
    await becomes(() => live.instances.size, demo.openstack.state.servers.size)
    await becomes(() => node('cmp-01')?.instances?.total, 7)
    expect(node('cmp-01')).toMatchObject({ state: 'active', zone: 'az1', roles: ['compute'], locks: null, osds: null })
    await becomes(() => node('cmp-01')?.load !== null, true)
    await becomes(() => live.sources.get('workload-locks')?.state.kind, 'absent')
  })

  test('shows a cordon of any user', async () => {
    expect(node('osd-1')?.schedulable).toBe(true)
    valueIn(await byHand.kubernetes.setUnschedulable('osd-1', true))
    await becomes(() => [node('osd-1')?.schedulable, node('osd-1')?.state], [false, 'partial'])
    valueIn(await byHand.kubernetes.setUnschedulable('osd-1', false))
    await becomes(() => [node('osd-1')?.schedulable, node('osd-1')?.state], [true, 'active'])
  })

  test('shows what a changed host mode does to the untagged instances of that host', async () => {
    const answer = await app.contract.ask('node.set-mode', { cluster: 'east', node: 'cmp-03', mode: 'manual' })
    expect(answer).toMatchObject({ ok: true })
    await becomes(() => node('cmp-03')?.migrationMode, 'manual')
    const web = [...live.instances.values()].find(instance => instance.name === 'web-06')
    await becomes(() => live.instances.get(web?.id ?? '')?.action, 'notify')
  })

  test('shows a mark soon after it was set, although Nova does not count tags as a change', async () => {
    const { id } = server('web-03')
    const answer = await app.contract.ask('instance.mark', { cluster: 'east', marks: [{ id, actions: ['poweroff'] }] })
    expect(answer).toMatchObject({ ok: true, value: { results: [{ failure: null }] } })
    await becomes(() => live.instances.get(id)?.marks, ['poweroff'])
    expect(live.instances.get(id)?.action).toBe('poweroff')
  })

  test('shows an instance on its new host, and new counts for both hosts', async () => {
    const { id } = server('web-09')
    const before = node('cmp-05')?.instances?.total ?? 0
    valueIn(await byHand.openstack.liveMigrate(id, null))
    await becomes(() => live.instances.get(id)?.host !== 'cmp-05' && live.instances.get(id)?.status === 'ACTIVE', true)
    await becomes(() => node('cmp-05')?.instances?.total, before - 1)
  })

  test('says that what it shows is old while the API does not answer, and misses nothing afterwards', async () => {
    const { faults } = demo.kubernetes
    const mend = faults.answer({ path: /^\/api\/v1\/nodes/ }, { status: 503, message: 'etcd has no leader' })
    faults.dropWatches()
    await becomes(() => live.sources.get('nodes')?.state.kind, 'offline')
    expect(live.nodes.size).toBe(14)
    mend()
    faults.compact()
    valueIn(await byHand.kubernetes.annotateNode('osd-2', { 'example.org/rack': 'r9' }))
    valueIn(await byHand.kubernetes.setUnschedulable('osd-2', true))
    await becomes(() => node('osd-2')?.schedulable, false, 20_000)
    await becomes(() => live.sources.get('nodes')?.state.kind, 'live')
  })

  test('is, after all of that, what a fresh snapshot says, and no more than ten patches a second were sent', async () => {
    // With the same number: a snapshot first sends what is queued, and more may follow.
    const { fresh, drawn } = await vi.waitFor(async () => {
      const { view, seq } = valueIn(await app.contract.ask('view.open', { cluster: 'east' }))
      expect(live.seq).toBe(seq)
      return { fresh: liveOf(view, seq), drawn: live }
    })
    expect(new Map([...fresh.nodes].sort())).toEqual(new Map([...drawn.nodes].sort()))
    expect(new Map([...fresh.instances].sort())).toEqual(new Map([...drawn.instances].sort()))
    const crowded = sentAt.filter((at, index) => at - (sentAt[index - 10] ?? Number.NEGATIVE_INFINITY) < 900)
    expect(crowded).toEqual([])
  })
})
