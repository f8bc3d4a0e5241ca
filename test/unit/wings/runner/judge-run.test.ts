import { describe, expect, test } from 'vitest'
import { acceptedOf, judgeRun } from '../../../../main/wings/runner/judge-run.ts'
import { createPlanReader, planHashOf } from '../../../../main/wings/runner/plan-of-spec.ts'
import type { MaintenanceRun } from '../../../../shared/domain/maintenance-run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import { samplePlan, sampleStep } from '../../../fixtures/cli/sample-plan.ts'
import { RUNNER, sampleRun, sampleSpec, sampleStatus } from '../../../fixtures/runner/sample-maintenance-run.ts'

const SECRETS = because('SecretsOfOneCloud', { secrets: namesOf(['a', 'b']), cloud: 'lab' })
const FULL = because('RunnerVolumeFull', { directory: '/data', left: '0.1' })
const NOW = Date.parse('2026-11-21T12:00:00Z')
const OLDER = '2026-11-21T09:59:58Z'

function judged(run: MaintenanceRun, more: Partial<Parameters<typeof judgeRun>[1]> = {}) {
  return judgeRun(run, {
    nowMs: NOW,
    runner: RUNNER,
    cloud: { kind: 'known' },
    all: [run],
    campaigns: [],
    planOf: createPlanReader(),
    notNow: null,
    ...more,
  })
}

const { plan } = samplePlan()
const command = {
  ...plan,
  steps: [
    sampleStep('node-work', 'Work', {
      input: { node: 'cmp-1', work: { kind: 'command', command: 'reboot', directory: '/' } },
    }),
  ],
}

const overridden = {
  ...plan,
  options: { ...plan.options, overrides: [{ flag: 'force' as const, reason: 'it is known' }] },
}

describe('a MaintenanceRun is refused for good', () => {
  test.each([
    [
      'whose hash is of another text',
      sampleRun({ spec: sampleSpec({ planHash: '0'.repeat(64) }) }),
      {},
      /planHash belongs to another text/,
    ],
    [
      'whose plan is not a plan',
      sampleRun({ spec: ofText('{"id":7}') }),
      {},
      /Plan again with a console of the runner's version/,
    ],
    [
      'whose plan is not JSON',
      sampleRun({ spec: ofText('plan') }),
      {},
      /Plan again with a console of the runner's version/,
    ],
    [
      'that says another node than its plan',
      sampleRun({ spec: sampleSpec({ node: 'cmp-9' }) }),
      {},
      /Its spec has node cmp-9, but its plan has cmp-1/,
    ],
    [
      'that says another kind than its plan',
      sampleRun({ spec: sampleSpec({ kind: 'leave' }) }),
      {},
      /Its spec has kind leave, but its plan has enter/,
    ],
    [
      'that says another cloud than its plan',
      sampleRun({ spec: sampleSpec({ cluster: 'west' }) }),
      {},
      /Its spec has cluster west, but its plan has lab/,
    ],
    [
      'that cannot be read',
      sampleRun({ spec: { unreadable: 'spec.answers: too new' } }),
      {},
      /This version cannot read it: spec\.answers: too new/,
    ],
    [
      'whose work is a command of a laptop',
      sampleRun({ spec: sampleSpec({}, command) }),
      {},
      /The work on its node is a command on the machine where it was confirmed/,
    ],
    [
      'that begins later by an override of now',
      sampleRun({ spec: sampleSpec({ startAfter: '2026-11-21T22:00:00Z' }, overridden) }),
      {},
      /Give no startAfter with an override/,
    ],
    [
      'that is nested too deeply',
      sampleRun({ spec: ofText('['.repeat(5_000) + ']'.repeat(5_000)) }),
      {},
      /This version cannot read its plan/,
    ],
    [
      'whose end is past',
      sampleRun({ spec: sampleSpec({ notAfter: '2026-11-21T11:59:59Z' }) }),
      {},
      /Its end \(notAfter\) 2026-11-21 11:59:59 UTC has passed/,
    ],
    [
      'whose time passed long ago, without an end',
      sampleRun({ spec: sampleSpec({ startAfter: '2026-11-21T11:44:59Z' }) }),
      {},
      /Plan again; with notAfter it may start until then/,
    ],
    [
      'that should start at once, is long ago, and has no end',
      sampleRun({ createdAt: '2026-11-21T09:59:59Z' }),
      {},
      /It was submitted at 2026-11-21 09:59:59 UTC/,
    ],
    [
      'of a campaign that was created more than a day ago, without an end',
      sampleRun({ createdAt: '2026-11-20T11:59:59Z', spec: sampleSpec({ campaign: 'night' }) }),
      {},
      /It was submitted at 2026-11-20 11:59:59 UTC/,
    ],
    [
      'of a cloud that stays unknown',
      sampleRun(),
      { cloud: { kind: 'unknown', forMs: 30_000 } },
      /This runner does not know cloud lab:/,
    ],
    [
      'whose plan an earlier one has',
      sampleRun({ createdAt: '2026-11-21T10:00:01Z' }),
      { all: [sampleRun({ createdAt: '2026-11-21T10:00:01Z' }), sampleRun({ uid: 'uid-0', name: 'first' })] },
      /MaintenanceRun first already has this plan \(plan-1\)/,
    ],
    [
      'whose plan a younger one has begun',
      sampleRun(),
      {
        all: [
          sampleRun(),
          sampleRun({
            uid: 'uid-2',
            name: 'begun',
            createdAt: '2026-11-21T11:00:00Z',
            status: sampleStatus({ runId: 'r1' }),
          }),
        ],
      },
      /MaintenanceRun begun already has this plan \(plan-1\)/,
    ],
  ] as const)('one %s', (_, run, more, why) => {
    expect(judged(run, more)).toMatchObject({ kind: 'refused', why: { message: expect.stringMatching(why) } })
  })
})

describe('a MaintenanceRun does not start yet', () => {
  const later = sampleRun({ spec: sampleSpec({ startAfter: '2026-11-21T14:00:00+01:00' }) })
  test.each([
    [
      'whose campaign does not yet allow it, although it was created in the evening',
      sampleRun({ createdAt: '2026-11-20T22:00:00Z', spec: sampleSpec({ campaign: 'night' }) }),
      {},
      { phase: 'Scheduled', atMs: null },
    ],
    [
      'before its time',
      later,
      {},
      {
        phase: 'Scheduled',
        atMs: NOW + 3_600_000,
        why: { code: 'BeginsAt', message: expect.stringContaining('Starts at 2026-11-21 13:00:00 UTC') },
      },
    ],
    [
      'whose cloud may still come',
      sampleRun(),
      { cloud: { kind: 'unknown', forMs: 10_000 } },
      { phase: 'Pending', atMs: NOW + 20_000 },
    ],
    [
      'whose Secret cannot be used',
      sampleRun(),
      { cloud: { kind: 'unusable', why: SECRETS } },
      { phase: 'Pending', why: SECRETS, atMs: null },
    ],
    ['while the volume is full', sampleRun(), { notNow: FULL }, { phase: 'Pending', why: FULL }],
  ] as const)('one %s', (_, run, more, answer) => {
    expect(judged(run, more)).toMatchObject({ kind: 'not-yet', ...answer })
  })
})

describe('a MaintenanceRun is left alone', () => {
  test.each([
    ['that has ended', sampleStatus({ phase: 'Refused' })],
    [
      'that another journal claimed',
      sampleStatus({ driver: { runner: 'lockkeeper-runner-1/ffff', id: 'd', epoch: 1 } }),
    ],
    ['whose status is of a newer version', { unreadable: 'status.phase' }],
  ] as const)('one %s', (_, status) => {
    expect(judged(sampleRun({ status }))).toEqual({ kind: 'left-alone' })
  })
})

describe('a MaintenanceRun may begin', () => {
  test.each([
    ['at once', sampleRun()],
    ['when its time has come', sampleRun({ spec: sampleSpec({ startAfter: '2026-11-21T12:00:00Z' }) })],
    [
      'that this journal claimed and never began',
      sampleRun({ status: sampleStatus({ driver: { runner: RUNNER, id: 'dead', epoch: 3 } }) }),
    ],
  ] as const)('%s', (_, run) => {
    expect(judged(run)).toMatchObject({ kind: 'may-begin', plan: { id: plan.id } })
  })

  test.each([
    ['of the same second, whatever its name and UID', { name: 'a-copy', uid: 'uid-0' }],
    ['that an API server with a slower clock made', { createdAt: '2026-11-21T09:59:58Z' }],
    ['that was made an hour later', { createdAt: '2026-11-21T11:00:00Z' }],
    ['that was checked first, and refused for it', { status: sampleStatus({ phase: 'Refused' }) }],
    ['that its maker withdrew at once', { createdAt: OLDER, status: sampleStatus({ phase: 'Aborted' }) }],
  ] as const)('the original of a plan, beside a copy %s', (_, more) => {
    const original = sampleRun({ resourceVersion: '999' })
    const copy = sampleRun({ name: 'copy', uid: 'uid-2', resourceVersion: '1000', ...more })
    expect(judged(original, { all: [copy, original] })).toMatchObject({ kind: 'may-begin' })
    if (copy.status === null) expect(judged(copy, { all: [copy, original] })).toMatchObject({ kind: 'refused' })
  })

  test('the original of a plan that a runner has checked, which counts as written again', () => {
    const original = sampleRun({ resourceVersion: '1001', status: sampleStatus({ phase: 'Scheduled' }) })
    const copy = sampleRun({ name: 'copy', uid: 'uid-0', resourceVersion: '1000', createdAt: OLDER })
    expect(judged(original, { all: [copy, original] })).toMatchObject({ kind: 'may-begin' })
    expect(judged(copy, { all: [copy, original] })).toMatchObject({ kind: 'refused' })
  })

  test('where the API server does not count, the older of two', () => {
    const original = sampleRun({ resourceVersion: 'x1' })
    const copy = sampleRun({ name: 'copy', uid: 'uid-0', resourceVersion: 'x0', createdAt: '2026-11-21T11:00:00Z' })
    expect(judged(original, { all: [copy, original] })).toMatchObject({ kind: 'may-begin' })
    expect(judged(copy, { all: [copy, original] })).toMatchObject({ kind: 'refused' })
  })
})

test('what is kept of it with its run is everything but the plan, which the run has', () => {
  const run = sampleRun({ spec: sampleSpec({ notAfter: '2026-11-22T00:00:00Z', resumePolicy: 'Never' }) })
  if ('unreadable' in run.spec) throw new Error('it can be read')
  const { plan: _plan, kind: _kind, cluster: _cluster, node: _node, handedOver: _handedOver, ...kept } = run.spec
  expect(acceptedOf(run, run.spec)).toEqual({ ...kept, name: 'enter-cmp-1', uid: 'uid-1' })
})

function ofText(text: string) {
  return { ...sampleSpec(), plan: text, planHash: planHashOf(text) }
}

test.each([
  ['it has an end that is ahead', { startAfter: '2026-11-20T22:00:00Z', notAfter: '2026-11-21T13:00:00Z' }],
  ['its time passed a moment ago', { startAfter: '2026-11-21T11:45:00Z' }],
])('a MaintenanceRun begins late where %s', (_, more) => {
  expect(judged(sampleRun({ spec: sampleSpec(more) })).kind).toBe('may-begin')
})
