import { describe, expect, it, test } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { PlanEstimate } from '../../../../main/windows/plan-estimate.ts'
import { createMemory } from '../../../../main/wings/runner/cloud-memory.ts'
import type { CloudWorkParts } from '../../../../main/wings/runner/cloud-work-parts.ts'
import { createResumeInTime } from '../../../../main/wings/runner/resume-in-time.ts'
import type { JournaledRun } from '../../../../main/wings/runner/run-status.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../../fixtures/cli/sample-run.ts'
import { plannedBatches } from '../../../fixtures/procedures/rolling-plan.ts'
import { sampleRun } from '../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const inMinutes = (count: number) => new Date(NOW + count * 60_000).toISOString()
const takes = (minutes: number): Result<PlanEstimate> => {
  const total = { lowMs: 0, highMs: minutes * 60_000 }
  const nodes = ['cmp-1', 'cmp-2', 'cmp-3'].map(node => ({ node, total }))
  return ok({ nodes, total, why: '' })
}
const unknown: Result<PlanEstimate> = failed(failure('unreachable', 'Nova does not answer.'))

/** A run of the journal with an end, of one node or of many; `begun`: a step was applied. */
function interrupted(notAfter: string | null, { isOfMany = true, begun = true } = {}): JournaledRun {
  const checked = isOfMany ? { ...samplePlan(), plan: plannedBatches(), checks: [] } : samplePlan()
  const sample = createSampleRun(checked)
  sample.created()
  if (begun) sample.started(checked.plan.steps.find(({ verbs }) => verbs.includes('apply'))?.id ?? '')
  const asked = { name: 'night', uid: 'u', planHash: '', confirmedBy: 'eva', startAfter: null, notAfter }
  const [first, ...rest] = sample.events
  const events = [
    {
      ...first,
      body: { ...first?.body, asked: { ...asked, answers: [], resumePolicy: 'Always', campaign: null } },
    } as RunEvent,
    ...rest,
  ]
  return { view: foldRun(events), events, interrupted: true, condition: { kind: 'starting' } }
}

function judging(estimate: Result<PlanEstimate>) {
  const asked: string[] = []
  const parts = {
    runnerApp: {
      contract: {
        ask: async (name: string) => {
          asked.push(name)
          return ok(undefined)
        },
      },
    },
    memory: createMemory(),
    clock: createVirtualClock({ start: NOW }),
    log: silentLogger,
  } as unknown as CloudWorkParts
  const inTime = createResumeInTime(parts, { estimateOnce: async () => estimate })
  return { inTime, asked }
}

describe('a run without a started step is judged by its end as at the start', () => {
  test.each([
    ['without an end it is taken up', null, false, takes(60), null],
    ['it is taken up where it fits', inMinutes(61), false, takes(60), null],
    ['it is not where it takes longer', inMinutes(59), false, takes(60), /may take 1 h/],
    ['it is not past its end', inMinutes(-1), false, unknown, /has passed/],
    ['one that has started is finished all the same', inMinutes(-1), true, takes(60), null],
  ] as const)('%s', async (_, notAfter, begun, estimate, why) => {
    for (const isOfMany of [true, false]) {
      const answer = await judging(estimate).inTime.whyNot(sampleRun(), interrupted(notAfter, { isOfMany, begun }))
      if (why === null) expect(answer).toBeNull()
      else expect(answer?.message).toMatch(why)
    }
  })
})

describe('before a run is taken up', () => {
  test.each([
    ['it may start no other node past its end', inMinutes(-1), takes(10), ['run.pause-after-node'], null],
    ['and when none would be finished by it', inMinutes(9), takes(10), ['run.pause-after-node'], null],
    ['and past its end when nothing can be estimated', inMinutes(-1), unknown, ['run.pause-after-node'], null],
    ['not while they would be', inMinutes(11), takes(10), [], null],
    ['not without an end', null, takes(10), [], null],
    ['it waits where its duration is unknown before its end', inMinutes(60), unknown, [], /Nova does not answer/],
  ] as const)('%s', async (_, notAfter, estimate, asked, waits) => {
    const judge = judging(estimate)
    const answer = await judge.inTime.hold(sampleRun(), interrupted(notAfter))
    expect(judge.asked).toEqual(asked)
    if (waits === null) expect(answer).toBeNull()
    else expect(answer?.message).toMatch(waits)
  })

  it('over one node, without a started step, it waits too where its duration is unknown', async () => {
    const unbegun = interrupted(inMinutes(60), { isOfMany: false, begun: false })
    expect(await judging(unknown).inTime.hold(sampleRun(), unbegun)).toMatchObject({
      code: 'DurationLeftUnknown',
      message: expect.stringContaining('Nova does not answer'),
    })
    const begun = interrupted(inMinutes(60), { isOfMany: false, begun: true })
    expect(await judging(unknown).inTime.hold(sampleRun(), begun)).toBeNull()
    expect(await judging(takes(10)).inTime.hold(sampleRun(), unbegun)).toBeNull()
  })

  it('that is requested once, however often it is tried', async () => {
    const { inTime, asked } = judging(takes(10))
    const journaled = interrupted(inMinutes(-1))
    await inTime.hold(sampleRun(), journaled)
    await inTime.hold(sampleRun(), journaled)
    expect(asked).toHaveLength(1)
  })
})
