import { describe, expect, test } from 'vitest'
import {
  headDraftOf,
  inZone,
  lengthMs,
  newHead,
  readHead,
  startOf,
  timesOf,
} from '../../../renderer/features/windows/head-draft.ts'
import { listedWindow } from '../../fixtures/renderer/windows.ts'

const { window } = listedWindow({})
const draft = headDraftOf(window)

describe('the times of a window that is edited', () => {
  test('are read in its own time zone and come back as the same instants', () => {
    expect(draft).toMatchObject({ startWall: '2026-11-21 23:00', length: '4 h' })
    expect(readHead(draft)).toMatchObject({
      kind: 'ready',
      head: { startsAt: window.startsAt, endsAt: window.endsAt, timeZone: 'Europe/Vienna' },
    })
  })

  test('stay the same instants when another zone is chosen', () => {
    const moved = inZone(draft, 'Asia/Kolkata')
    expect(moved).toMatchObject({ startWall: '2026-11-22 03:30', timeZone: 'Asia/Kolkata' })
    expect(startOf(moved).at).toBe(window.startsAt)
  })

  test('which the clocks show twice, ask which of the two is meant', () => {
    const twice = { ...draft, startWall: '2026-10-25 02:30' }
    expect(startOf(twice)).toMatchObject({ at: '2026-10-25T00:30:00.000Z', isTwice: true })
    expect(startOf({ ...twice, startOccurrence: 'second' }).at).toBe('2026-10-25T01:30:00.000Z')
    expect(startOf(twice).words).toMatch(/happens twice in Europe\/Vienna/)
  })

  test('of the second of two are found again when the window is edited later', () => {
    const second = headDraftOf({ ...window, startsAt: '2026-10-25T01:30:00.000Z' })
    expect(startOf(second).at).toBe('2026-10-25T01:30:00.000Z')
  })

  test('which the clocks leap over are refused with the words why', () => {
    const reading = readHead({ ...draft, startWall: '2026-03-29 02:30' })
    expect(reading.kind === 'unfinished' && reading.problems.join()).toMatch(/does not exist in Europe\/Vienna/)
  })
})

describe('a window is not announced', () => {
  test('while a time is half written', () => {
    for (const startWall of ['', '2026-11', '11/21/2026, 11:00 PM', '2026-11-21 24:30']) {
      expect(startOf({ ...draft, startWall })).toMatchObject({ at: null })
      expect(readHead({ ...draft, startWall }).kind).toBe('unfinished')
    }
  })

  test('without cluster or title', () => {
    const reading = readHead({ ...draft, cluster: '', title: ' ' })
    expect(reading.kind === 'unfinished' && reading.problems).toEqual(['Choose the cloud.', 'Enter a name.'])
  })

  test('without a length', () => {
    expect(readHead({ ...draft, length: '' }).kind).toBe('unfinished')
  })
})

test('a new window begins with the next full hour of its zone', () => {
  const head = newHead('east', Date.parse('2026-11-21T21:10:00Z'), 'Europe/Vienna')
  expect(head).toMatchObject({ startWall: '2026-11-21 23:00', length: '4 h' })
})

test('one that was drawn into the calendar has those times', () => {
  const times = { startsAt: '2026-11-22T10:00:00.000Z', endsAt: '2026-11-22T11:30:00.000Z' }
  const head = newHead('', 0, 'UTC', times)
  expect(head).toMatchObject({ startWall: '2026-11-22 10:00', length: '1 h 30 min' })
  expect(timesOf(head)).toEqual(times)
  expect(newHead('', Date.parse('2026-11-21T21:10:00Z'), 'UTC', { startsAt: 'x', endsAt: 'y' }).length).toBe('4 h')
})

test.each([
  ['4 h', 240],
  ['4', 240],
  ['1.5', 90],
  ['90 min', 90],
  ['1h30m', 90],
  ['1 d 2 h', 1560],
  ['0 h', null],
  ['soon', null],
  ['', null],
] as const)('the length %s is %s minutes', (typed, minutes) => {
  expect(lengthMs(typed)).toBe(minutes === null ? null : minutes * 60_000)
})
