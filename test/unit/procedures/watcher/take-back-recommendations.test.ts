import { expect, test } from 'vitest'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { takeBackRecommendations } from '../../../../main/procedures/steps/watcher/take-back-recommendations.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { DEFAULT_RUN_OPTIONS, type NodePlan } from '../../../../shared/domain/plan.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { fakeInstance } from '../../../fixtures/procedures/fake-world.ts'
import { type WatcherRun, watcherRun } from '../../../fixtures/procedures/watcher-run.ts'

/** A plan that has the Watcher's step of this run, as it was shown and never confirmed. */
function shown({ input }: WatcherRun): NodePlan {
  return {
    id: 'p1',
    cluster: 'lab',
    flavour: 'plain',
    kind: 'enter',
    node: 'cmp-1',
    madeAt: '2026-01-01T00:00:00.000Z',
    options: DEFAULT_RUN_OPTIONS,
    window: null,
    batches: [],
    steps: [
      {
        id: 'run-watcher-plan',
        kind: 'run-watcher-plan',
        role: 'compute',
        risk: 'disruptive',
        title: 'Watcher empties cmp-1',
        why: '',
        input,
        needs: [],
        verbs: ['check', 'apply', 'verify'],
        verifyEarly: true,
        verifyFinally: true,
        withinMs: 1,
        undo: '',
        holdsUntil: null,
        lane: null,
        phase: null,
        stage: null,
      },
    ],
  }
}

const emptied = () => watcherRun([fakeInstance('a', 'cmp-1')])

test('what nobody started is cancelled', async () => {
  const run = await emptied()
  const watcherOf = async () => ok(run.watcher.port)
  expect(await takeBackRecommendations(shown(run), { watcherOf, clock: systemClock })).toEqual([])
  expect(run.watcher.asked).toEqual([`cancel ${run.input.planUuid}`])
  expect(await run.watcher.port.plan(run.input.planUuid)).toMatchObject({ value: { state: 'CANCELLED' } })
})

test('what somebody started meanwhile continues, and that is not a fault', async () => {
  const run = await emptied()
  await run.watcher.port.start(run.input.planUuid)
  const watcherOf = async () => ok(run.watcher.port)
  expect(await takeBackRecommendations(shown(run), { watcherOf, clock: systemClock })).toEqual([])
  const after = await run.watcher.port.plan(run.input.planUuid)
  expect(after.ok && ['PENDING', 'ONGOING', 'SUCCEEDED'].includes(after.value.state)).toBe(true)
})

test('a cloud that is away, and a Watcher that never answers, are reported', async () => {
  const run = await emptied()
  const away = failure('unreachable', 'The API server refuses connections.')
  const parts = { watcherOf: async () => failed(away), clock: systemClock }
  expect(await takeBackRecommendations(shown(run), parts)).toEqual([away])
  const silent = { ...run.watcher.port, cancelRecommended: () => new Promise<never>(() => {}) }
  const hurried = { ...systemClock, sleep: async () => {} }
  const late = await takeBackRecommendations(shown(run), { watcherOf: async () => ok(silent), clock: hurried })
  expect(late.map(({ code }) => code)).toEqual(['timed-out'])
})
