import { describe, expect, test } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { PlanEstimate } from '../../../../main/windows/plan-estimate.ts'
import { createControlAnswers } from '../../../../main/wings/runner/answer-control.ts'
import { createMemory } from '../../../../main/wings/runner/cloud-memory.ts'
import type { CloudRuns } from '../../../../main/wings/runner/cloud-runs.ts'
import type { CloudWorkParts } from '../../../../main/wings/runner/cloud-work-parts.ts'
import { createControlObeyer } from '../../../../main/wings/runner/obey-control.ts'
import { createResumeInTime } from '../../../../main/wings/runner/resume-in-time.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { MaintenanceRunControl, MaintenanceRunControlSpec } from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../../fixtures/cli/sample-run.ts'
import { plannedBatches } from '../../../fixtures/procedures/rolling-plan.ts'
import { RUNNER, sampleRun } from '../../../fixtures/runner/sample-maintenance-run.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const FULL = because('RunnerVolumeFull', { directory: '/data', left: '0.1' })
const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const inMinutes = (count: number) => new Date(NOW + count * 60_000).toISOString()
const tenMinutesEach: Result<PlanEstimate> = ok({
  nodes: ['cmp-1', 'cmp-2', 'cmp-3'].map(node => ({ node, total: { lowMs: 0, highMs: 600_000 } })),
  total: { lowMs: 0, highMs: 1_800_000 },
  why: '',
})

/** Obeys a control of a run over many nodes with this end; answers what it came to and everything that was asked of the run, in order. */
async function obeyed(
  control: MaintenanceRunControlSpec['control'],
  notAfter: string | null,
  {
    last = 'paused',
    estimate = tenMinutesEach,
    notNow = null as typeof FULL | null,
  }: {
    readonly last?: 'paused' | 'pause-after-node-requested' | 'step-started'
    readonly estimate?: Result<PlanEstimate>
    readonly notNow?: typeof FULL | null
  } = {},
) {
  const checked = { ...samplePlan(), plan: plannedBatches(), checks: [] }
  const sample = createSampleRun(checked)
  sample.created()
  sample.started(checked.plan.steps.find(({ verbs }) => verbs.includes('apply'))?.id ?? '')
  if (last === 'paused') sample.add({ kind: 'paused' })
  if (last === 'pause-after-node-requested') sample.add({ kind: last, by: 'olga' })
  const [first, ...rest] = sample.events
  const asked = { name: 'night', uid: 'u', planHash: '', confirmedBy: 'eva', startAfter: null, notAfter }
  const events = [
    { ...first, body: { ...first?.body, asked: { ...asked, answers: [], resumePolicy: 'Always', campaign: null } } },
    ...rest,
  ] as readonly RunEvent[]
  const did: string[] = []
  const call = async (name: string) => {
    did.push(name)
    return ok({})
  }
  const answers: string[] = []
  const parts = {
    self: { runner: RUNNER },
    runnerApp: {
      contract: { ask: call },
      as: () => call,
      leave: async () => void did.push('leave'),
    },
    objects: {
      setControlStatus: async (_: unknown, { outcome, message }: { outcome: string; message: string }) => {
        answers.push(`${outcome}: ${message}`)
        return ok(undefined)
      },
    },
    lease: { isHeld: () => true },
    provesMaker: async () => true,
    notNow: () => notNow,
    memory: createMemory(),
    clock: createVirtualClock({ start: NOW }),
    log: silentLogger,
  } as unknown as CloudWorkParts
  const run = sampleRun()
  const runs = {
    current: () => ({ runs: [run], controls: [], campaigns: [] }),
    memoryOf: () => ({}),
    runIdOf: () => 'run-1',
    journaledRun: () => ok({ view: foldRun(events), events, interrupted: false, condition: { kind: 'starting' } }),
    whyRunnerOnNode: async () => null,
    estimateOnce: async () => estimate,
    holdInTime: async () => void did.push('held in time'),
  } as unknown as CloudRuns
  const spec = { run: run.name, control, by: 'eva', reason: '' }
  const object: MaintenanceRunControl = { name: 'c', uid: 'c', createdAt: inMinutes(0), spec, status: null }
  const how = { inTime: createResumeInTime(parts, runs), answers: createControlAnswers(parts) }
  await createControlObeyer(parts, runs, how)(object)
  return { did, answers }
}

describe('the resume of a paused run', () => {
  test.each(['unpause', 'resume'] as const)('continues it where it is, before its end: %s', async control => {
    const { did, answers } = await obeyed(control, inMinutes(60))
    expect(did).toEqual(['run.unpause', 'held in time'])
    expect(answers).toEqual(['Accepted: Done as eva requested.'])
  })

  test.each([
    ['past its end', inMinutes(-1)],
    ['when no other node would be finished by it', inMinutes(9)],
  ])('lets it continue without another node, %s', async (_, notAfter) => {
    const { did, answers } = await obeyed('unpause', notAfter)
    expect(did).toEqual(['leave', 'run.pause-after-node', 'run.resume', 'held in time'])
    expect(answers).toEqual(['Accepted: Done as eva requested.'])
  })

  test('leaves it as it is where Lockkeeper cannot estimate another node', async () => {
    const estimate: Result<PlanEstimate> = failed(failure('unreachable', 'Nova does not answer.'))
    const { did, answers } = await obeyed('unpause', inMinutes(60), { estimate })
    expect(did).toEqual([])
    expect(answers).toEqual([expect.stringMatching(/^Refused: .*Nova does not answer/)])
  })

  test('is not left where it could not be taken up again', async () => {
    const { did, answers } = await obeyed('unpause', inMinutes(-1), { notNow: FULL })
    expect(did).toEqual([])
    expect(answers).toEqual([`Refused: ${FULL.message}`])
  })
})

describe('the resume of a run that is about to pause', () => {
  test('continues it, and stops it where it must', async () => {
    const { did } = await obeyed('unpause', null, { last: 'pause-after-node-requested' })
    expect(did).toEqual(['run.unpause', 'held in time'])
  })

  test('starts no other node past its end: the pause remains', async () => {
    const { did, answers } = await obeyed('unpause', inMinutes(-1), { last: 'pause-after-node-requested' })
    expect(did).toEqual([])
    expect(answers).toEqual([
      expect.stringMatching(
        /Refused: It is about to pause and starts no other node, which would not finish by 2026-11-21 11:59:00 UTC \(notAfter\)/,
      ),
    ])
  })

  test('is moving already where nobody paused it', async () => {
    const { did, answers } = await obeyed('unpause', inMinutes(-1), { last: 'step-started' })
    expect(did).toEqual([])
    expect(answers).toEqual(['Accepted: It is not paused.'])
  })
})
