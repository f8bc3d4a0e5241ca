import { expect, test } from 'vitest'
import type { AlertmanagerPort } from '../../main/ports/alertmanager.ts'
import { valueIn } from '../fixtures/clusters/results.ts'

const MATCHERS = [{ name: 'instance', value: '^contract-1(:[0-9]+)?$', isRegex: true, isEqual: true }]

/** What holds of every Alertmanager: of the stand-in on loopback, and of the real one of test/lab/signals. */
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

  test('it tells its version', async () => {
    expect(valueIn(await portOf().version())).toMatch(/^\d+\.\d+/)
  })

  test('a silence is made, is active, is prolonged under the same id, and is ended', async () => {
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

  test('one that was ended may be ended again, which tells nothing: looking does', async () => {
    const port = portOf()
    const id = valueIn(await port.keep(wanted(60_000)))
    valueIn(await port.end(id))
    const endedAt = valueIn(await port.look(id))?.endsAt
    await port.end(id)
    expect(valueIn(await port.look(id))).toMatchObject({ state: 'expired', endsAt: endedAt })
  })

  test('one that is over comes back under another id, and so does one that is changed', async () => {
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

  test('those that are not over are found by words of their comment, with what they silence', async () => {
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

  test('one that nobody made is none', async () => {
    expect(valueIn(await portOf().look('00000000-0000-4000-8000-000000000000'))).toBeNull()
  })
}
