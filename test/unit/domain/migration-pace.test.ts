import { describe, expect, it } from 'vitest'
import { migrationPaces } from '../../../shared/domain/migration-pace.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import { MIGRATION_PROGRESS, MIGRATION_REQUESTED, MIGRATION_STALLED } from '../../../shared/domain/run-facts.ts'
import { migrationsOf } from '../../../shared/domain/run-progress.ts'
import { fakeFact } from '../../fixtures/procedures/fake-records.ts'

const BEGAN = Date.parse('2026-11-21T10:00:00.000Z')
const at = (second: number) => new Date(BEGAN + second * 1000).toISOString()
const fact = (second: number, name: string, values: RunFact['values'] = {}): RunFact =>
  fakeFact(name, 'server/a', values, { at: at(second) })
const look = (second: number, memoryRemaining: number | null) =>
  fact(second, MIGRATION_PROGRESS, { memoryTotal: 1000, memoryRemaining })
const paceOf = (...facts: readonly RunFact[]) => migrationPaces({ facts }).get('server/a')

describe('the pace of a migration', () => {
  it('is what was copied of late, and tells when nothing would be left', () => {
    expect(paceOf(look(0, 1000), look(10, 600))).toMatchObject({ bytesPerSecond: 40, endAt: at(25) })
  })

  it('is unknown from one reading, and where memory does not fall', () => {
    expect(paceOf(look(0, 1000))).toMatchObject({ bytesPerSecond: null, endAt: null })
    expect(paceOf(look(0, 500), look(10, 500))).toMatchObject({ bytesPerSecond: null, endAt: null })
    expect(paceOf(look(0, 500), look(10, 700))).toMatchObject({ bytesPerSecond: null, endAt: null })
  })

  it('forgets how fast it was long ago', () => {
    const slow = [300, 299, 298, 297, 296].map((left, index) => look(100 + index, left))
    expect(paceOf(look(0, 1000), ...slow)?.bytesPerSecond).toBe(1)
  })

  it('starts again with each attempt, and skips readings without memory figures', () => {
    const facts = [look(0, 1000), look(10, 100), fact(20, MIGRATION_REQUESTED), look(21, null), look(22, 900)]
    expect(paceOf(...facts)?.left).toEqual([{ at: at(22), share: 0.9 }])
  })

  it('is empty without readings', () => {
    expect(paceOf(fact(0, MIGRATION_REQUESTED))).toBeUndefined()
  })

  it('has no end while another pass goes over memory that was copied before', () => {
    const passes = [look(0, 1000), look(10, 600), look(20, 200), look(30, 900), look(40, 500)]
    expect(paceOf(...passes.slice(0, 3))?.endAt).toBe(at(25))
    for (const reported of [4, 5]) expect(paceOf(...passes.slice(0, reported))).toMatchObject({ endAt: null })
    expect(paceOf(...passes, look(50, 100))?.endAt).not.toBeNull()
  })
})

describe('whether a migration gets done', () => {
  const copying = (...facts: readonly RunFact[]) => migrationsOf({ facts })[0]?.copying
  const slope = { memoryTotal: 1000, slope: 'not-converging' }
  const report = (second: number, memoryRemaining: number) =>
    fact(second, MIGRATION_PROGRESS, { ...slope, memoryRemaining })

  it('one that copies again and again what is written meanwhile is not converging, and never counts as stuck', () => {
    const looks = [look(1, 950), look(10, 620), look(20, 220)]
    expect(copying(...looks)).toBe('copying')
    expect(copying(...looks, report(80, 900))).toBe('not-converging')
    expect(copying(...looks, report(80, 900), fact(81, MIGRATION_STALLED))).toBe('not-converging')
  })

  it('one that copies nothing, or reports nothing, is stuck', () => {
    expect(copying(look(1, 900), fact(90, MIGRATION_STALLED))).toBe('still')
    expect(copying(...[10, 20, 30, 40, 50, 60].map(second => report(second, 900)))).toBe('still')
  })
})
