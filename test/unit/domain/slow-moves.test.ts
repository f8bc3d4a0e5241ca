import { expect, test } from 'vitest'
import {
  INSTANCE_MOVED,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
} from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { slowMoves, timedMoves } from '../../../shared/domain/slow-moves.ts'
import { slowWords } from '../../../shared/words/instances.ts'
import { samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

const STEP = 'migrate-instances'
const GIB = 1024

/** Earlier moves of 1 GiB: usually 4 s, nine in ten within 6 s. */
const EARLIER = [4000, 4000, 6000].map(ms => ({ ms, ramMib: GIB }))

function running(values: Record<string, string | number | null> = {}) {
  const { plan, ...checked } = samplePlan()
  const run = createSampleRun({ ...checked, checks: [], plan: { ...plan, steps: [sampleStep(STEP, STEP)] } })
  run.created()
  run.started(STEP)
  run.fact(STEP, MIGRATION_REQUESTED, 'server/db', { name: 'db-1', attempt: 1, ramMib: 10 * GIB, ...values })
  return run
}

const beganMs = (run: ReturnType<typeof running>) => Date.parse(run.events.at(-1)?.at ?? '')

test('a live move is slow once it takes longer than nine in ten of its size, and says the usual time', () => {
  const run = running()
  const moves = timedMoves(foldRun(run.events), EARLIER)
  const began = beganMs(run)
  expect(slowMoves(moves, began + 60_000)).toEqual([])
  const slow = slowMoves(moves, began + 60_001)
  expect(slow).toMatchObject([{ id: 'db', name: 'db-1', usualMs: 40_000 }])
  expect(slow.map(slowWords)).toEqual(['longer than usual (usual 40 s)'])
})

test('nothing is slow without an earlier move, and the arrivals of the run itself count', () => {
  const run = running()
  expect(timedMoves(foldRun(run.events), [])).toEqual([])
  run.fact(STEP, INSTANCE_MOVED, 'server/db', { name: 'db-1', to: 'cmp-2' })
  run.fact(STEP, MIGRATION_REQUESTED, 'server/web', { name: 'web-1', attempt: 1, ramMib: 10 * GIB })
  expect(timedMoves(foldRun(run.events), [])).toMatchObject([{ name: 'web-1' }])
})

test.each([
  ['with downtime copies disks', 'cold', null],
  ['that waits for its turn at Nova has not begun', 'live', [MIGRATION_PROGRESS, { behindId: 'web', behind: 'web-1' }]],
  ['that failed', 'live', [MIGRATION_FAILED, { why: 'no room' }]],
] as const)('a move %s', (_, how, then) => {
  const run = running({ how })
  if (then !== null) run.fact(STEP, then[0], 'server/db', { name: 'db-1', attempt: 1, ...then[1] })
  expect(timedMoves(foldRun(run.events), EARLIER)).toEqual([])
})
