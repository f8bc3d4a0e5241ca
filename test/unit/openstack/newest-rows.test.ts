import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNewestRows } from '../../../main/openstack/newest-rows.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString()

function rows() {
  const clock = { ms: 0, monotonicMs: () => clock.ms }
  const newest = createNewestRows(clock)
  const isPast = (seconds: number, says?: string, askedAt = newest.moment()) =>
    newest.whyPast({ key: 'a', changedAt: at(seconds), ...(says === undefined ? {} : { says }) }, askedAt) !== null
  return { clock, newest, isPast }
}

describe('a row', () => {
  test('that goes back is of the past', () => {
    const { isPast } = rows()
    expect([10, 10, 12, 7].map(seconds => isPast(seconds))).toEqual([false, false, false, true])
  })

  test('may go back by as little as the clocks of those who write it are apart', () => {
    const { isPast } = rows()
    expect([10, 8, 7].map(seconds => isPast(seconds))).toEqual([false, false, true])
  })

  test('that was asked for before a newer one was heard is no replay: answers overtake each other', () => {
    const { newest, isPast } = rows()
    isPast(1)
    const before = newest.moment()
    isPast(60)
    expect(isPast(1, undefined, before)).toBe(false)
    expect(isPast(1)).toBe(true)
  })

  test.each(['', null, undefined, 'yesterday'])('of the time %j is not compared', changedAt => {
    const { newest } = rows()
    expect(newest.whyPast({ key: 'a', changedAt }, newest.moment())).toBeNull()
  })

  test('heard one after the other is taken if and only if none before it was newer than clocks are apart', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), times => {
        const { isPast } = rows()
        let newest = Number.NEGATIVE_INFINITY
        for (const seconds of times) {
          const expected = newest - seconds > 2
          if (isPast(seconds) !== expected) return false
          newest = Math.max(newest, seconds)
        }
        return true
      }),
    )
  })
})

describe('a change that a service agreed to', () => {
  const changed = () => {
    const made = rows()
    made.isPast(10, 'enabled')
    made.newest.changed({ key: 'a', changedAt: at(11), says: 'disabled' })
    return made
  }

  test('is not contradicted by a row that is not newer', () => {
    expect(changed().isPast(11, 'enabled')).toBe(true)
    expect(changed().isPast(10, 'enabled')).toBe(true)
    expect(changed().isPast(11, 'disabled')).toBe(false)
  })

  test('is by a newer one: somebody else changed it since', () => {
    expect(changed().isPast(12, 'enabled')).toBe(false)
  })

  test('does not stand for ever where nothing moves the time of the row', () => {
    const { clock, isPast } = changed()
    clock.ms = 60_000
    expect(isPast(11, 'enabled')).toBe(false)
  })

  test('says nothing of what was asked before it', () => {
    const made = rows()
    const before = made.newest.moment()
    made.newest.changed({ key: 'a', changedAt: at(1), says: 'disabled' })
    expect(made.isPast(1, 'enabled', before)).toBe(false)
  })
})
