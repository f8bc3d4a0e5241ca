import { describe, expect, test } from 'vitest'
import { liftedBlocker, markedSince } from '../../../shared/domain/lifted-blockers.ts'
import type { Blocker } from '../../../shared/domain/step-answers.ts'

const blocker = (code: string, values: Blocker['values']): Blocker => ({
  code,
  values,
  message: `${code}.`,
  remedy: 'Repair it.',
  override: { kind: 'flag', flag: 'force' },
})
const clocks = (server: string, aheadMs: number) => blocker('ClocksApart', { server, aheadMs })
const instances = (...names: readonly string[]) =>
  blocker('InstancesLeft', { instances: names.map(name => ({ id: `id-${name}`, name, status: 'ERROR' })) })

describe('an override that was given when the plan was read', () => {
  test.each([
    ['lifts what it showed', clocks('keystone', 31_000), clocks('keystone', 31_000), true],
    ['lifts it when only its figures changed', clocks('keystone', 31_000), clocks('keystone', 47_000), true],
    ['lifts what is left of it', instances('db-01', 'db-02'), instances('db-02'), true],
    ['does not lift the same trouble of another object', clocks('keystone', 31_000), clocks('nova', 31_000), false],
    ['does not lift it once it is about more', instances('db-01'), instances('db-01', 'db-02'), false],
    ['does not lift other trouble of the same step', instances('keystone'), clocks('keystone', 31_000), false],
  ] as const)('%s', (_what, shown, now, isLifted) => {
    const marked = markedSince('look', now, [liftedBlocker('look', shown)])
    expect(marked.sinceConfirmed === undefined).toBe(isLifted)
  })

  test('does not lift the same trouble of another step', () => {
    const now = clocks('keystone', 31_000)
    expect(markedSince('other', now, [liftedBlocker('look', now)]).sinceConfirmed).toBe(true)
  })

  test('lifts as it did where the plan is of a version that kept no list', () => {
    expect(markedSince('look', clocks('keystone', 31_000), undefined).sinceConfirmed).toBeUndefined()
  })
})
