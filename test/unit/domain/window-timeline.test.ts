import { describe, expect, it } from 'vitest'
import type { RunEvent, RunOutcome } from '../../../shared/domain/run.ts'
import type { TimelineRun } from '../../../shared/domain/window-timeline.ts'
import { windowTimeline } from '../../../shared/words/timelines.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

const BEGAN = Date.parse('2026-11-21T10:00:00.000Z')

/** A run of a node that begins at a minute: one step, a second long, then its end. */
function nodeRun(
  kind: 'enter' | 'leave' | 'rescue' | 'home',
  node: string,
  minute: number,
  outcome: RunOutcome | null,
): TimelineRun {
  const checked = samplePlan({ kind })
  const plan = { ...checked.plan, node }
  const sample = createSampleRun({ ...checked, plan }, `${kind}-${node}`)
  sample.created()
  sample.started('drain-node')
  sample.fact('drain-node', 'pod.eviction-refused', 'pod/a/b', { uid: 'u', sentence: 'a budget', retryAt: '' })
  if (outcome !== null) sample.finished(outcome)
  const events: readonly RunEvent[] = sample.events.map(event => ({
    ...event,
    at: new Date(Date.parse(event.at) + minute * 60_000).toISOString(),
  }))
  return { id: `${kind}-${node}`, plan, events, interrupted: false }
}

function timeline(runs: readonly TimelineRun[], closed = false) {
  const now = new Date(BEGAN + 3_600_000).toISOString()
  return windowTimeline({ id: 'w', runs, plan: null, more: [], closed, now })
}

const stagesOf = (runs: readonly TimelineRun[]) =>
  timeline(runs).lanes.map(({ node, stage, spans }) => `${node}: ${spans.map(span => span.stage).join(' ')} (${stage})`)

describe("a window's timeline", () => {
  it('shows the way in, the work and the way back of a node in one lane', () => {
    const runs = [nodeRun('enter', 'cmp-1', 0, 'done'), nodeRun('leave', 'cmp-1', 20, 'done')]
    expect(stagesOf(runs)).toEqual(['cmp-1: draining work returning done (done)'])
    const [lane] = timeline(runs).lanes
    const work = lane?.spans[1]
    expect(Date.parse(work?.toAt ?? '') - Date.parse(work?.fromAt ?? '')).toBeGreaterThan(19 * 60_000)
    expect(timeline(runs).endedAt).toBe(runs[1]?.events.at(-1)?.at)
  })

  it('leaves a node out of service whose instances were rescued, as one that was taken out', () => {
    expect(stagesOf([nodeRun('rescue', 'cmp-1', 0, 'done')])).toEqual(['cmp-1: draining work (work)'])
  })

  it.each(['done', 'failed'] as const)('says nothing of a node by its instances coming home: %s', outcome => {
    const home = nodeRun('home', 'cmp-1', 40, outcome)
    expect(stagesOf([home])).toEqual([])
    expect(timeline([home]).endedAt).toBe(home.events.at(-1)?.at)
    expect(stagesOf([nodeRun('enter', 'cmp-1', 0, 'done'), home])).toEqual(['cmp-1: draining work (work)'])
    const back = [nodeRun('enter', 'cmp-1', 0, 'done'), nodeRun('leave', 'cmp-1', 20, 'done'), home]
    expect(stagesOf(back)).toEqual(['cmp-1: draining work returning done (done)'])
  })

  it('has a lane for each node, in the order of their starts, without phases of an update', () => {
    const runs = [nodeRun('enter', 'cmp-2', 0, 'done'), nodeRun('enter', 'cmp-1', 5, 'done')]
    expect(stagesOf(runs)).toEqual(['cmp-2: draining work (work)', 'cmp-1: draining work (work)'])
    expect(timeline(runs).phases).toEqual([])
  })

  it('continues as long as a node is in maintenance, although no run is active', () => {
    const { endedAt, lanes } = timeline([nodeRun('enter', 'cmp-1', 0, 'done')])
    expect(endedAt).toBeNull()
    expect(lanes[0]?.spans.at(-1)).toMatchObject({ stage: 'work', toAt: null })
  })

  it.each(['failed', 'aborted'] as const)('ends what is drawn of a node where its run was %s, with why', outcome => {
    const run = nodeRun('enter', 'cmp-1', 0, outcome)
    const { lanes, endedAt } = timeline([run])
    const at = run.events.at(-1)?.at
    expect(lanes[0]?.stage).toBe('draining')
    expect(lanes[0]?.spans).toMatchObject([
      { stage: 'draining', toAt: at, evidence: [`paused: Ended ${outcome}.`], waits: [{ toAt: at }] },
    ])
    expect(endedAt).toBe(at)
  })

  it('draws nothing between a run that was aborted and the next one on its node', () => {
    const aborted = nodeRun('enter', 'cmp-1', 0, 'aborted')
    const [lane] = timeline([aborted, nodeRun('leave', 'cmp-1', 20, 'done')]).lanes
    expect(lane?.spans.map(({ stage }) => stage)).toEqual(['draining', 'returning', 'done'])
    expect(lane?.spans[0]?.toAt).toBe(aborted.events.at(-1)?.at)
  })

  it('ends the drawing where a run without a driver was seen last', () => {
    const run = { ...nodeRun('enter', 'cmp-1', 0, null), interrupted: true }
    const span = timeline([run]).lanes[0]?.spans.at(-1)
    expect(span).toMatchObject({ stage: 'draining', toAt: run.events.at(-1)?.at, evidence: ['its run has no console'] })
  })

  it('draws no work on a node after the last run of what is closed: nobody looked', () => {
    const run = nodeRun('enter', 'cmp-1', 0, 'done')
    const { lanes, endedAt } = timeline([run], true)
    expect(lanes[0]).toMatchObject({ stage: 'work', spans: [{ stage: 'draining', toAt: run.events.at(-1)?.at }] })
    expect(endedAt).toBe(run.events.at(-1)?.at)
  })

  it('shows what a node waited for within its run', () => {
    const [lane] = timeline([nodeRun('enter', 'cmp-1', 0, null)]).lanes
    expect(lane?.spans[0]?.waits).toMatchObject([{ what: 'a budget', toAt: null }])
  })

  it('keeps the order of the plan for nodes whose turn has not come', () => {
    const batches = [{ nodes: ['cmp-3'] }, { nodes: ['cmp-1', 'cmp-2'] }]
    const plan = {
      kind: 'batches',
      scope: 'os',
      batches,
      work: { kind: 'person' },
      workMinutes: null,
      pauseBetweenBatches: false,
    } as const
    const { lanes } = windowTimeline({
      id: 'w',
      runs: [nodeRun('enter', 'cmp-1', 0, 'done')],
      plan: { ...plan, batches: batches.map(({ nodes }) => ({ nodes: [...nodes] })) },
      more: [],
      closed: false,
      now: new Date(BEGAN + 3_600_000).toISOString(),
    })
    expect(lanes.map(({ node, group, stage }) => `${node} ${group} ${stage}`)).toEqual([
      'cmp-3 batch 1 pending',
      'cmp-1 batch 2 work',
      'cmp-2 batch 2 pending',
    ])
  })
})
