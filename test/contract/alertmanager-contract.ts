import { expect, test } from 'vitest'
import type { AlertmanagerPort } from '../../main/wings/notify/ports/alertmanager.ts'
import { valueIn } from '../fixtures/clusters/results.ts'

const MATCHERS = [{ name: 'instance', value: '^contract-1(:[0-9]+)?$', isRegex: true, isEqual: true }]

/** What every Alertmanager does: the stand-in on loopback and the real one of test/lab/signals. */
export function alertmanagerContract(portOf: () => AlertmanagerPort): void {
  const iso = (inMs: number) => new Date(Date.now() + inMs).toISOString()
  const wanted = (endsInMs: number) => ({
    id: null,
    matchers: MATCHERS,
    startsAt: iso(0),
    endsAt: iso(endsInMs),
    createdBy: 'lockkeeper eva@laptop-1',
    comment: 'A test.',
  })

  test('reports its version', async () => {
    expect(valueIn(await portOf().version())).toMatch(/^\d+\.\d+/)
  })

  test('a silence is created, is active, is prolonged with the same id, and is ended', async () => {
    const port = portOf()
    const id = valueIn(await port.keep(wanted(60_000)))
    const made = valueIn(await port.look(id))
    expect(made).toMatchObject({ state: 'active' })
    const endsAt = iso(120_000)
    const changed = { ...wanted(0), id, startsAt: made?.startsAt ?? '', endsAt }
    expect(valueIn(await port.keep(changed))).toBe(id)
    expect(Math.abs(Date.parse(valueIn(await port.look(id))?.endsAt ?? '') - Date.parse(endsAt))).toBeLessThan(1_000)
    valueIn(await port.end(id))
    expect(valueIn(await port.look(id))).toMatchObject({ state: 'expired' })
  })

  test('ending an ended silence again succeeds, so only a read shows its state', async () => {
    const port = portOf()
    const id = valueIn(await port.keep(wanted(60_000)))
    valueIn(await port.end(id))
    const endedAt = valueIn(await port.look(id))?.endsAt
    await port.end(id)
    expect(valueIn(await port.look(id))).toMatchObject({ state: 'expired', endsAt: endedAt })
  })

  test('a silence that is renewed after its end, or changed, gets another id', async () => {
    const port = portOf()
    const id = valueIn(await port.keep(wanted(60_000)))
    valueIn(await port.end(id))
    const again = valueIn(await port.keep({ ...wanted(60_000), id }))
    expect(again).not.toBe(id)
    const other = {
      ...wanted(60_000),
      id: again,
      matchers: [{ ...MATCHERS[0], value: 'contract-2' }] as typeof MATCHERS,
    }
    const third = valueIn(await port.keep(other))
    expect(third).not.toBe(again)
    expect(valueIn(await port.look(again))).toMatchObject({ state: 'expired' })
    valueIn(await port.end(third))
  })

  test('unexpired silences are found by words in their comment, with their matchers', async () => {
    const port = portOf()
    const mark = `run ${Math.round(performance.now() * 1000)}`
    const matchers = [
      { name: 'instance', value: 'contract-3 "quoted"', isRegex: false, isEqual: true },
      { name: 'job', value: 'a|b', isRegex: true, isEqual: false },
    ]
    const id = valueIn(await port.keep({ ...wanted(60_000), comment: `Work: ${mark} by eva.`, matchers }))
    expect(valueIn(await port.find(mark))).toEqual([expect.objectContaining({ id, state: 'active', matchers })])
    expect(valueIn(await port.find(`${mark} by tom`))).toEqual([])
    valueIn(await port.end(id))
    expect(valueIn(await port.find(mark))).toEqual([])
  })

  test('an unknown id gives no silence', async () => {
    expect(valueIn(await portOf().look('00000000-0000-4000-8000-000000000000'))).toBeNull()
  })
}
