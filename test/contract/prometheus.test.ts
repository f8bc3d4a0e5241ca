import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { createPrometheusPort } from '../../main/wings/notify/prometheus/prometheus-port.ts'
import { failureIn, valueIn } from '../fixtures/clusters/results.ts'
import { type FakePrometheus, startFakePrometheus } from '../fixtures/signals/fake-prometheus.ts'
import { prometheusContract } from './prometheus-contract.ts'

let fake: FakePrometheus
beforeAll(async () => {
  fake = await startFakePrometheus()
})
afterAll(() => fake.stop())

const port = () =>
  createPrometheusPort({ url: fake.url, authorization: null, ca: null }, { clock: systemClock, environment: {} })

describe('the stand-in for Prometheus', () => prometheusContract(port))

describe('a malformed answer', () => {
  test.each([
    ['a login page', { status: 200, body: '<html>' }],
    ['another JSON', { status: 200, body: '{"status":"ok"}' }],
    [
      'a value that is not a number',
      { status: 200, body: '{"status":"success","data":{"resultType":"scalar","result":[1,"many"]}}' },
    ],
    ['a text', { status: 200, body: '{"status":"success","data":{"resultType":"string","result":[1,"3"]}}' }],
  ])('%s is a failure, never a value', async (_, trouble) => {
    fake.trouble(trouble)
    expect(failureIn(await port().query('up'))).toMatchObject({ code: 'unreadable', retryable: true })
    fake.trouble(null)
  })
})

describe('an answer that is marked as incomplete', () => {
  const answered = (more: object) => ({
    status: 200,
    body: JSON.stringify({ status: 'success', data: { resultType: 'scalar', result: [1, '0'] }, ...more }),
  })
  test.each([
    ['warnings', { warnings: ['a store did not answer'] }, ['a store did not answer']],
    ['isPartial', { isPartial: true }, ['a part of the stores did not answer']],
    ['neither', { warnings: null, isPartial: false, infos: ['a metric may be no counter'] }, []],
  ])('is marked incomplete by %s, with the reasons', async (_, more, doubts) => {
    fake.trouble(answered(more))
    expect(valueIn(await port().query('up'))).toMatchObject({ values: [{ value: 0 }], doubts })
    fake.trouble(null)
  })
})
