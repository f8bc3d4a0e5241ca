import { expect, test } from 'vitest'
import type { PrometheusPort } from '../../main/ports/prometheus.ts'
import { failureIn, valueIn } from '../fixtures/clusters/results.ts'

/** What every Prometheus does: the stand-in on loopback and the real one of test/lab/signals. */
export function prometheusContract(portOf: () => PrometheusPort): void {
  test('a vector has labels and a time', async () => {
    const { values, atMs } = valueIn(await portOf().query('label_replace(vector(7), "kind", "a", "", "")'))
    expect(values).toEqual([{ labels: '{kind="a"}', value: 7 }])
    expect(Math.abs(atMs - Date.now())).toBeLessThan(60_000)
  })

  test('a scalar is one value', async () => {
    expect(valueIn(await portOf().query('scalar(vector(3))')).values).toEqual([{ labels: '', value: 3 }])
  })

  test('an empty result has no value, NaN is NaN, and infinite is infinite', async () => {
    expect(valueIn(await portOf().query('vector(1) > 2')).values).toEqual([])
    expect(valueIn(await portOf().query('vector(0) / 0')).values[0]?.value).toBeNaN()
    expect(valueIn(await portOf().query('vector(1) / 0')).values[0]?.value).toBe(Number.POSITIVE_INFINITY)
  })

  test('an invalid query, or one with a range, is a failure', async () => {
    expect(failureIn(await portOf().query('sum('))).toMatchObject({ code: 'bad-input' })
    expect((await portOf().query('up[5m]')).ok).toBe(false)
  })
}
