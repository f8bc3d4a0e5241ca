import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timelineAt } from '../../../renderer/geometry/timeline-at.ts'
import {
  firstPlace,
  laneBoxes,
  phaseBoxes,
  rowAt,
  spanAt,
  spanBeside,
  timelineRows,
} from '../../../renderer/geometry/timeline-layout.ts'
import { idleStretches, timelineScale } from '../../../renderer/geometry/timeline-scale.ts'
import {
  type NodeLane,
  NodeStage,
  type StageSpan,
  turnOf,
  UpdatePhase,
  type UpdateTimeline,
} from '../../../shared/domain/update.ts'

const START = Date.parse('2026-11-21T06:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const minutes = (amount: number) => amount * 60

function span(stage: NodeStage, from: number, to: number | null, more: Partial<StageSpan> = {}): StageSpan {
  return {
    stage,
    fromAt: at(from),
    toAt: to === null ? null : at(to),
    note: '',
    evidence: [],
    waits: [],
    retries: [],
    ...more,
  }
}

function lane(node: string, spans: readonly StageSpan[], more: Partial<NodeLane> = {}): NodeLane {
  return {
    node,
    phase: 'worker-nodes',
    group: null,
    stage: spans.at(-1)?.stage ?? 'pending',
    spans: [...spans],
    ...more,
  }
}

function timelineOf(lanes: readonly NodeLane[], more: Partial<UpdateTimeline> = {}): UpdateTimeline {
  return {
    source: { kind: 'run', runId: 'r1' },
    phase: 'worker-nodes',
    phases: [{ phase: 'prepare', state: 'done', fromAt: at(0), toAt: at(1), note: '' }],
    lanes: [...lanes],
    samples: [],
    eta: null,
    startedAt: at(0),
    endedAt: null,
    ...more,
  }
}

/** Lanes whose stages follow each other, with waits and retries inside them; the last one may still run. */
const laneArbitrary = fc
  .record({
    node: fc.string({ minLength: 1, maxLength: 4 }),
    phase: fc.constantFrom('control-nodes' as const, 'worker-nodes' as const),
    group: fc.constantFrom(null, 'rack-1', 'rack-2'),
    from: fc.nat(5000),
    parts: fc.array(
      fc.record({
        stage: fc.constantFrom(...NodeStage.options),
        lasts: fc.nat(20_000),
        waits: fc.nat(100),
        tries: fc.nat(2),
      }),
      { maxLength: 7 },
    ),
    open: fc.boolean(),
  })
  .map(({ node, phase, group, from, parts, open }) => {
    let begins = from
    const spans = parts.map(({ stage, lasts, waits, tries }, index) => {
      const ends = begins + lasts
      const continues = open && index === parts.length - 1
      const made = span(stage, begins, continues ? null : ends, {
        waits:
          waits > 50 ? [{ fromAt: at(begins), toAt: continues ? null : at(begins + lasts / 2), what: 'a lock' }] : [],
        retries: Array.from({ length: tries }, () => ({ at: at(begins + lasts / 3), what: 'again' })),
      })
      begins = ends
      return made
    })
    return lane(node, spans, { phase, group })
  })
const nowSeconds = fc.integer({ min: 150_000, max: 400_000 })
const timelineArbitrary = fc
  .tuple(fc.array(laneArbitrary, { maxLength: 12 }), fc.boolean())
  .map(([lanes, over]) => timelineOf(lanes, over ? { endedAt: at(150_000) } : {}))
const width = fc.integer({ min: 200, max: 4000 })

describe('the time scale of an update', () => {
  test('never runs backwards and never leaves its width', () => {
    fc.assert(
      fc.property(timelineArbitrary, width, nowSeconds, fc.array(fc.nat(400_000)), (timeline, wide, now, times) => {
        const scale = timelineScale(timeline, wide, START + now * 1000)
        let before = 0
        for (const seconds of times.sort((a, b) => a - b)) {
          const x = scale.x(START + seconds * 1000)
          expect(x).toBeGreaterThanOrEqual(before)
          expect(x).toBeLessThanOrEqual(wide + 0.001)
          before = x
        }
      }),
    )
  })

  test('reads the same time back that it drew', () => {
    fc.assert(
      fc.property(
        timelineArbitrary,
        width,
        nowSeconds,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (timeline, wide, now, part) => {
          const scale = timelineScale(timeline, wide, START + now * 1000)
          const ms = scale.fromMs + part * (scale.toMs - scale.fromMs)
          expect(Math.abs(scale.at(scale.x(ms)) - ms)).toBeLessThan(50)
        },
      ),
    )
  })

  test('collapses no stretch in which something begins, ends or runs', () => {
    fc.assert(
      fc.property(timelineArbitrary, width, nowSeconds, (timeline, wide, now) => {
        const nowMs = START + now * 1000
        for (const { fromMs, toMs } of timelineScale(timeline, wide, nowMs).breaks) {
          for (const { spans } of timeline.lanes) {
            for (const each of spans) {
              const [from, to] = [Date.parse(each.fromAt), each.toAt === null ? nowMs : Date.parse(each.toAt)]
              expect(from > fromMs && from < toMs).toBe(false)
              const idle = turnOf(each.stage) !== 'under-way'
              const waited = each.waits.some(
                wait => Date.parse(wait.fromAt) <= fromMs && (wait.toAt === null || Date.parse(wait.toAt) >= toMs),
              )
              if (!idle && !waited) expect(from < toMs && to > fromMs).toBe(false)
            }
          }
        }
      }),
    )
  })

  test('gives breaks at most a third of the width, however many there are', () => {
    const lanes = Array.from({ length: 11 }, (_, index) =>
      lane(`n${index}`, [span('work', index * minutes(1000), index * minutes(1000) + 5)]),
    )
    for (const wide of [200, 400, 1000]) {
      const { breaks } = timelineScale(timelineOf(lanes, { endedAt: at(minutes(10_006)) }), wide, START)
      expect(breaks.reduce((sum, each) => sum + each.width, 0)).toBeLessThanOrEqual(wide / 3)
    }
  })

  test('a night in which an update waits for a person is a break that says how long it was', () => {
    const night = timelineOf(
      [
        lane('cmp-1', [
          span('draining', 0, minutes(10)),
          span('work', minutes(10), minutes(610), {
            waits: [{ fromAt: at(minutes(12)), toAt: at(minutes(600)), what: 'a person' }],
          }),
          span('done', minutes(610), null),
        ]),
      ],
      { endedAt: at(minutes(611)) },
    )
    const { breaks } = timelineScale(night, 1000, START)
    expect(breaks).toHaveLength(1)
    expect((breaks[0]?.toMs ?? 0) - (breaks[0]?.fromMs ?? 0)).toBe(minutes(588) * 1000)
  })

  test('work that takes an hour is not idleness', () => {
    const timeline = timelineOf([lane('cmp-1', [span('work', 0, minutes(60))])], { endedAt: at(minutes(61)) })
    expect(timelineScale(timeline, 1000, START).breaks).toEqual([])
  })

  test('does not move from one second to the next while an update runs', () => {
    const timeline = timelineOf([lane('cmp-1', [span('work', 0, null)])])
    const first = timelineScale(timeline, 1000, START + minutes(10) * 1000 + 1000)
    const next = timelineScale(timeline, 1000, START + minutes(10) * 1000 + 2000)
    expect(next.toMs).toBe(first.toMs)
  })

  test('marks round times that can be read beside each other', () => {
    fc.assert(
      fc.property(timelineArbitrary, width, nowSeconds, (timeline, wide, now) => {
        const { ticks } = timelineScale(timeline, wide, START + now * 1000)
        ticks.forEach((tick, index) => {
          expect(tick.atMs % 1000).toBe(0)
          expect(tick.x - (ticks[index - 1]?.x ?? -1000)).toBeGreaterThanOrEqual(70)
        })
      }),
    )
  })

  test('an update of which nothing is known has a scale all the same', () => {
    const nothing = timelineOf([], { phases: [], startedAt: null })
    const scale = timelineScale(nothing, 500, START)
    expect(scale.x(START)).toBe(0)
    expect(idleStretches(nothing, scale, START)).toEqual([])
  })
})

describe('the lanes of an update', () => {
  test('spans follow each other, within the width, with their waits and retries inside them', () => {
    fc.assert(
      fc.property(timelineArbitrary, width, nowSeconds, (timeline, wide, now) => {
        const nowMs = START + now * 1000
        const scale = timelineScale(timeline, wide, nowMs)
        for (const each of timeline.lanes) {
          let right = 0
          for (const box of laneBoxes(each, scale, nowMs)) {
            expect(box.x).toBeGreaterThanOrEqual(right - 0.001)
            right = box.x + box.width
            expect(right).toBeLessThanOrEqual(wide + 0.001)
            for (const wait of box.waits) {
              expect(wait.x).toBeGreaterThanOrEqual(box.x)
              expect(wait.x + wait.width).toBeLessThanOrEqual(right + 0.001)
            }
            for (const x of box.retries) expect(x >= box.x && x <= right).toBe(true)
          }
        }
      }),
    )
  })

  test('a running span ends at now', () => {
    const timeline = timelineOf([lane('cmp-1', [span('locks', 0, 30), span('draining', 30, null)])])
    const nowMs = START + 90_000
    const scale = timelineScale(timeline, 1000, nowMs)
    const running = laneBoxes(timeline.lanes[0] ?? lane('', []), scale, nowMs).at(-1)
    expect(running).toMatchObject({ stage: 'draining', isRunning: true })
    expect((running?.x ?? 0) + (running?.width ?? 0)).toBeCloseTo(scale.x(nowMs))
  })

  test('a phase that has not begun is not drawn; one that runs ends at now', () => {
    const timeline = timelineOf([], {
      phases: [
        { phase: 'prepare', state: 'done', fromAt: at(0), toAt: at(10), note: '' },
        { phase: 'applications', state: 'running', fromAt: at(10), toAt: null, note: '' },
        { phase: 'control-nodes', state: 'pending', fromAt: null, toAt: null, note: '' },
      ],
    })
    const scale = timelineScale(timeline, 1000, START + 20_000)
    const boxes = phaseBoxes(timeline.phases, scale, START + 20_000)
    expect(boxes.map(({ phase, toMs }) => [phase, (toMs - START) / 1000])).toEqual([
      ['prepare', 10],
      ['applications', 20],
    ])
  })

  test('every lane has one row, under the heading of its group, and no row lies over another', () => {
    fc.assert(
      fc.property(timelineArbitrary, timeline => {
        const rows = timelineRows(timeline)
        const lanes = rows.flatMap(row => (row.kind === 'lane' ? [row.lane] : []))
        expect([...lanes].sort((a, b) => a - b)).toEqual(timeline.lanes.map((_, index) => index))
        let y = 0
        let heading: (typeof rows)[number] | null = null
        for (const row of rows) {
          expect(row.y).toBe(y)
          y += row.height
          if (row.kind === 'heading') heading = row
          else
            expect(timeline.lanes[row.lane]).toMatchObject({
              phase: heading?.kind === 'heading' ? heading.phase : null,
            })
        }
      }),
    )
  })

  test('control-plane nodes stand above the workers, groups in the order they come', () => {
    const rows = timelineRows(
      timelineOf([
        lane('w1', [], { group: 'rack-2' }),
        lane('w2', [], { group: 'rack-1' }),
        lane('c1', [], { phase: 'control-nodes' }),
        lane('w3', [span('done', 0, null)], { group: 'rack-2' }),
      ]),
    )
    expect(rows.flatMap(row => (row.kind === 'heading' ? [[row.phase, row.group, row.done, row.total]] : []))).toEqual([
      ['control-nodes', null, 0, 1],
      ['worker-nodes', 'rack-2', 1, 2],
      ['worker-nodes', 'rack-1', 0, 1],
    ])
  })
})

describe('what is under the pointer', () => {
  test('is the span that is drawn there', () => {
    fc.assert(
      fc.property(timelineArbitrary, width, nowSeconds, (timeline, wide, now) => {
        const nowMs = START + now * 1000
        const scale = timelineScale(timeline, wide, nowMs)
        for (const each of timeline.lanes) {
          const boxes = laneBoxes(each, scale, nowMs)
          for (const box of boxes.filter(({ width: drawn }) => drawn > 8)) {
            expect(spanAt(boxes, box.x + box.width / 2)?.index).toBe(box.index)
          }
        }
      }),
    )
  })

  test('a span too thin to hit is found beside its edge', () => {
    const timeline = timelineOf([lane('cmp-1', [span('locks', 1000, 1001)])], { endedAt: at(10_000) })
    const scale = timelineScale(timeline, 1000, START)
    const boxes = laneBoxes(timeline.lanes[0] ?? lane('', []), scale, START)
    const x = boxes[0]?.x ?? 0
    expect(spanAt(boxes, x - 2)?.stage).toBe('locks')
    expect(spanAt(boxes, x - 20)).toBeNull()
  })

  test('is not a row below the last', () => {
    const rows = timelineRows(timelineOf([lane('cmp-1', [])]))
    expect(rowAt(rows, 0)?.kind).toBe('heading')
    expect(rowAt(rows, 30)?.kind).toBe('lane')
    expect(rowAt(rows, 51)).toBeNull()
  })
})

describe('the arrow keys', () => {
  const timeline = timelineOf([
    lane('cmp-1', [span('locks', 0, 10), span('draining', 10, 40), span('work', 40, 80)]),
    lane('cmp-2', []),
    lane('cmp-3', [span('locks', 0, 35), span('draining', 35, null)]),
  ])
  const rows = timelineRows(timeline)

  test('walk the stages of a node and stop at its ends', () => {
    expect(spanBeside(timeline, rows, { lane: 0, span: 0 }, 'ArrowRight')).toEqual({ lane: 0, span: 1 })
    expect(spanBeside(timeline, rows, { lane: 0, span: 2 }, 'ArrowRight')).toBeNull()
    expect(spanBeside(timeline, rows, { lane: 0, span: 2 }, 'Home')).toEqual({ lane: 0, span: 0 })
  })

  test('lead to the span of the next node that existed at the time', () => {
    expect(spanBeside(timeline, rows, { lane: 0, span: 1 }, 'ArrowDown')).toEqual({ lane: 2, span: 0 })
    expect(spanBeside(timeline, rows, { lane: 0, span: 2 }, 'ArrowDown')).toEqual({ lane: 2, span: 1 })
    expect(spanBeside(timeline, rows, { lane: 2, span: 1 }, 'ArrowDown')).toBeNull()
  })

  test('lead from a running span to the running span beside it, not to its short beginning', () => {
    const both = timelineOf([
      lane('cmp-1', [span('requested', 0, 1), span('locks', 1, null)]),
      lane('cmp-2', [span('requested', 20, 21), span('locks', 21, null)]),
    ])
    expect(spanBeside(both, timelineRows(both), { lane: 0, span: 1 }, 'ArrowDown')).toEqual({ lane: 1, span: 1 })
  })

  test('begin where something runs', () => {
    expect(firstPlace(timeline, rows)).toEqual({ lane: 2, span: 1 })
    expect(firstPlace(timelineOf([]), [])).toBeNull()
  })
})

describe('a replay', () => {
  test('shows nothing that came later, and what ended later still runs', () => {
    fc.assert(
      fc.property(timelineArbitrary, fc.nat(200_000), (timeline, seconds) => {
        const ms = START + seconds * 1000
        const then = timelineAt(timeline, ms)
        for (const { spans, stage } of then.lanes) {
          expect(stage).toBe(spans.at(-1)?.stage ?? 'pending')
          for (const each of spans) {
            expect(Date.parse(each.fromAt)).toBeLessThanOrEqual(ms)
            expect(each.toAt === null || Date.parse(each.toAt) <= ms).toBe(true)
          }
        }
      }),
    )
  })

  test('at its end is the result of the update', () => {
    fc.assert(
      fc.property(timelineArbitrary, timeline => {
        const over = { ...timeline, phase: null, endedAt: at(150_000), phases: timeline.phases }
        expect(timelineAt(over, START + 400_000_000)).toEqual({ ...over, eta: null })
      }),
    )
  })

  test('says which phase ran then', () => {
    const timeline = timelineOf([], {
      phases: UpdatePhase.options.map((phase, index) => ({
        phase,
        state: 'done' as const,
        fromAt: at(index * 10),
        toAt: at(index * 10 + 10),
        note: '',
      })),
      endedAt: at(50),
      phase: null,
    })
    expect(timelineAt(timeline, START + 15_000)).toMatchObject({ phase: 'applications', endedAt: null })
  })
})
