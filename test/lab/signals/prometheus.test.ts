import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { createPrometheusPort } from '../../../main/wings/notify/prometheus/prometheus-port.ts'
import { judgeGate } from '../../../shared/domain/health-gates.ts'
import { prometheusContract } from '../../contract/prometheus-contract.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { startLabSignals } from './lab-signals.ts'

let lab: Awaited<ReturnType<typeof startLabSignals>>
const port = () =>
  createPrometheusPort({ url: lab.prometheus, authorization: null, ca: null }, { clock: systemClock, environment: {} })

beforeAll(async () => {
  lab = await startLabSignals()
  // It scrapes itself once a second.
  await vi.waitFor(async () => expect(valueIn(await port().query('up')).values).toHaveLength(1), {
    timeout: 60_000,
    interval: 500,
  })
}, 120_000)
afterAll(() => lab.stop())

describe('a real Prometheus', () => {
  prometheusContract(port)

  test('what it scrapes is judged', async () => {
    const answer = valueIn(await port().query('up{job="itself"}'))
    const gate = { name: 'up', query: 'up', stopsWhen: { comparison: '<', threshold: 1 } } as const
    expect(judgeGate(gate, answer, systemClock.now())).toMatchObject({ kind: 'healthy' })
    expect(
      judgeGate({ ...gate, stopsWhen: { comparison: '>=', threshold: 1 } }, answer, systemClock.now()),
    ).toMatchObject({
      kind: 'stops',
      words: expect.stringContaining('up{instance="127.0.0.1:19090", job="itself"}'),
    })
  })
})
