import { describe, expect, it } from 'vitest'
import { migrationSlope } from '../../../shared/domain/migration-pace.ts'

const looksOf = (remaining: readonly (number | null)[], everyMs = 10_000) =>
  remaining.map((left, index) => ({ atMs: (index + 1) * everyMs, remaining: left }))

describe('the progress of a live migration', () => {
  it.each([
    { what: 'each look finds less', left: [900, 800, 700], kind: 'moving' },
    { what: 'no figures yet, just after the start', left: [], nowMs: 20_000, kind: 'moving' },
    { what: 'no figures at all', left: [null, null, null, null], kind: 'silent' },
    { what: 'no figures any more', left: [900, null, null, null, null], kind: 'silent' },
    { what: 'as much as ever is left', left: [900, 900, 900, 900, 900, 900, 900, 900], kind: 'not-converging' },
    {
      what: 'each pass begins with as much as the one before',
      left: [500, 100, 500, 100, 500, 100, 500, 100, 500, 100],
      kind: 'not-converging',
    },
    { what: 'each pass leaves less than the one before', left: [500, 100, 400, 80, 300, 60, 200, 40], kind: 'moving' },
    {
      what: 'it falls by so little that it takes hours',
      left: [10_000, 9_999, 9_998, 9_997],
      kind: 'converging-slowly',
    },
  ])('$kind where $what', ({ left, nowMs, kind }) => {
    const looks = looksOf(left)
    expect(migrationSlope(0, looks, nowMs ?? looks.length * 10_000).kind).toBe(kind)
  })

  it('last made progress when less was left than ever before, whatever a later pass begins with', () => {
    expect(migrationSlope(0, looksOf([900, 300, 800, 700]), 40_000)).toMatchObject({
      bytesLeft: 300,
      progressedAtMs: 20_000,
    })
  })

  const STILL = [500, 100, 400, 300, 500, 200, 400, 150, 500]

  it.each([
    { what: 'one look finds less by chance', later: [90, 500], kind: 'not-converging', bytesLeft: 90 },
    { what: 'two looks in a row find less', later: [90, 80], kind: 'not-converging', bytesLeft: 80 },
    { what: 'three looks in a row find less', later: [90, 80, 70], kind: 'moving', bytesLeft: 70 },
  ])('is $kind after a minute without progress when $what', ({ later, kind, bytesLeft }) => {
    const looks = looksOf([...STILL, ...later])
    expect(migrationSlope(0, looks, looks.length * 10_000)).toMatchObject({ kind, bytesLeft })
  })

  it('ends when nothing is left at the rate at which the least fell', () => {
    expect(migrationSlope(0, looksOf([900, 800, 700]), 30_000)).toMatchObject({ bytesPerSecond: 10, endsAtMs: 100_000 })
  })

  it('has no end where the least does not fall', () => {
    expect(migrationSlope(0, looksOf([900, 950]), 20_000)).toMatchObject({ bytesPerSecond: null, endsAtMs: null })
  })
})
