import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Eta } from '../../../shared/domain/estimate-findings.ts'
import {
  etaOfParts,
  laterEta,
  type NodeAhead,
  type WindowProgress,
  windowForecast,
} from '../../../shared/domain/window-forecast.ts'
import { wordedForecast } from '../../../shared/words/forecasts.ts'
import { tries } from '../../fixtures/tries.ts'

const NOW = '2026-11-22T21:00:00.000Z'
const WINDOW = { id: 'w1', endsAt: '2026-11-22T22:00:00.000Z', timeZone: 'Europe/Berlin' }
const inMinutes = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString()
const MINUTE = 60_000

/** A node that takes from `low` to `high` minutes. */
const node = (name: string, low: number, high: number, begunAt: string | null = null): NodeAhead => ({
  node: name,
  begunAt,
  span: { lowMs: low * MINUTE, highMs: high * MINUTE },
})
const NOTHING = { lowMs: 0, highMs: 0 }
const MEASURED = { code: 'Measured', values: { nodes: 3, runs: 1, migrations: 0 } } as const
const FROM = { from: NOW, besides: NOTHING, reasonsGiven: [MEASURED] }

describe('when parts of the work will end', () => {
  it.each<readonly [string, Parameters<typeof etaOfParts>[0], readonly [number, number] | null]>([
    [
      'nodes of a part side by side: the longest',
      [{ nodes: [node('a', 10, 20), node('b', 15, 16)], atOnce: 2 }],
      [15, 20],
    ],
    ['one after the other: their sum', [{ nodes: [node('a', 10, 20), node('b', 15, 16)], atOnce: 1 }], [25, 36]],
    [
      'parts follow each other',
      [
        { nodes: [node('a', 10, 20)], atOnce: 1 },
        { nodes: [node('b', 5, 5)], atOnce: 1 },
      ],
      [15, 25],
    ],
    ['what a node took already is behind', [{ nodes: [node('a', 10, 20, inMinutes(-4))], atOnce: 1 }], [6, 16]],
    [
      'one past the usual time may be over at once',
      [{ nodes: [node('a', 10, 20, inMinutes(-15))], atOnce: 1 }],
      [0, 5],
    ],
    [
      'a node under way has its place, the next waits for it',
      [{ nodes: [node('b', 10, 10), node('a', 10, 10, inMinutes(-9))], atOnce: 1 }],
      [11, 11],
    ],
    ['nothing left: now', [{ nodes: [], atOnce: 1 }], [0, 0]],
    [
      'one unknown node: unknown',
      [{ nodes: [node('a', 1, 1), { node: 'b', begunAt: null, span: null }], atOnce: 2 }],
      null,
    ],
    ['the whole rest is overdue: unknown', [{ nodes: [node('a', 10, 20, inMinutes(-21))], atOnce: 1 }], null],
  ])('%s', (_what, parts, expected) => {
    const eta = etaOfParts(parts, FROM)
    expect(eta === null ? null : [eta.lowAt, eta.highAt]).toEqual(expected === null ? null : expected.map(inMinutes))
  })

  it('a node that is overdue is named and counts no more', () => {
    const eta = etaOfParts([{ nodes: [node('a', 1, 2, inMinutes(-9)), node('b', 5, 6)], atOnce: 2 }], FROM)
    expect(eta).toEqual({
      lowAt: inMinutes(5),
      highAt: inMinutes(6),
      reasonsGiven: [MEASURED, { code: 'NodesOverdue', values: { nodes: ['a'] } }],
    })
  })

  it('what is walked besides the nodes is in it, and it counts from when it begins', () => {
    const besides = { lowMs: MINUTE, highMs: 2 * MINUTE }
    const eta = etaOfParts([{ nodes: [node('a', 5, 6)], atOnce: 1 }], { ...FROM, from: inMinutes(30), besides })
    expect([eta?.lowAt, eta?.highAt]).toEqual([inMinutes(36), inMinutes(38)])
  })

  it('of two parallel ones the later counts, at both ends', () => {
    const THROUGH = { code: 'EveryNodeThrough', values: {} } as const
    const a: Eta = { lowAt: inMinutes(1), highAt: inMinutes(9), reasonsGiven: [MEASURED] }
    const b: Eta = { lowAt: inMinutes(2), highAt: inMinutes(8), reasonsGiven: [THROUGH] }
    expect(laterEta(a, b)).toEqual({ lowAt: inMinutes(2), highAt: inMinutes(9), reasonsGiven: [MEASURED, THROUGH] })
    expect(laterEta(a, { ...b, reasonsGiven: [MEASURED] }).reasonsGiven).toEqual([MEASURED])
  })
})

/** Nodes one after the other, each of `low` to `high` minutes. */
function course(
  nodes: readonly (readonly [string, number, number])[],
  more: Partial<Extract<WindowProgress, { kind: 'ahead' }>> = {},
): WindowProgress {
  return {
    kind: 'ahead',
    etaWithout: left =>
      etaOfParts([{ nodes: nodes.flatMap(each => (left.has(each[0]) ? [] : [node(...each)])), atOnce: 1 }], FROM),
    notBegun: nodes.map(([name]) => name),
    underWay: true,
    whyNotKnown: { code: 'NothingMeasured', values: {} },
    notes: [],
    ...more,
  }
}

/** As people read it. */
function forecastOf(progress: WindowProgress, now = NOW) {
  return wordedForecast(windowForecast(WINDOW, progress, now), WINDOW.timeZone)
}

describe("where a window's work is heading", () => {
  it('in time, with its end in the zone of the window', () => {
    expect(forecastOf(course([['a', 20, 30]]))).toEqual({
      windowId: 'w1',
      readAt: NOW,
      endsAt: WINDOW.endsAt,
      eta: {
        lowAt: inMinutes(20),
        highAt: inMinutes(30),
        basis: '3 nodes measured on this cloud in 1 run, 0 migrations',
        reasonsGiven: [MEASURED],
      },
      verdict: 'in-time',
      leaveOut: [],
      code: 'EndsInTime',
      values: { underWay: true },
      notes: [],
      words: 'It will end between 22:20 and 22:30; the window ends at 23:00.',
    })
  })

  it('ending just with the window is in time', () => {
    expect(forecastOf(course([['a', 60, 60]]))).toMatchObject({
      verdict: 'in-time',
      words: 'It will end at about 23:00; the window ends at 23:00.',
    })
  })

  it('may overrun when only the slow end is past it, and says the fewest nodes to leave out, last first', () => {
    const nodes = [
      ['a', 20, 25],
      ['b', 10, 20],
      ['c', 5, 10],
      ['d', 10, 20],
    ] as const
    expect(forecastOf(course(nodes))).toMatchObject({
      verdict: 'may-overrun',
      leaveOut: ['d'],
      words:
        'May end late: it will end between 22:45 and 23:15, but the window ends at 23:00. Leave out d, which has not started, to end in time.',
    })
    const slower = [...nodes, ['e', 5, 10]] as const
    expect(forecastOf(course(slower)).leaveOut).toEqual(['e', 'd'])
  })

  it('overruns when even the usual end is past it', () => {
    expect(
      forecastOf(
        course([
          ['a', 20, 25],
          ['b', 50, 60],
        ]),
      ),
    ).toMatchObject({
      verdict: 'overruns',
      leaveOut: ['b'],
      words:
        'Ends late: it will end at 23:10 at the earliest, but the window ends at 23:00. Leave out b, which has not started, to end in time.',
    })
  })

  it('overruns by less than a minute in words that do not contradict themselves', () => {
    expect(forecastOf(course([['a', 60.5, 60.5]], { notBegun: [] }))).toMatchObject({
      verdict: 'overruns',
      words:
        'Ends late: it will end at 23:00 at the earliest, seconds after the window ends. Every node has started, so none can be left out.',
    })
  })

  it.each([
    ['leaving out does not help', ['b'], 'Leaving out nodes that have not started does not help.'],
    ['every node has started', [], 'Every node has started, so none can be left out.'],
  ])('names nothing to leave out where %s', (_what, notBegun, words) => {
    const forecast = forecastOf(
      course(
        [
          ['a', 50, 70],
          ['b', 1, 1],
        ],
        { notBegun },
      ),
    )
    expect(forecast.leaveOut).toEqual([])
    expect(forecast.words).toContain(words)
  })

  it('before the start it says so', () => {
    expect(forecastOf(course([['a', 20, 30]], { underWay: false })).words).toBe(
      'Started now, it would end between 22:20 and 22:30; the window ends at 23:00.',
    )
  })

  it('an unknown end has a reason, and is never invented', () => {
    expect(forecastOf(course([], { etaWithout: () => null }))).toMatchObject({
      eta: null,
      verdict: 'not-known',
      leaveOut: [],
      words:
        'The end is unknown: nothing was measured on this cloud yet: the first run here will show how long work takes.',
    })
  })

  it('work that continues past the end is late, whatever else is known', () => {
    const forecast = forecastOf(course([], { etaWithout: () => null }), inMinutes(61))
    expect(forecast).toMatchObject({ verdict: 'overruns', eta: null })
    expect(forecast.words).toContain('Late: the window ended at 23:00, but its work has not finished.')
  })

  it('a time of another day has its day', () => {
    expect(forecastOf(course([['a', 60, 130]])).words).toContain('between 23:00 and 2026-11-23 00:10')
  })

  it.each([
    [inMinutes(30), 'in-time', 'Its work ended at 22:30; the window ends at 23:00.'],
    [inMinutes(65), 'overruns', 'Its work ended at 23:05; the window ends at 23:00.'],
    [null, 'in-time', 'No work of it is running; the window ends at 23:00.'],
  ])('work that ended at %s is %s', (endedAt, verdict, words) => {
    expect(forecastOf({ kind: 'nothing-ahead', endedAt })).toMatchObject({ eta: null, verdict, words })
  })

  it('what an operator has to know besides follows the sentence', () => {
    expect(forecastOf(course([['a', 1, 1]], { notes: [{ code: 'RunPaused', values: { node: null } }] })).words).toMatch(
      /23:00\. The run is paused: the times count from now\.$/,
    )
  })
})

describe('what to leave out', () => {
  const nodes = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 8 })

  it('is the shortest run of nodes from the last on that helps, of whatever lasts and however many go at once', () => {
    fc.assert(
      fc.property(nodes, fc.integer({ min: 1, max: 3 }), fc.nat(8), (spans, atOnce, begun) => {
        const all = spans.map(([low, more], at) => node(`n${at}`, low, low + more, at < begun ? inMinutes(-1) : null))
        const etaWithout = (left: ReadonlySet<string>) =>
          etaOfParts([{ nodes: all.filter(each => !left.has(each.node)), atOnce }], FROM)
        const notBegun = all.flatMap(({ node: name, begunAt }) => (begunAt === null ? [name] : []))
        const { verdict, leaveOut, eta } = windowForecast(
          WINDOW,
          {
            kind: 'ahead',
            etaWithout,
            notBegun,
            underWay: true,
            whyNotKnown: { code: 'NothingMeasured', values: {} },
            notes: [],
          },
          NOW,
        )
        const inTime = (left: readonly string[]) => (etaWithout(new Set(left))?.highAt ?? '9') <= WINDOW.endsAt
        expect(leaveOut).toEqual(notBegun.toReversed().slice(0, leaveOut.length))
        if (eta === null || verdict === 'in-time') expect(leaveOut).toEqual([])
        else if (leaveOut.length > 0) {
          expect([inTime(leaveOut), inTime(leaveOut.slice(0, -1))]).toEqual([true, false])
        } else
          for (let count = 0; count <= notBegun.length; count += 1) {
            expect(inTime(notBegun.toReversed().slice(0, count))).toBe(false)
          }
      }),
      { numRuns: tries(80, 2_000) },
    )
  })
})
