import { describe, expect, test } from 'vitest'
import { headDraftOf, inZone, newHead, readHead, timeOf } from '../../../renderer/features/windows/head-draft.ts'
import { listedWindow } from '../../fixtures/renderer/windows.ts'

const { window } = listedWindow({})
const draft = headDraftOf(window)

describe('the times of a window that is edited', () => {
  test('are read in its own time zone and come back as the same instants', () => {
    expect(draft).toMatchObject({ startWall: '2026-11-21 23:00', endWall: '2026-11-22 03:00' })
    expect(readHead(draft)).toMatchObject({
      kind: 'ready',
      head: { startsAt: window.startsAt, endsAt: window.endsAt, timeZone: 'Europe/Vienna' },
    })
  })

  test('stay the same instants when another zone is chosen', () => {
    const moved = inZone(draft, 'Asia/Kolkata')
    expect(moved).toMatchObject({ startWall: '2026-11-22 03:30', timeZone: 'Asia/Kolkata' })
    expect(timeOf(moved, 'start').at).toBe(window.startsAt)
  })

  test('which the clocks show twice, ask which of the two is meant', () => {
    const twice = { ...draft, startWall: '2026-10-25 02:30' }
    expect(timeOf(twice, 'start')).toMatchObject({ at: '2026-10-25T00:30:00.000Z', isTwice: true })
    expect(timeOf({ ...twice, startOccurrence: 'second' }, 'start').at).toBe('2026-10-25T01:30:00.000Z')
    expect(timeOf(twice, 'start').words).toMatch(/happens twice in Europe\/Vienna/)
  })

  test('of the second of two are found again when the window is edited later', () => {
    const second = headDraftOf({ ...window, startsAt: '2026-10-25T01:30:00.000Z' })
    expect(timeOf(second, 'start').at).toBe('2026-10-25T01:30:00.000Z')
  })

  test('which the clocks leap over are refused with the words why', () => {
    const reading = readHead({ ...draft, startWall: '2026-03-29 02:30' })
    expect(reading.kind === 'unfinished' && reading.problems.join()).toMatch(/does not exist in Europe\/Vienna/)
  })
})

describe('a window is not announced', () => {
  test('while a time is half written', () => {
    for (const startWall of ['', '2026-11', '11/21/2026, 11:00 PM', '2026-11-21 24:30']) {
      expect(timeOf({ ...draft, startWall }, 'start')).toMatchObject({ at: null })
      expect(readHead({ ...draft, startWall }).kind).toBe('unfinished')
    }
  })

  test('without cluster or title', () => {
    const reading = readHead({ ...draft, cluster: '', title: ' ' })
    expect(reading.kind === 'unfinished' && reading.problems).toEqual(['Choose the cloud.', 'Enter a title.'])
  })

  test('when it would end before it begins', () => {
    expect(readHead({ ...draft, endWall: draft.startWall }).kind).toBe('unfinished')
  })
})

test('a new window begins with the next full hour of its zone', () => {
  const head = newHead('east', Date.parse('2026-11-21T21:10:00Z'), 'Europe/Vienna')
  expect(head).toMatchObject({ startWall: '2026-11-21 23:00', endWall: '2026-11-22 03:00' })
})
