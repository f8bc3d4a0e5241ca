import { describe, expect, test } from 'vitest'
import { migrationRates } from '../../../renderer/geometry/timeline-rates.ts'
import { betterSamples } from '../../../renderer/geometry/timeline-samples.ts'
import { failedAfter, lastRead, withSameLanes } from '../../../renderer/stores/updates.ts'
import { isStoppingAfterNode } from '../../../renderer/ui/timeline/update-controls.tsx'
import type { RunEvent, RunEventBody } from '../../../shared/domain/run.ts'
import type { NodeLane, UpdateTimeline } from '../../../shared/domain/update.ts'
import { withInstanceNames } from '../../../shared/words/instance-names.ts'

const sample = (minute: number, migrationsDone: number | null) => ({
  at: new Date(Date.parse('2026-11-21T06:00:00Z') + minute * 60_000).toISOString(),
  instancesRemaining: null,
  migrationsDone,
  locksInactive: null,
})

const rates = (...samples: readonly ReturnType<typeof sample>[]) =>
  migrationRates([...samples]).map(({ perMinute }) => perMinute)

describe('the pace of migrations', () => {
  test('is what was done in each minute', () => {
    expect(rates(sample(0, 0), sample(1, 3), sample(2, 3), sample(3, 7))).toEqual([3, 0, 4])
  })

  test('is unknown where the count is unknown or starts again', () => {
    expect(rates(sample(0, 5), sample(1, null), sample(2, 7), sample(3, 1), sample(4, 2))).toEqual([
      null,
      null,
      null,
      1,
    ])
  })

  test('one migration in the last second is not sixty a minute', () => {
    expect(rates(sample(0, 0), sample(1, 2), sample(1.02, 3))).toEqual([2, 1])
  })

  test('is empty without data', () => {
    expect(rates()).toEqual([])
    expect(rates(sample(0, 1))).toEqual([])
  })
})

describe('the figures of an update', () => {
  const of = (...samples: readonly ReturnType<typeof sample>[]) => ({
    samples: [...samples],
    startedAt: null,
    endedAt: null,
  })

  test("are the run's own while nobody knows more", () => {
    expect(betterSamples(of(sample(0, 1)), null)).toEqual([sample(0, 1)])
    expect(betterSamples(of(sample(0, 1)), of(sample(0, null)))).toEqual([sample(0, 1)])
  })

  test('are what an observer saw where that is more, during the update', () => {
    const run = { ...of(), startedAt: sample(1, 0).at, endedAt: sample(3, 0).at }
    expect(betterSamples(run, of(sample(0, 1), sample(2, 2), sample(4, 3)))).toEqual([sample(2, 2)])
  })
})

describe('a sentence about instances', () => {
  const id = '9ce3c694-d4a0-40b8-a2fd-088c7ecfdd73'

  test('has the names of those that are known beside their ids', () => {
    expect(withInstanceNames(`Notify ["${id}"]`, () => 'vm-01')).toBe('Notify ["vm-01 (9ce3c694…)"]')
    expect(withInstanceNames(`Starting migration for vm-01 (${id})`, () => 'vm-01')).toBe(
      'Starting migration for vm-01 (9ce3c694…)',
    )
    expect(withInstanceNames(`Notify ["${id}"]`, () => null)).toBe(`Notify ["${id}"]`)
  })
})

const lane = (node: string, stage: NodeLane['stage']): NodeLane => ({
  node,
  phase: 'worker-nodes',
  group: null,
  stage,
  spans: [],
})

const timeline = (...lanes: readonly NodeLane[]): UpdateTimeline => ({
  source: { kind: 'run', runId: 'r1' },
  phase: 'worker-nodes',
  phases: [],
  lanes: [...lanes],
  samples: [],
  eta: null,
  startedAt: null,
  endedAt: null,
})

describe('a timeline that is read again', () => {
  test('keeps the lanes in which nothing changed, and only those', () => {
    const before = timeline(lane('cmp-1', 'done'), lane('cmp-2', 'locks'))
    const after = withSameLanes(before, timeline(lane('cmp-1', 'done'), lane('cmp-2', 'draining')))
    expect(after.lanes[0]).toBe(before.lanes[0])
    expect(after.lanes[1]).toEqual(lane('cmp-2', 'draining'))
  })

  test('that cannot be read again is still there, as old', () => {
    const failure = { code: 'unreachable' as const, message: 'It is gone.', retryable: true }
    const once = failedAfter({ kind: 'read', value: 'old' }, failure)
    expect(lastRead(once)).toBe('old')
    expect(lastRead(failedAfter(once, failure))).toBe('old')
    expect(lastRead(failedAfter<string>(undefined, failure))).toBeNull()
  })
})

describe('stopping after the nodes under way', () => {
  const events = (...bodies: readonly RunEventBody[]): readonly RunEvent[] =>
    bodies.map((body, index) => ({ seq: index + 1, runId: 'r1', at: '2026-11-21T06:00:00Z', body }))
  const asked: RunEventBody = { kind: 'pause-after-node-requested', by: 'eva' }

  test('is shown as requested until the run has paused', () => {
    expect(isStoppingAfterNode(events(asked))).toBe(true)
    expect(isStoppingAfterNode(events(asked, { kind: 'paused' }))).toBe(false)
  })

  test('ends when the run resumes', () => {
    expect(isStoppingAfterNode(events(asked, { kind: 'resume-requested', by: 'eva' }))).toBe(false)
    expect(isStoppingAfterNode(events())).toBe(false)
  })
})
