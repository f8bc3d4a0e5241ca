import { afterEach, expect, test, vi } from 'vitest'
import { followTimeline } from '../../../renderer/bridge/updates.ts'
import { useRuns } from '../../../renderer/stores/runs.ts'
import { lastRead, useUpdates } from '../../../renderer/stores/updates.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import { applyRunEvent, foldRun } from '../../../shared/domain/run-fold.ts'
import { timelineOfRun } from '../../../shared/words/timelines.ts'
import { playedUpdateEvents } from '../../fixtures/renderer/update-run.ts'

const RUN = 'run-1'
const AT = '2026-11-21T06:00:00.000Z'
const EVENTS = playedUpdateEvents(RUN, 'east', AT).slice(0, 2)

/** A main that takes long over a timeline. */
const main = vi.hoisted(() => ({ asked: [] as ((answer: unknown) => void)[] }))
vi.mock('../../../renderer/bridge/transport.ts', () => ({
  askMain: () => new Promise(resolve => main.asked.push(resolve)),
  listen: () => () => {},
  onResync: () => () => {},
}))

vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => {}, removeEventListener: () => {} })
vi.stubGlobal('window', { setTimeout })
afterEach(() => vi.unstubAllGlobals())

const stageOf = (node: string) =>
  lastRead(useUpdates.getState().timelines.get(RUN))?.lanes.find(lane => lane.node === node)?.stage

test('the timeline is as current as the run that the same page shows, however long main takes', async () => {
  const view = foldRun(EVENTS)
  useRuns.setState({ readings: new Map([[RUN, { kind: 'read', events: EVENTS, view }]]) })
  const stop = followTimeline(RUN)
  main.asked[0]?.({ ok: true, value: timelineOfRun(view, EVENTS, AT) })
  await vi.waitFor(() => expect(stageOf('cmp-01')).toBe('pending'))
  const body = { kind: 'step-started', stepId: 'Drain cmp-01', attempt: 1 } as const
  const event: RunEvent = { seq: 3, runId: RUN, at: AT, body }
  const now = { kind: 'read', events: [...EVENTS, event], view: applyRunEvent(view, event) } as const
  useRuns.setState({ readings: new Map([[RUN, now]]) })
  await vi.waitFor(() => expect(stageOf('cmp-01')).toBe('draining'))
  expect(main.asked, 'main is not asked again').toHaveLength(1)
  stop()
})
