import { describe, expect, it } from 'vitest'
import { dueness, notAgreed, type PlanSeal } from '../../../shared/domain/agreed-start.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'
import {
  foldWindow,
  type MaintenanceWindow,
  type WindowDraft,
  type WindowEventBody,
} from '../../../shared/domain/window.ts'
import { agreedStartWords, whyNotAgreed } from '../../../shared/words/agreed-starts.ts'
import { wordedWindow } from '../../../shared/words/window-remarks.ts'

const SEAL: PlanSeal = { rule: 'codes', parts: { '': 'a', 'cmp-1': 'b' }, lifted: ['gate: 2 > 1'], down: ['i-1'] }

const DRAFT: WindowDraft = {
  cluster: 'lab',
  title: 'Kernel',
  ticket: '',
  startsAt: '2026-11-22T22:00:00.000Z',
  endsAt: '2026-11-23T02:00:00.000Z',
  timeZone: 'UTC',
  plan: { kind: 'open' },
  notes: '',
}
const CREATED: WindowEventBody = { kind: 'created', draft: DRAFT, by: 'eva', machine: 'bastion' }
const AGREED: WindowEventBody = {
  kind: 'start-agreed',
  startsAt: DRAFT.startsAt,
  lateByMs: 900_000,
  options: DEFAULT_RUN_OPTIONS,
  seal: SEAL,
  typedCluster: false,
  by: 'eva',
  machine: 'bastion',
}

/** The window after these events, numbered from 1. */
function windowAfter(...bodies: readonly WindowEventBody[]): MaintenanceWindow | null {
  const folded = foldWindow(
    bodies.map((body, at) => ({ seq: at + 1, windowId: 'w1', at: `2026-11-20T0${at}:00:00.000Z`, body })),
  )
  return folded === null ? null : wordedWindow(folded)
}
const lastRemark = (window: MaintenanceWindow | null) => window?.remarks.at(-1)

describe('the time of an agreed start has come', () => {
  it.each([
    ['a second before the beginning', '2026-11-22T21:59:59.999Z', 'early'],
    ['at the beginning', '2026-11-22T22:00:00.000Z', 'due'],
    ['as late as was agreed', '2026-11-22T22:15:00.000Z', 'due'],
    ['later than that: the console was away', '2026-11-22T22:15:00.001Z', 'late'],
    ['after the end', '2026-11-23T02:00:00.000Z', 'late'],
  ])('%s', (_, now, expected) => {
    expect(dueness({ startsAt: DRAFT.startsAt, lateByMs: 900_000 }, DRAFT.endsAt, Date.parse(now))).toBe(expected)
  })

  it('never past the end of a window that is shorter than it may be late', () => {
    const soon = '2026-11-22T22:05:00.000Z'
    expect(dueness({ startsAt: DRAFT.startsAt, lateByMs: 900_000 }, soon, Date.parse(soon))).toBe('late')
  })
})

describe('a plan made again is the one that was confirmed', () => {
  const words = (now: Partial<PlanSeal>) =>
    whyNotAgreed(notAgreed(SEAL, { ...SEAL, ...now }), id => `vm ${id}`, String)?.message ?? null
  it.each<readonly [string, Partial<PlanSeal>, string | null]>([
    ['when all is the same', {}, null],
    ['when less goes down and less is lifted', { down: [], lifted: [] }, null],
    [
      'not when another thing is done to a node',
      { parts: { '': 'a', 'cmp-1': 'c' } },
      'The steps for cmp-1 differ from the confirmed ones',
    ],
    [
      'not when a node comes',
      { parts: { ...SEAL.parts, 'cmp-2': 'b' } },
      'The steps for cmp-2 differ from the confirmed ones',
    ],
    ['not when a node goes', { parts: { '': 'a' } }, 'The steps for cmp-1 differ from the confirmed ones'],
    [
      'not when the whole work is done in another way',
      { parts: { '': 'x', 'cmp-1': 'b' } },
      'The way the work is done changed since it was confirmed (settings of the cloud',
    ],
    ['not when another instance goes down', { down: ['i-1', 'i-2'] }, 'vm i-2 would go down'],
    [
      'not when an override lifts what it was not given for',
      { lifted: ['gate: 3 > 1'] },
      'and the override does not cover it: gate: 3 > 1',
    ],
  ])('%s', (_, now, expected) => {
    if (expected === null) expect(words(now)).toBeNull()
    else expect(words(now)).toContain(expected)
  })
})

describe('a plan that an earlier version sealed with its texts', () => {
  const { rule: _, ...earlier } = SEAL
  const code = (now: Partial<PlanSeal>) =>
    whyNotAgreed(notAgreed(earlier, { ...earlier, ...now }), String, String)?.code
  it.each<readonly [string, Partial<PlanSeal>, string | undefined]>([
    ['starts while no text has changed', {}, undefined],
    ['starts when less goes down', { down: [], lifted: [] }, undefined],
    ['is confirmed again when a digest differs', { parts: { '': 'a', 'cmp-1': 'c' } }, 'AgreedByEarlierVersion'],
    ['is confirmed again when a blocker has other words', { lifted: ['gate: 2 of 1'] }, 'AgreedByEarlierVersion'],
    ['is another plan when a node comes', { parts: { ...SEAL.parts, 'cmp-2': 'b' } }, 'PlanNotAsAgreed'],
    ['is another plan when another step is overridden', { lifted: ['quorum: 2 of 3'] }, 'PlanNotAsAgreed'],
    ['is another plan when another instance goes down', { down: ['i-1', 'i-2'] }, 'PlanNotAsAgreed'],
  ])('%s', (_, now, expected) => {
    expect(code(now)).toBe(expected)
  })
})

describe('a window by its events', () => {
  it('waits for its beginning once somebody agreed, and says who', () => {
    const window = windowAfter(CREATED, AGREED)
    expect(window?.start).toMatchObject({ seq: 2, by: 'eva', state: { kind: 'waits' } })
    expect(window === null ? null : agreedStartWords(window)).toBe(
      'Starts automatically at 2026-11-22 22:00 +00:00 (UTC), at most 15 min later, as eva agreed on bastion.',
    )
  })

  it.each<readonly [string, Partial<WindowDraft>]>([
    ['its beginning', { startsAt: '2026-11-22T23:00:00.000Z' }],
    ['its end', { endsAt: '2026-11-23T03:00:00.000Z' }],
    [
      'its plan',
      {
        plan: {
          kind: 'batches',
          scope: 'os',
          batches: [{ nodes: ['cmp-1'] }],
          work: { kind: 'person' },
          workMinutes: null,
          pauseBetweenBatches: false,
        },
      },
    ],
    ['its title', { title: 'Other' }],
  ])('no longer starts automatically once %s is changed', (_, more) => {
    const changed = windowAfter(CREATED, AGREED, { kind: 'changed', draft: { ...DRAFT, ...more }, by: 'tom' })
    expect(changed?.start).toBeNull()
    expect(lastRemark(changed)).toMatchObject({
      code: 'StartLostByChange',
      text: 'It was changed, so it no longer starts automatically.',
    })
  })

  it('still does when only its notes are changed', () => {
    const changed = windowAfter(CREATED, AGREED, { kind: 'changed', draft: { ...DRAFT, notes: 'see wiki' }, by: 'tom' })
    expect(changed?.start?.state.kind).toBe('waits')
  })

  it('does not once it is taken back, and says why', () => {
    const taken = windowAfter(CREATED, AGREED, { kind: 'start-taken-back', why: 'no spare part.', by: 'tom' })
    expect(taken?.start).toBeNull()
    expect(lastRemark(taken)).toMatchObject({
      kind: 'remark',
      by: 'tom',
      text: expect.stringContaining('no spare part'),
    })
  })

  it('says that it started automatically, and who agreed', () => {
    const started = windowAfter(CREATED, AGREED, { kind: 'start-taken', agreed: 2, by: 'eva', machine: 'bastion' })
    expect(started?.start?.state).toMatchObject({ kind: 'taken', machine: 'bastion' })
    expect(lastRemark(started)?.text).toContain('as eva agreed at')
  })

  it('that did not start is an incident with the reason', () => {
    const missed = windowAfter(CREATED, AGREED, {
      kind: 'start-missed',
      agreed: 2,
      why: 'cmp-1 is not ready.',
      by: 'eva',
    })
    expect(missed?.start?.state).toMatchObject({ kind: 'missed', why: 'cmp-1 is not ready.' })
    expect(lastRemark(missed)).toMatchObject({ kind: 'incident', text: expect.stringContaining('cmp-1 is not ready.') })
  })

  it('a change of an earlier agreement does not affect a later one', () => {
    const again = windowAfter(CREATED, AGREED, { kind: 'start-taken-back', why: 'x', by: 'eva' }, AGREED, {
      kind: 'start-missed',
      agreed: 2,
      why: 'late',
      by: 'eva',
    })
    expect(again?.start?.state.kind).toBe('waits')
  })
})
