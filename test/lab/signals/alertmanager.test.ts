import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { createAlertmanagerPort } from '../../../main/wings/notify/alertmanager/alertmanager-port.ts'
import { DEFAULT_INSTANCE_MATCHERS, DEFAULT_NODE_MATCHERS } from '../../../shared/domain/signals.ts'
import { silencesOf } from '../../../shared/domain/silence-matchers.ts'
import { alertmanagerContract } from '../../contract/alertmanager-contract.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { startLabSignals } from './lab-signals.ts'

let lab: Awaited<ReturnType<typeof startLabSignals>>
beforeAll(async () => {
  lab = await startLabSignals()
  // It listens before it is ready.
  await vi.waitFor(async () => expect((await fetch(`${lab.alertmanager}/-/ready`)).status).toBe(200), {
    timeout: 30_000,
  })
})
afterAll(() => lab.stop())

const port = () =>
  createAlertmanagerPort(
    { url: lab.alertmanager, authorization: null, ca: null },
    { clock: systemClock, environment: {} },
  )

describe('a real Alertmanager', () => {
  alertmanagerContract(port)

  test('silences exactly the node and its instances, and no alert with a similar name', async () => {
    const alerts = [
      { instance: 'cmp-1:9100' },
      { instance: 'cmp-1' },
      { instance: 'cmp-10:9100' },
      { node: 'cmp-1' },
      { node: 'cmp-2' },
      { instance_id: '6f1c-a' },
      { instance_id: '6f1c-b' },
      { instance_id: '6f1c-c' },
    ].map(labels => ({ labels: { alertname: 'Down', ...labels } }))
    const headers = { 'content-type': 'application/json' }
    await fetch(`${lab.alertmanager}/api/v2/alerts`, { method: 'POST', headers, body: JSON.stringify(alerts) })
    const templates = { nodeMatchers: DEFAULT_NODE_MATCHERS, instanceMatchers: DEFAULT_INSTANCE_MATCHERS }
    const instances = ['6f1c-a', '6f1c-b'].map(id => ({ id, name: id }))
    const now = systemClock.now()
    for (const matchers of silencesOf(templates, { node: 'cmp-1', instances })) {
      const iso = (ms: number) => new Date(now + ms).toISOString()
      valueIn(
        await port().keep({
          id: null,
          matchers,
          startsAt: iso(0),
          endsAt: iso(60_000),
          createdBy: 'a test',
          comment: 'A test.',
        }),
      )
    }
    const Alerts = z.array(
      z.object({ labels: z.record(z.string(), z.string()), status: z.object({ state: z.string() }) }),
    )
    await vi.waitFor(
      async () => {
        const reported = Alerts.parse(await (await fetch(`${lab.alertmanager}/api/v2/alerts`)).json())
        const silenced = reported.filter(({ status }) => status.state === 'suppressed').map(({ labels }) => labels)
        const names = silenced.map(({ instance, node, instance_id: id }) => instance ?? node ?? id)
        expect(names.sort()).toEqual(['6f1c-a', '6f1c-b', 'cmp-1', 'cmp-1', 'cmp-1:9100'])
      },
      { timeout: 20_000 },
    )
  })
})
