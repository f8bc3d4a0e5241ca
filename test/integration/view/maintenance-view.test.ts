import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import type { LockTarget } from '../../../main/ports/maintenance-api.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { applyChanges, type LiveCluster, liveOf } from '../../../renderer/stores/views.ts'
import { must } from '../../../shared/domain/must.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { connectTarget } from '../../fixtures/connect-target.ts'

/** A console over demo-mosk, and what its screens would show of the node maintenance API while others work with it. */
describe('the live view of the node maintenance API', () => {
  let directory: string
  let demo: DemoClouds
  let app: App
  let live: LiveCluster
  let byHand: Awaited<ReturnType<typeof connectTarget>>
  let lock: LockTarget

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-maintenance-view-'))
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 20, mosk: {} })
    const face = { kind: 'terminal', pickFiles: null, secrets: null } as const
    app = valueIn(await createApp({ dataDirectory: join(directory, 'data'), demo: false, face }))
    const cloud = must(
      demo.clusters.find(({ name }) => name === 'demo-mosk'),
      'the demo has demo-mosk',
    )
    byHand = await connectTarget({
      kubeconfig: cloud.kubeconfigPath,
      context: cloud.context,
      viewerKubeconfig: null,
      cloudsYaml: cloud.cloudsYamlPath,
      cloud: cloud.cloud,
      userCloud: `${cloud.cloud}-demo`,
    })
    await app.contract.ask('cluster.add', {
      name: 'mosk',
      flavour: 'mosk',
      kubeconfig: { paths: [cloud.kubeconfigPath], context: cloud.context },
      cloud: { path: cloud.cloudsYamlPath, cloud: cloud.cloud },
    })
    app.contract.listen('view.patch', ({ cluster, fromSeq, toSeq, changes }) => {
      if (cluster !== 'mosk') return
      expect(fromSeq).toBe(live.seq)
      live = applyChanges(live, changes, toSeq)
    })
    const { view, seq } = valueIn(await app.contract.ask('view.open', { cluster: 'mosk' }))
    live = liveOf(view, seq)
  })
  afterAll(async () => {
    await app.close()
    await byHand.close()
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const becomes = (look: () => unknown, wanted: unknown) =>
    vi.waitFor(() => expect(look()).toEqual(wanted), { timeout: 20_000, interval: 20 })
  const lamp = () => live.nodes.get('mosk-osd-3')?.locks?.find(({ controller }) => controller === 'by-hand')
  const request = () => live.maintenance?.nodeRequests.find(({ name }) => name === 'by-hand')

  test('both of its sources are live', async () => {
    await becomes(() => live.sources.get('workload-locks')?.state.kind, 'live')
    await becomes(() => live.sources.get('maintenance-requests')?.state.kind, 'live')
  })

  test('a lock lights its lamp at the node its spec means, with what its controller says (docs/domain.md A.1)', async () => {
    const { uid } = valueIn(
      await byHand.locks.createNodeLock({
        name: 'by-hand',
        controller: 'by-hand',
        nodeName: 'mosk-osd-3.example.org',
        nodeDeletionRequestSupported: false,
        annotations: {},
      }),
    )
    lock = { kind: 'NodeWorkloadLock', name: 'by-hand', uid }
    await becomes(lamp, { controller: 'by-hand', state: 'active', message: '' })
    valueIn(await byHand.locks.setLockStatus(lock, { state: 'active', errorMessage: 'Waiting for something' }))
    await becomes(lamp, { controller: 'by-hand', state: 'active', message: 'Waiting for something' })
  })

  test('a request comes, is Terminating while somebody holds it, and goes (docs/domain.md A.3)', async () => {
    const { uid, name } = valueIn(
      await byHand.maintenanceApi.createNodeRequest({
        name: 'by-hand',
        nodeName: 'no-such-node',
        scope: 'drain',
        release: null,
        annotations: { 'lockkeeper.dev/operator': 'ada' },
      }),
    )
    const target = { kind: 'NodeMaintenanceRequest', name, uid } as const
    await becomes(() => request()?.annotations['lockkeeper.dev/operator'], 'ada')
    valueIn(await byHand.locks.setFinalizer(target, 'by-hand.example.org/finalizer', true))
    valueIn(await byHand.maintenanceApi.deleteRequest(target))
    await becomes(() => request()?.deletingSince?.startsWith('2'), true)
    valueIn(await byHand.locks.setFinalizer(target, 'by-hand.example.org/finalizer', false))
    await becomes(request, undefined)
  })

  test('a lock that is deleted takes its lamp with it', async () => {
    valueIn(await byHand.locks.deleteLock(lock))
    await becomes(lamp, undefined)
  })

  test('a cloud without the API gets it from the console, and its view starts without a reload', async () => {
    const plain = must(
      demo.clusters.find(({ name }) => name === 'demo-plain'),
      'the demo has demo-plain',
    )
    await app.contract.ask('cluster.add', {
      name: 'plain',
      flavour: 'plain',
      kubeconfig: { paths: [plain.kubeconfigPath], context: plain.context },
      cloud: null,
    })
    const sources = async () => {
      const { view } = valueIn(await app.contract.ask('view.open', { cluster: 'plain' }))
      return view.sources.find(({ name }) => name === 'maintenance-requests')?.state.kind
    }
    await vi.waitFor(async () => expect(await sources()).toBe('absent'), { timeout: 20_000, interval: 50 })
    const ask = async (name: 'definitions.status' | 'definitions.install') =>
      valueIn(await app.contract.ask(name, { cluster: 'plain' })).map(({ state }) => state)
    expect(await ask('definitions.status')).toEqual(Array(6).fill('missing'))
    expect(await ask('definitions.install')).toEqual(Array(6).fill('same'))
    await vi.waitFor(async () => expect(await sources()).toBe('live'), { timeout: 30_000, interval: 100 })
  })
})
