import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../../shared/domain/must.ts'
import { startFakeAlertmanager } from '../../../fixtures/signals/fake-alertmanager.ts'
import { type FakePrometheus, startFakePrometheus } from '../../../fixtures/signals/fake-prometheus.ts'
import { playWindowReported } from '../../../fixtures/signals/window-messages.ts'

/** What the lab plays against real systems (test/lab/signals), on an embedded cloud. */
const QUERY = 'up{job="itself"}'
let directory: string
let demo: DemoClouds
let alerts: Awaited<ReturnType<typeof startFakeAlertmanager>>
let prometheus: FakePrometheus

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-told-'))
  // Slow enough to be killed in the middle.
  demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 8 })
  alerts = await startFakeAlertmanager(systemClock)
  prometheus = await startFakePrometheus()
  prometheus.teach(QUERY, { '{"job":"itself"}': '1' })
})

afterAll(async () => {
  await alerts.stop()
  await prometheus.stop()
  await demo.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('one window from its announcement to its report: the console killed in the middle, nothing left behind and nothing sent twice', async () => {
  const { kubeconfigPath, context, cloudsYamlPath, cloud } = must(demo.clusters[0], 'the demo has demo-plain')
  const nodes = demo.kubernetes.objects.list('Node') as readonly {
    status?: { nodeInfo?: { kubeletVersion?: string } }
  }[]
  await playWindowReported({
    directory,
    cluster: ['--kubeconfig', kubeconfigPath, '--context', context, '--clouds-yaml', cloudsYamlPath, '--cloud', cloud],
    node: 'cmp-01',
    kubelet: must(nodes[0]?.status?.nodeInfo?.kubeletVersion, 'it has a kubelet'),
    alertmanager: alerts.url,
    silences: async () =>
      [...alerts.silences.values()].map(one => ({
        id: one.id,
        state: alerts.active().some(({ id }) => id === one.id) ? 'active' : 'expired',
        endsAt: one.endsAt,
        comment: one.comment,
      })),
    prometheus: prometheus.url,
    query: QUERY,
    leadMs: 4_000,
  })
  // About ten starts of the terminal, and the lead of the window.
}, 120_000)
