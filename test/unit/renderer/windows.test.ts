import { describe, expect, test } from 'vitest'
import { comingAndPast } from '../../../renderer/features/windows/windows-screen.tsx'
import { nextWindowOf, openWindowsOf, statusAt } from '../../../renderer/stores/windows.ts'
import { windowChoice } from '../../../renderer/ui/plan/window-choice.ts'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { zonedRange } from '../../../shared/grammar/times.ts'
import { timeLeft } from '../../../shared/words/windows.ts'
import { listedWindow, runOf } from '../../fixtures/renderer/windows.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-21T22:00:00Z')
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString()

const open = listedWindow({ id: 'w-open', startsAt: at(-1), endsAt: at(2) })
const later = listedWindow({ id: 'w-later', startsAt: at(50), endsAt: at(54) })
const soon = listedWindow({ id: 'w-soon', startsAt: at(24), endsAt: at(28) })
const elsewhere = listedWindow({ id: 'w-west', cluster: 'west', startsAt: at(-1), endsAt: at(2) })
const closed = listedWindow({
  id: 'w-closed',
  startsAt: at(-30),
  endsAt: at(-26),
  closed: { at: at(-26), by: 'eva', summary: 'Done.' },
})
const late: ListedWindow = {
  ...listedWindow({ id: 'w-late', startsAt: at(-5), endsAt: at(-1) }),
  runs: [runOf({ state: 'running' })],
}
const all = [later, soon, open, elsewhere, late, closed]
const ids = (list: readonly ListedWindow[]) => list.map(({ window }) => window.id)

describe('the state of a window', () => {
  test('follows the clock of the page, not the moment at which it was listed', () => {
    expect(statusAt(soon, NOW)).toBe('planned')
    expect(statusAt(soon, NOW + 25 * HOUR)).toBe('open')
    expect(statusAt(soon, NOW + 29 * HOUR)).toBe('over')
  })

  test('is late while a run of it continues past its end', () => {
    expect(statusAt(late, NOW)).toBe('overrunning')
    expect(statusAt({ ...late, runs: [runOf({ state: 'done' })] }, NOW)).toBe('over')
  })

  test('a run may begin in the open windows of its own cloud', () => {
    expect(ids(openWindowsOf([open, elsewhere, soon, closed], 'east', NOW))).toEqual(['w-open'])
  })

  test('the next window is the planned one that begins first', () => {
    expect(nextWindowOf(all, 'east', NOW)?.window.id).toBe('w-soon')
    expect(nextWindowOf(all, 'west', NOW)).toBeNull()
  })

  test.each([
    [open, 'ends in 2 h'],
    [soon, 'opens in 1 d'],
    [late, '1 h late'],
    [closed, ''],
  ])('is shown with the remaining time (%#)', (each, words) => {
    expect(timeLeft(each.window, statusAt(each, NOW), NOW)).toBe(words)
  })
})

describe('what a run is started with', () => {
  const nothing = { windowId: null, reason: '' }
  const unasked = { isWanted: false, given: '' }
  const wanted = { isWanted: true, given: '' }

  test('is the only window that is open', () => {
    expect(windowChoice('east', { kind: 'open', windows: [open] }, nothing, wanted)).toEqual({
      kind: 'ready',
      input: { windowId: 'w-open' },
    })
  })

  test('is the chosen one of several; none is taken unasked', () => {
    const atHand = { kind: 'open', windows: [open, late] } as const
    expect(windowChoice('east', atHand, nothing, wanted).kind).toBe('unfinished')
    expect(windowChoice('east', atHand, { windowId: 'w-late', reason: '' }, wanted)).toMatchObject({
      input: { windowId: 'w-late' },
    })
  })

  test('is a reason where no window is open and the cloud wants one; spaces alone are not', () => {
    const atHand = { kind: 'none', next: null } as const
    expect(windowChoice('east', atHand, { windowId: null, reason: '  ' }, wanted).kind).toBe('unfinished')
    expect(windowChoice('east', atHand, { windowId: null, reason: ' disk dies ' }, wanted)).toEqual({
      kind: 'ready',
      input: { outsideWindow: 'disk dies' },
    })
  })

  test.each([
    ['where the cloud wants no reason', unasked],
    ['where the plan has its reason already', { isWanted: true, given: 'ticket 4711' }],
  ])('is nothing more %s', (_where, reason) => {
    expect(windowChoice('east', { kind: 'none', next: null }, nothing, reason)).toEqual({ kind: 'ready', input: {} })
  })
})

describe('the lists of the Schedule', () => {
  const { coming, past } = comingAndPast(all, NOW)

  test('have what comes by its beginning, also what ended and is not closed', () => {
    expect(ids(coming)).toEqual(['w-late', 'w-open', 'w-west', 'w-soon', 'w-later'])
  })

  test('have what was closed or cancelled below', () => {
    expect(ids(past)).toEqual(['w-closed'])
  })
})

test('a window is read in the zone in which it was announced, also over the change of the clocks', () => {
  expect(zonedRange('2026-10-24T22:00:00Z', '2026-10-25T02:00:00Z', 'Europe/Vienna')).toBe('2026-10-25 00:00 to 03:00')
  expect(zonedRange('2026-11-21T22:00:00Z', '2026-11-23T02:00:00Z', 'UTC')).toBe('2026-11-21 22:00 to 2026-11-23 02:00')
})
