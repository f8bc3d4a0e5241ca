import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { playWindowReported, type SeenSilence, type WindowScene } from '../../fixtures/signals/window-messages.ts'
import { type BootedServer, bootServers } from '../cli/boot-servers.ts'
import { kubectl } from '../cli/referees.ts'
import { LAB_CLOUDS, LAB_KUBECONFIG } from '../lab-places.ts'
import { namesOn, returnComputeHost } from '../roles/lab-console.ts'
import { startLabSignals } from './lab-signals.ts'

/**
 * One window on the real lab with a real Prometheus and a real Alertmanager, a receiver of webhooks and a mail sink: what was sent is counted by who
 * received it, what is silenced is asked of Alertmanager.
 */
const COMPUTE = 'cmp-1'
const PREFIX = `told-${process.pid}`
const OURS: readonly BootedServer[] = [
  { name: `${PREFIX}-1`, tag: 'live_migrate', status: 'ACTIVE' },
  { name: `${PREFIX}-2`, tag: 'live_migrate', status: 'ACTIVE' },
  { name: `${PREFIX}-3`, tag: 'poweroff', status: 'ACTIVE' },
]
let signals: Awaited<ReturnType<typeof startLabSignals>>
let directory: string
let seeded: readonly string[]

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-lab-told-'))
  signals = await startLabSignals()
  await vi.waitFor(async () => expect((await fetch(`${signals.alertmanager}/-/ready`)).status).toBe(200), {
    timeout: 30_000,
  })
  seeded = await namesOn(COMPUTE)
  await bootServers(COMPUTE, OURS)
})

afterEach(async () => {
  await signals.stop()
  rmSync(directory, { recursive: true, force: true })
  // Each instance that was moved away comes back, one migration after the other.
  await returnComputeHost(COMPUTE, seeded, PREFIX)
}, 400_000)

const Silences = z.array(
  z.object({
    id: z.string(),
    status: z.object({ state: z.string() }),
    endsAt: z.string(),
    comment: z.string(),
  }),
)
const Alerts = z.array(z.object({ labels: z.record(z.string(), z.string()), status: z.object({ state: z.string() }) }))

async function silences(): Promise<readonly SeenSilence[]> {
  const listed = Silences.parse(await (await fetch(`${signals.alertmanager}/api/v2/silences`)).json())
  return listed.map(({ id, status, endsAt, comment }) => ({ id, state: status.state, endsAt, comment }))
}

/** An exporter of the node is gone, and of its neighbour with the longer name: as Prometheus tells Alertmanager. */
async function fire(): Promise<void> {
  const alerts = [`${COMPUTE}:9100`, `${COMPUTE}0:9100`].map(instance => ({ labels: { alertname: 'Down', instance } }))
  const headers = { 'content-type': 'application/json' }
  await fetch(`${signals.alertmanager}/api/v2/alerts`, { method: 'POST', headers, body: JSON.stringify(alerts) })
}

/** The state of both alerts, as Alertmanager has it. */
async function alerts(): Promise<readonly string[]> {
  const reported = Alerts.parse(await (await fetch(`${signals.alertmanager}/api/v2/alerts`)).json())
  return reported.map(({ labels, status }) => `${labels.instance} ${status.state}`).toSorted()
}

async function untilAlertsAre(node: string, timeoutMs: number): Promise<void> {
  await vi.waitFor(
    async () => {
      await fire()
      expect(await alerts()).toEqual([`${COMPUTE}0:9100 active`, `${COMPUTE}:9100 ${node}`])
    },
    { timeout: timeoutMs, interval: 1_000 },
  )
}

async function facts(): Promise<WindowScene> {
  return {
    directory,
    cluster: ['--kubeconfig', LAB_KUBECONFIG, '--clouds-yaml', LAB_CLOUDS, '--cloud', 'lab'],
    node: COMPUTE,
    kubelet: await kubectl('get', 'node', COMPUTE, '-o', 'jsonpath={.status.nodeInfo.kubeletVersion}'),
    alertmanager: signals.alertmanager,
    silences,
    prometheus: signals.prometheus,
    query: 'up{job="itself"}',
    leadMs: 15_000,
  }
}

test('one window from its announcement to its report: the console killed in the middle, nothing left behind and nothing sent twice', {
  timeout: 600_000,
}, async () => {
  await untilAlertsAre('active', 30_000)
  await playWindowReported(await facts(), () => untilAlertsAre('suppressed', 30_000))
  await untilAlertsAre('active', 30_000)
})

test.runIf(process.env.LOCKKEEPER_LONG === '1')(
  'no console continues for ten minutes: Alertmanager ends the silences, the alerts are back, and the next driver of the run makes others',
  { timeout: 1_200_000 },
  async () => {
    await playWindowReported(await facts(), async ({ silences: left }) => {
      const last = Math.max(...left.map(({ endsAt }) => Date.parse(endsAt)))
      await untilAlertsAre('suppressed', 30_000)
      await untilAlertsAre('active', last - Date.now() + 60_000)
      expect(Date.now()).toBeGreaterThan(Math.min(...left.map(({ endsAt }) => Date.parse(endsAt))))
    })
    await untilAlertsAre('active', 30_000)
  },
)
