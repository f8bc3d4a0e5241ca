import { describe, expect, test } from 'vitest'
import { nodesNotBegun, phaseOf, statusOfRun, statusUnbegun } from '../../../../main/wings/runner/run-status.ts'
import { MaintenanceRunStatus } from '../../../../shared/domain/maintenance-run.ts'
import type { RunEventBody } from '../../../../shared/domain/run.ts'
import { conditionOf, type RunCondition } from '../../../../shared/domain/run-condition.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { campaignWaitFound } from '../../../../shared/wings/runner/words/campaign-waits.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { createSampleRun, RUN_ID, sampleCondition, sampleNotEmpty } from '../../../fixtures/cli/sample-run.ts'
import { sampleWaits } from '../../../fixtures/cli/sample-waits.ts'
import { plannedBatches } from '../../../fixtures/procedures/rolling-plan.ts'
import { RUNNER } from '../../../fixtures/runner/sample-maintenance-run.ts'

const since = '2026-11-21T10:00:00.000Z'
const waits = sampleWaits()

describe('the phase of a run that has started', () => {
  test.each<[string, RunCondition]>([
    ['Running', { kind: 'starting' }],
    ['Running', { kind: 'moving', at: null, waits: [] }],
    ['Running', { kind: 'aborting' }],
    ['Running', { kind: 'waiting', waits: [waits.BudgetRefuses] }],
    ['Waiting', { kind: 'waiting', waits: [waits.Question] }],
    ['Waiting', { kind: 'waiting', waits: [waits.LeftToOwners] }],
    ['Paused', { kind: 'paused', since, waits: [] }],
    ['Interrupted', { kind: 'interrupted', since, at: null, left: null, waits: [] }],
    ['Done', sampleCondition('done')],
    ['Failed', sampleCondition('failed')],
    ['Aborted', sampleCondition('aborted')],
    ['Refused', sampleCondition('checks-failed')],
  ])('is %s when it is %j', (phase, condition) => {
    expect(phaseOf(condition)).toBe(phase)
  })
})

function reported(sample: ReturnType<typeof createSampleRun>, more: Partial<Parameters<typeof statusOfRun>[1]> = {}) {
  const view = foldRun(sample.events)
  const run = { view, events: sample.events, interrupted: false, condition: conditionOf(view, false) }
  return statusOfRun(run, {
    runner: RUNNER,
    head: null,
    now: '2026-11-21T10:01:00.000Z',
    estimate: null,
    notes: [],
    unproved: null,
    ...more,
  })
}

describe('the status of a run of one node', () => {
  test('tells its question by its id, what it says, who drives it and how far its journal is', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    sample.gate('gate-7')
    expect(
      reported(sample, { head: { seq: 9, hash: 'h', previous: 'p' } as never, notes: [because('NotPaused')] }),
    ).toEqual({
      phase: 'Waiting',
      runId: RUN_ID,
      nodesDone: 0,
      nodesAll: 1,
      reason: 'Question',
      reasons: [
        {
          code: 'Question',
          for: 'answer',
          node: 'cmp-1',
          gateId: 'gate-7',
          stepId: 'migrate-instances',
          question: '1 instance could not be moved.',
          choices: ['retry', 'skip', 'abort'],
          since: '2026-11-21T10:00:07.000Z',
          moves: false,
          instances: [],
        },
        { code: 'NotPaused' },
      ],
      message: expect.stringMatching(/1 instance could not be moved\..* It is not paused\.$/),
      gateId: 'gate-7',
      estimatedEnd: null,
      driver: { runner: RUNNER, id: 'driver-1', epoch: 1 },
      lastSeq: sample.events.length,
      head: { seq: 9, hash: 'h' },
      startedAt: since,
      endedAt: null,
    })
  })

  test('tells an estimated end while it moves, and none once that is past', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    const estimate = { nodes: [], total: { lowMs: 60_000, highMs: 300_000 }, why: '' }
    expect(reported(sample, { estimate }).estimatedEnd).toBe('2026-11-21T10:05:00.000Z')
    expect(reported(sample, { estimate, now: '2026-11-21T10:06:00.000Z' }).estimatedEnd).toBeNull()
    sample.gate()
    expect(reported(sample, { estimate }).estimatedEnd, 'it is paused').toBeNull()
  })

  test('counts its node when it is done, and no question is open then', () => {
    const sample = createSampleRun()
    sample.created()
    sample.gate()
    sample.finished()
    expect(reported(sample)).toMatchObject({ phase: 'Done', nodesDone: 1, gateId: null, endedAt: expect.any(String) })
  })

  test('has what it waits for by its code with its values, none of them null', () => {
    const sample = createSampleRun()
    sample.created()
    sample.gate()
    const status = reported(sample)
    const { code, choices } = { code: 'Question', choices: ['retry', 'skip', 'abort'] }
    expect(status).toMatchObject({ reason: code, reasons: [{ code, for: 'answer', node: 'cmp-1', choices }] })
    expect(JSON.stringify(status.reasons)).not.toContain('null')
    expect(MaintenanceRunStatus.parse(JSON.parse(JSON.stringify(status)))).toEqual(status)
  })

  test('has how it ended by its code, with the names of what is left', () => {
    const sample = createSampleRun()
    sample.created()
    const { verdict } = sampleNotEmpty('cmp-1')
    sample.fact('drain-node', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(verdict)))
    sample.finished()
    const status = reported(sample)
    expect(status).toMatchObject({
      phase: 'Done',
      nodesDone: 0,
      reason: 'NodeNotEmpty',
      reasons: [
        { code: 'NodeNotEmpty', node: 'cmp-1', verdict: 'NotEmpty', instances: [{ name: 'web-1', code: 'StillRuns' }] },
      ],
    })
    expect(MaintenanceRunStatus.parse(JSON.parse(JSON.stringify(status)))).toEqual(status)
  })

  test('has what it left changed when it was stopped', () => {
    const sample = createSampleRun()
    sample.created()
    sample.finished('aborted', ['Cordon cmp-1: bringing it back does it'])
    expect(reported(sample).reasons).toEqual([
      { code: 'Stopped', outcome: 'aborted', changed: ['Cordon cmp-1: bringing it back does it'] },
    ])
  })

  test('has why it is paused before what it waits for', () => {
    const sample = createSampleRun()
    sample.created()
    sample.gate()
    sample.add({ kind: 'driver-left', why: 'eva left it', left: { code: 'Detached', by: 'eva' } })
    expect(reported(sample)).toMatchObject({
      phase: 'Interrupted',
      reason: 'Detached',
      reasons: [{ code: 'Detached', by: 'eva' }, { code: 'Question' }],
    })
  })

  test('a message that no column takes is cut', () => {
    const sample = createSampleRun()
    sample.created()
    expect(
      reported(sample, { notes: [because('DurationUnknown', { cause: 'x'.repeat(5_000) })] }).message,
    ).toHaveLength(2_000)
  })
})

test('nodes of a run over many that have not started are listed in the order of the plan', () => {
  const plan = plannedBatches()
  const driver = { operator: 'eva', machine: 'pod', pid: 1, version: '1', id: 'd', epoch: 1 }
  const bodies: readonly RunEventBody[] = [
    { kind: 'run-created', plan, driver },
    { kind: 'run-driven', driver, resumed: false },
    ...plan.steps
      .filter(({ lane, verbs }) => lane?.name === 'cmp-1' && verbs.includes('apply'))
      .slice(0, 1)
      .map(({ id }): RunEventBody => ({ kind: 'step-started', stepId: id, attempt: 1 })),
  ]
  const events = bodies.map((body, at) => ({ seq: at + 1, runId: 'r', at: since, body }))
  expect(nodesNotBegun({ view: foldRun(events), events }, since)).toEqual(['cmp-2', 'cmp-3'])
})

test('a request that never started has no run and no driver, and says why', () => {
  expect(
    statusUnbegun('Refused', [because('NothingBegun')], { nodesAll: 2, driver: null, endedAt: since }),
  ).toMatchObject({
    phase: 'Refused',
    runId: null,
    nodesAll: 2,
    message: 'Nothing was started.',
    reason: 'NothingBegun',
    reasons: [{ code: 'NothingBegun' }],
    endedAt: since,
  })
  const wait = { code: 'CampaignHolds', campaign: 'night', batch: 1, batches: 2 } as const
  expect(statusUnbegun('Scheduled', [campaignWaitFound(wait)], { nodesAll: 2, driver: null })).toMatchObject({
    reason: 'CampaignHolds',
    reasons: [wait],
  })
})

test('what an API server would take out or refuse is not in the reasons of a status, at any depth', () => {
  const cause = 'x'.repeat(100_000)
  const call = { code: 'AskApiServer', values: { verb: 'list', namespace: null, name: null }, message: 'list nodes' }
  const many = Array.from({ length: 5_000 }, (_, index) => (index === 0 ? null : { name: `n-${index}`, region: null }))
  const why = {
    code: 'CredentialsMayNot',
    values: { call, cause, many, code: 'Other', own: null },
    message: 'it may not',
  }
  const { reason, reasons } = statusUnbegun('Refused', [why], { nodesAll: 1, driver: null })
  expect(reason).toBe('CredentialsMayNot')
  expect(reasons).toMatchObject([{ code: 'CredentialsMayNot', call: { values: { verb: 'list' } } }])
  expect(JSON.stringify(reasons)).not.toContain('null')
  expect(JSON.stringify(reasons).length).toBeLessThan(4_000)
})
