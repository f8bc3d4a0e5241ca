import { describe, expect, test } from 'vitest'
import {
  curvePoints,
  departuresSeen,
  figureAt,
  GIB,
  movesOfRun,
  perMinute,
} from '../../../renderer/geometry/timeline-moves.ts'
import type { RunEvent, RunEventBody } from '../../../shared/domain/run.ts'
import type { Effect } from '../../../shared/domain/step-answers.ts'
import type { NodeLane } from '../../../shared/domain/update.ts'
import { playedUpdatePlan } from '../../fixtures/renderer/update-run.ts'

const START = Date.parse('2026-11-21T01:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const PLAN = playedUpdatePlan('east')
const STEP = 'Drain cmp-01'
const LOOK = 'Request the maintenance of cmp-01'

const event = (seconds: number, body: RunEventBody): RunEvent => ({ seq: seconds, runId: 'r1', at: at(seconds), body })
const fact = (name: string, id: string, values: Record<string, string | number | null>): RunEventBody => ({
  kind: 'fact',
  stepId: STEP,
  fact: name,
  subject: `server/${id}`,
  announces: false,
  values: { name: `vm-${id}`, ...values },
})
const leaving = (id: string): Effect => ({
  kind: 'instance',
  id,
  name: `vm-${id}`,
  status: 'ACTIVE',
  action: 'live_migrate',
  source: 'tag',
  reason: '',
  warnings: [],
})

const EVENTS: readonly RunEvent[] = [
  event(0, {
    kind: 'step-checked',
    stepId: LOOK,
    answer: { kind: 'ready', reason: '', evidence: [], warnings: [], effects: [leaving('1'), leaving('2')] },
  }),
  event(1, { kind: 'step-started', stepId: STEP, attempt: 1 }),
  event(2, fact('migration-requested', '1', { ramMib: 2048 })),
  event(30, fact('migration-progress', '1', { memoryTotal: 2 * GIB, memoryRemaining: GIB })),
  event(59, fact('instance-moved', '1', {})),
  event(70, fact('migration-requested', '2', { ramMib: 4096 })),
  event(100, fact('instance-moved', '2', {})),
  event(101, { kind: 'step-applied', stepId: STEP, note: '' }),
]

describe('what a run reports about the instances it moves', () => {
  const moves = movesOfRun(PLAN, EVENTS)

  test('has a departure for each, with its time and name, at its node', () => {
    expect([...moves.departures]).toEqual([
      [
        'cmp-01',
        [
          { atMs: START + 59_000, name: 'vm-1' },
          { atMs: START + 100_000, name: 'vm-2' },
        ],
      ],
    ])
    expect(moves.toLeave.get('cmp-01')).toBe(2)
  })

  test('counts what is still to leave, from what the check found', () => {
    const seconds = [2, 59, 100].map(second => figureAt(moves.remaining, START + second * 1000))
    expect(seconds).toEqual([2, 1, 0])
    expect(figureAt(moves.remaining, START)).toBeNull()
  })

  test('adds up the copied memory, also what no progress reported before the arrival', () => {
    expect(moves.copied.at(-1)?.value).toBe(6 * GIB)
    const [pace, hour] = [START + 122_000, START + 7_202_000].map(until =>
      perMinute(moves.copied, until).map(({ value }) => (value ?? 0) / GIB),
    )
    expect(pace).toEqual([0, 4, 0, 4, 0, 0, 16, 0])
    // In two hours a stretch is a minute: the data never grow with the screen.
    expect(hour?.slice(0, 3)).toEqual([2, 4, 0])
  })

  test('has nothing of a run that moves none', () => {
    const none = movesOfRun(PLAN, [event(0, { kind: 'step-started', stepId: 'Work on cmp-01', attempt: 1 })])
    expect([none.departures.size, none.remaining.length, none.copied.length]).toEqual([0, 0, 0])
    expect(perMinute([], START)).toEqual([])
  })
})

describe('what an observer counted', () => {
  const emptied = (node: string, from: number, to: number | null): NodeLane => ({
    node,
    phase: 'worker-nodes',
    group: null,
    stage: 'locks',
    spans: [
      {
        stage: 'locks',
        fromAt: at(from),
        toAt: to === null ? null : at(to),
        note: '',
        evidence: [],
        waits: [],
        retries: [],
      },
    ],
  })
  const sample = (seconds: number, left: number | null) => ({
    at: at(seconds),
    instancesRemaining: left,
    migrationsDone: null,
    locksInactive: null,
  })

  test('reports the one node that is being emptied', () => {
    const seen = departuresSeen(
      [emptied('a', 0, 50), emptied('b', 60, null)],
      [sample(5, 4), sample(10, 2), sample(20, null), sample(65, 1)],
    )
    expect([...seen].map(([node, left]) => [node, left.map(({ atMs }) => (atMs - START) / 1000)])).toEqual([
      ['a', [10, 10]],
    ])
  })

  test('reports none while two are', () => {
    expect(departuresSeen([emptied('a', 0, null), emptied('b', 0, null)], [sample(5, 4), sample(10, 2)]).size).toBe(0)
  })
})

describe('a curve', () => {
  const x = (ms: number) => ms / 10

  test('keeps its value until the next reading, and up to now', () => {
    const points = [
      { atMs: 0, value: 4 },
      { atMs: 100, value: 2 },
      { atMs: 200, value: null },
    ]
    expect(curvePoints(points, x, 500)).toEqual([
      { x: 0, value: 4 },
      { x: 10, value: 2 },
      { x: 50, value: 2 },
    ])
  })

  test('ends where the last reading is no longer valid, and begins again with the next', () => {
    const points = [
      { atMs: 0, value: 2 },
      { atMs: 300, value: 2 },
      { atMs: 350, value: 0 },
    ]
    expect(curvePoints(points, x, 900, 100)).toEqual([
      { x: 0, value: 2 },
      { x: 10, value: 2 },
      { x: 10, value: null },
      { x: 30, value: 2 },
      { x: 35, value: 0 },
      { x: 45, value: 0 },
      { x: 45, value: null },
    ])
    expect([50, 150, 340, 500].map(ms => figureAt(points, ms, 100))).toEqual([2, null, 2, null])
  })

  test('is not drawn of nothing', () => {
    expect(curvePoints([{ atMs: 0, value: null }], x, 10)).toEqual([])
  })
})
