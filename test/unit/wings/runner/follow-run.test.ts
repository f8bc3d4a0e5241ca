import { expect, test } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createMemory, type RunMemory } from '../../../../main/wings/runner/cloud-memory.ts'
import type { CloudRuns } from '../../../../main/wings/runner/cloud-runs.ts'
import type { CloudWorkParts } from '../../../../main/wings/runner/cloud-work-parts.ts'
import { createRunFollower } from '../../../../main/wings/runner/follow-run.ts'
import { minutes, seconds } from '../../../../shared/domain/durations.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { sampleRun } from '../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

/** A runner that reads a paused run every second; `takes` says for each try whether it gets the Lease. */
async function follows(forMs: number, takes: (time: number) => boolean) {
  const clock = createVirtualClock()
  const run = sampleRun()
  const kept = { notBeforeMs: 0, answered: new Set(), nextResume: null } as unknown as RunMemory
  const resumedAt: number[] = []
  let isDriven = false
  let reported = 0
  const began = clock.monotonicMs()
  const parts = {
    cloud: 'lab',
    runnerApp: {
      runs: { active: () => (isDriven ? {} : null) },
      driver: { operator: 'runner' },
      as: () => async () => {
        resumedAt.push((clock.monotonicMs() - began) / 1000)
        isDriven = takes(resumedAt.length)
        return ok({})
      },
    },
    registry: { status: () => ({ kind: 'known' }) },
    notNow: () => null,
    memory: createMemory(),
    clock,
    log: silentLogger,
  } as unknown as CloudWorkParts
  const events = [{ body: { kind: 'run-created', asked: { uid: run.uid, answers: [] }, driver: { operator: 'eva' } } }]
  const view = {
    id: 'run-1',
    state: { kind: 'left', left: { code: 'Other', text: 'held' } },
    plan: { ...samplePlan().plan, steps: [] },
    steps: [],
    openGates: [],
  }
  const runs = {
    current: () => ({ runs: [run] }),
    memoryOf: () => kept,
    isForLater: () => clock.monotonicMs() < kept.notBeforeMs,
    lookLater: (_: unknown, inMs: number) => {
      kept.notBeforeMs = clock.monotonicMs() + inMs
    },
    journaledRun: () =>
      ok({ view: { ...view, leaseIdentity: isDriven ? 'ours' : null }, events, interrupted: !isDriven }),
    report: () => {
      reported += 1
    },
    whyRunnerOnNode: async () => null,
    holdInTime: async () => {},
  } as unknown as CloudRuns
  const accepted = { whyNot: async () => null, left: async () => ({ kind: 'free' }) as const, hold: async () => null }
  const follow = createRunFollower(parts, runs, accepted)
  while (clock.monotonicMs() - began < forMs) {
    const wasDriven = isDriven
    await follow(run, 'run-1')
    // What got its Lease is seen to have it, and loses it again.
    if (wasDriven) isDriven = false
    await clock.advance(seconds(1))
  }
  return { resumedAt, reported }
}

test('a run whose Lease another holds is tried again at growing intervals, and its state is reported meanwhile', async () => {
  const { resumedAt, reported } = await follows(minutes(60), () => false)
  expect(resumedAt.slice(0, 7)).toEqual([0, 5, 15, 35, 75, 155, 315])
  expect(resumedAt.slice(8).map((at, index) => at - (resumedAt[index + 7] ?? 0))).toSatisfy((gaps: number[]) =>
    gaps.every(gap => gap >= 300 && gap <= 301),
  )
  expect(reported, 'once for each wait').toBeGreaterThanOrEqual(resumedAt.length - 1)
})

test('one that got its Lease and lost it is taken up soon', async () => {
  const { resumedAt } = await follows(seconds(50), time => time === 4)
  expect(resumedAt.slice(0, 5)).toEqual([0, 5, 15, 35, 41])
})
