import { expect, test } from 'vitest'
import type { PrometheusPort } from '../../main/ports/prometheus.ts'
import { failureIn, valueIn } from '../fixtures/clusters/results.ts'

/** What holds of every Prometheus: of the stand-in on loopback, and of the real one of test/lab/signals. */
export function prometheusContract(portOf: () => PrometheusPort): void {
  test('a vector comes with its labels and the moment', async () => {
    const { values, atMs } = valueIn(await portOf().query('label_replace(vector(7), "kind", "a", "", "")'))
    expect(values).toEqual([{ labels: '{kind="a"}', value: 7 }])
    expect(Math.abs(atMs - Date.now())).toBeLessThan(60_000)
  })

  test('a scalar is one value', async () => {
    expect(valueIn(await portOf().query('scalar(vector(3))')).values).toEqual([{ labels: '', value: 3 }])
  })

  test('nothing is no value, NaN is NaN, and what is endless is endless', async () => {
    expect(valueIn(await portOf().query('vector(1) > 2')).values).toEqual([])
    expect(valueIn(await portOf().query('vector(0) / 0')).values[0]?.value).toBeNaN()
    expect(valueIn(await portOf().query('vector(1) / 0')).values[0]?.value).toBe(Number.POSITIVE_INFINITY)
  })

  test('a query that is none, or one of a range, is a failure', async () => {
    expect(failureIn(await portOf().query('sum('))).toMatchObject({ code: 'bad-input' })
    expect((await portOf().query('up[5m]')).ok).toBe(false)
  })
}
