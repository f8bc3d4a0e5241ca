import { describe, expect, test } from 'vitest'
import { timelineAt } from '../../../renderer/geometry/timeline-at.ts'
import { timelineForecast } from '../../../renderer/geometry/timeline-forecast.ts'
import { countedThen, ribbonParts } from '../../../renderer/geometry/timeline-ribbon.ts'
import { timelineScale } from '../../../renderer/geometry/timeline-scale.ts'
import type { NodeLane, UpdateTimeline } from '../../../shared/domain/update.ts'
import type { TimelineNode } from '../../../shared/domain/update-eta.ts'
import { PLAYED_SECONDS, playedTimeline } from '../../fixtures/renderer/timelines.ts'

const START = Date.parse('2026-11-21T01:00:00Z')
const NOW = START + PLAYED_SECONDS * 1000

const nodesOf = (timeline: UpdateTimeline): readonly TimelineNode[] =>
  timeline.lanes.map(({ node, phase, group }) => ({
    node,
    phase,
    group,
    atOnce: phase === 'control-nodes' ? 1 : 2,
  }))

function ribbon(timeline: UpdateTimeline, nowMs = NOW, spans = new Map<string, { lowMs: number; highMs: number }>()) {
  const nodes = nodesOf(timeline)
  const { ghosts, end } = timelineForecast(timeline, nodes, spans, nowMs)
  const scale = timelineScale(timeline, 1000, nowMs, end?.highMs)
  return { parts: ribbonParts(timeline, nodes, ghosts, scale, nowMs), scale }
}

const unbegun = (lanes: readonly NodeLane[]): NodeLane[] =>
  lanes.map(lane => ({ ...lane, stage: 'pending' as const, spans: [] }))

describe('the ribbon of an update', () => {
  test('has the past, what runs until now, the rest of it, and what follows', () => {
    const { parts, scale } = ribbon(playedTimeline(START))
    expect(parts.map(({ phase, state }) => [phase, state])).toEqual([
      ['prepare', 'done'],
      ['applications', 'done'],
      ['control-nodes', 'done'],
      ['worker-nodes', 'running'],
      ['worker-nodes', 'rest'],
      ['finalize', 'pending'],
    ])
    const [, , control, now, rest] = parts
    expect(control?.count).toEqual({ done: 3, ahead: 0, total: 3 })
    expect((now?.x ?? 0) + (now?.width ?? 0)).toBeCloseTo(scale.x(NOW))
    expect(rest).toMatchObject({ count: { done: 4, total: 12 }, atOnce: 2 })
    expect(rest?.toMs).toBeGreaterThan(NOW)
    // When it finishes nobody can tell: it has its turn, not a time.
    expect(parts.at(-1)).toMatchObject({ fromMs: null, toMs: null })
  })

  test('shows the order before the start', () => {
    const played = playedTimeline(START)
    const timeline: UpdateTimeline = {
      ...played,
      phase: null,
      phases: played.phases.map(each => ({ ...each, state: 'pending', fromAt: null, toAt: null })),
      lanes: unbegun(played.lanes),
      startedAt: null,
    }
    const { parts } = ribbon(timeline, START)
    expect(parts.map(({ phase }) => phase)).toEqual(played.phases.map(({ phase }) => phase))
    expect(parts.every(({ state, fromMs }) => state === 'pending' && fromMs === null)).toBe(true)
  })

  test.each([
    ['while it runs', playedTimeline(START), NOW],
    ['when it has ended', playedTimeline(START, { endedAt: new Date(NOW).toISOString(), phase: null }), NOW],
    ['an hour later', playedTimeline(START), NOW + 3_600_000],
  ])('lays no part over another and none outside, %s', (_, timeline, nowMs) => {
    const { parts, scale } = ribbon(timeline, nowMs)
    const placed = parts.toSorted((a, b) => a.x - b.x)
    placed.forEach((part, index) => {
      const before = placed[index - 1]
      if (before !== undefined) expect(part.x).toBeGreaterThanOrEqual(before.x + before.width - 0.01)
      expect(part.x + part.width).toBeLessThanOrEqual(scale.width + 20)
    })
  })

  test('is of batches where there are no phases', () => {
    const played = playedTimeline(START)
    const lanes = played.lanes.slice(3, 9).map((lane, index) => ({ ...lane, group: `batch ${index < 4 ? 1 : 2}` }))
    const { parts } = ribbon({
      ...played,
      phases: played.phases.map(each => ({
        ...each,
        ...(each.phase === 'worker-nodes' ? {} : { state: 'pending' as const, fromAt: null, toAt: null }),
      })),
      lanes: [...lanes.slice(0, 4), ...unbegun(lanes.slice(4))],
    })
    expect(parts.map(({ group, state }) => [group, state])).toEqual([
      ['batch 1', 'done'],
      ['batch 2', 'pending'],
    ])
  })
})

test('a ribbon scrubbed to the past counts the nodes of that time, at the same places', () => {
  const timeline = playedTimeline(START)
  const { parts } = ribbon(timeline)
  const then = countedThen(parts, timelineAt(timeline, START + 1000).lanes)
  const done = (of: typeof parts) => of.reduce((sum, { count }) => sum + (count?.done ?? 0), 0)
  expect(done(parts)).toBeGreaterThan(0)
  expect(done(then)).toBe(0)
  expect(then.map(({ x, width }) => [x, width])).toEqual(parts.map(({ x, width }) => [x, width]))
  expect(countedThen(parts, null)).toBe(parts)
})
