import { describe, expect, test } from 'vitest'
import { campaignGate, campaignGateNow } from '../../../../main/wings/runner/campaign-gate.ts'
import { nextCampaignStatus } from '../../../../main/wings/runner/campaign-status.ts'
import { campaignsWithWork, controlCampaign } from '../../../../main/wings/runner/campaign-work.ts'
import { type CampaignState, judgeCampaign, NEW_CAMPAIGN } from '../../../../main/wings/runner/judge-campaign.ts'
import { judgeRun } from '../../../../main/wings/runner/judge-run.ts'
import { cloudsWithWork, nextDueMs } from '../../../../main/wings/runner/needs-work.ts'
import { createPlanReader } from '../../../../main/wings/runner/plan-of-spec.ts'
import { MaintenanceCampaignSpec } from '../../../../shared/domain/maintenance-campaign.ts'
import { MaintenanceRunControlSpec } from '../../../../shared/domain/maintenance-run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import {
  batchesOf,
  campaignRun,
  campaignSpec,
  campaignStatus,
  runsSeen,
  type SeenRun,
  sampleCampaign,
} from '../../../fixtures/runner/sample-campaign.ts'
import { RUNNER, sampleRun, sampleSpec, sampleStatus } from '../../../fixtures/runner/sample-maintenance-run.ts'

const NOW = '2026-11-21T12:00:00.000Z'
const NONE: ReadonlySet<string> = new Set()
type Seen = Readonly<Record<string, SeenRun>>

function judged(
  batches: string,
  seen: Seen,
  more: { readonly was?: Partial<CampaignState>; readonly budget?: number; readonly atOnce?: number } = {},
) {
  const spec = campaignSpec({ batches: batchesOf(batches, more.atOnce ?? null), failureBudget: more.budget ?? 0 })
  return judgeCampaign({ name: 'night', spec }, { ...NEW_CAMPAIGN, ...more.was }, runsSeen(seen))
}

describe('what a campaign releases', () => {
  test.each<[string, string, Seen, Parameters<typeof judged>[2], readonly string[]]>([
    ['is its first batch, all at once', 'a b, c', {}, {}, ['a', 'b']],
    ['is at most as many of a batch as may be under way at once', 'a b c', {}, { atOnce: 2 }, ['a', 'b']],
    ['is the next one when one has ended', 'a b c', { a: 'Done', b: 'Running' }, { atOnce: 2 }, ['c']],
    ['counts what a runner claimed as under way', 'a b', { a: 'claimed' }, { atOnce: 1 }, []],
    ['counts what waits for a person as under way', 'a b', { a: 'Waiting' }, { atOnce: 1 }, []],
    ['counts what was released before, begun or not', 'a b c', {}, { atOnce: 2, was: { released: ['c'] } }, ['c', 'a']],
    ['is nothing of a batch while one of the batch before is under way', 'a b, c', { a: 'Done', b: 'Running' }, {}, []],
    ['has none of it while one of the batch before has not started', 'a b, c', { a: 'Done' }, {}, ['b']],
    ['is the next batch when all have ended', 'a b, c', { a: 'Done', b: 'Done' }, {}, ['c']],
    ['is so too when they failed within the budget', 'a b, c', { a: 'Done', b: 'Failed' }, { budget: 1 }, ['c']],
    ['is nothing more when one failed and none may', 'a b c', { a: 'Failed' }, { atOnce: 1 }, []],
    ['counts a refused run as failed', 'a, b', { a: 'Refused' }, {}, []],
    ['counts an aborted run as failed', 'a, b', { a: 'Aborted' }, {}, []],
    ['is nothing by a refusal of a later batch', 'a, b', { b: 'Refused' }, {}, []],
    ['waits for a run that was not made', 'a b, c', { a: 'Done', b: 'none' }, {}, []],
    ['goes past a run that was not made within its batch', 'a b', { a: 'none' }, { atOnce: 1 }, ['b']],
    ['waits for a run whose status cannot be read', 'a, b', { a: 'strange' }, {}, []],
    ['counts a status that cannot be read as under way', 'a b', { a: 'strange' }, { atOnce: 1 }, []],
    [
      'keeps that a run ended when its object is gone',
      'a, b',
      { a: 'none' },
      { was: { ended: [{ run: 'a', phase: 'Done' }] } },
      ['b'],
    ],
    ['is nothing while it is paused', 'a b', {}, { was: { hold: { kind: 'paused' } } }, []],
    [
      'is nothing after it stopped, though the failed run is done meanwhile',
      'a, b',
      { a: 'Done' },
      { was: { hold: { kind: 'stopped' } } },
      [],
    ],
    ['counts a released run without an answer', 'a b', { a: 'none' }, { atOnce: 1, was: { released: ['a'] } }, ['a']],
    [
      'keeps that a run ended when the status received is older: new',
      'a, b',
      { a: 'new' },
      { was: { ended: [{ run: 'a', phase: 'Failed' }] }, budget: 1 },
      ['b'],
    ],
    [
      'keeps that a run ended when the status received is older: claimed',
      'a, b',
      { a: 'claimed' },
      { was: { ended: [{ run: 'a', phase: 'Failed' }] }, budget: 1 },
      ['b'],
    ],
  ])('%s', (_, batches, seen, more, released) => {
    expect(judged(batches, seen, more).released).toEqual(released)
  })

  test('is not a run that names another campaign, or none', () => {
    const runs = [campaignRun('a', 'new', null), campaignRun('b', 'new', 'other')]
    const spec = campaignSpec({ batches: batchesOf('a b') })
    const { released, runs: reported } = judgeCampaign({ name: 'night', spec }, NEW_CAMPAIGN, name =>
      runs.find(run => run.name === name),
    )
    expect(released).toEqual([])
    expect(reported.map(({ status }) => 'why' in status && status.why.message)).toEqual([
      'MaintenanceRun a names no campaign',
      'MaintenanceRun b names campaign other',
    ])
  })
})

describe('that a run failed is not forgotten', () => {
  const spec = campaignSpec({ batches: batchesOf('a, b'), failureBudget: 0 })
  const ended = [{ run: 'a', phase: 'Failed' }]

  test.each(['new', 'Running', 'Done'] as const)('when it is made again for another campaign, where it is %s', seen => {
    const next = judgeCampaign({ name: 'night', spec }, { ...NEW_CAMPAIGN, ended }, name =>
      name === 'a' ? campaignRun('a', seen, 'other') : campaignRun(name, 'new'),
    )
    expect(next).toMatchObject({ phase: 'Stopped', released: [], ended, failed: ['a'] })
  })

  test('when it cannot be read for a while, and is gone then', () => {
    const unread = judged('a, b', { a: 'strange' }, { was: { ended } })
    expect(unread).toMatchObject({ phase: 'Stopped', batch: 0, released: [], ended, failed: ['a'] })
    expect(judged('a, b', { a: 'none' }, { was: { ended: unread.ended } })).toMatchObject({ phase: 'Stopped', ended })
  })
})

describe('the phase of a campaign', () => {
  test.each<[string, string, Seen, Parameters<typeof judged>[2], string, boolean]>([
    ['of which nothing can start', 'a', { a: 'none' }, {}, 'Pending', false],
    ['under way', 'a, b', { a: 'Running' }, {}, 'Running', false],
    ['of which all are done', 'a, b', { a: 'Done', b: 'Done' }, {}, 'Done', true],
    ['of which no more failed than may', 'a, b', { a: 'Failed', b: 'Done' }, { budget: 1 }, 'Done', true],
    ['of which more failed than may, and some wait', 'a, b', { a: 'Failed' }, {}, 'Stopped', false],
    ['of which more failed than may, and all ended', 'a b', { a: 'Failed', b: 'Done' }, {}, 'Failed', true],
    ['that is paused', 'a, b', { a: 'Running' }, { was: { hold: { kind: 'paused' } } }, 'Paused', false],
    ['that was paused and is all done', 'a', { a: 'Done' }, { was: { hold: { kind: 'paused' } } }, 'Done', true],
    [
      'that is aborted, with a run under way',
      'a b',
      { a: 'Running', b: 'Aborted' },
      { was: { hold: { kind: 'aborted' } } },
      'Aborted',
      false,
    ],
    [
      'that is aborted, with a run that has not ended yet',
      'a b',
      { a: 'Done' },
      { was: { hold: { kind: 'aborted' } } },
      'Aborted',
      false,
    ],
    [
      'that is aborted, and nothing is left',
      'a b c',
      { a: 'Failed', b: 'Aborted', c: 'none' },
      { was: { hold: { kind: 'aborted' } } },
      'Aborted',
      true,
    ],
    ['of which one cannot be read', 'a b', { a: 'strange', b: 'Done' }, {}, 'Running', false],
  ])('%s', (_, batches, seen, more, phase, hasEnded) => {
    expect(judged(batches, seen, more)).toMatchObject({ phase, hasEnded })
  })
})

describe('the words of a campaign', () => {
  const words = (seen: Seen, more: Parameters<typeof sampleCampaign>[0] = {}) => {
    const campaign = sampleCampaign({
      spec: campaignSpec({
        batches: [
          { name: 'edge', runs: ['a', 'b'], atOnce: 1 },
          { name: null, runs: ['c'], atOnce: null },
        ],
      }),
      ...more,
    })
    return nextCampaignStatus(campaign, { runNamed: runsSeen(seen), now: NOW, driver: null })?.message
  }
  test.each<[string, Seen, Parameters<typeof sampleCampaign>[0], string]>([
    [
      'how far it is',
      { a: 'Done', b: 'Running' },
      {},
      'Batch 1 of 2 (edge): 1 of 2 runs have ended. Running to its end: b.',
    ],
    [
      'what waits for a person',
      { a: 'Waiting', b: 'Interrupted' },
      {},
      'Batch 1 of 2 (edge): 0 of 2 runs have ended. Running to their end: a (Waiting), b (Interrupted).',
    ],
    ['what is released', {}, {}, 'Batch 1 of 2 (edge): 0 of 2 runs have ended. Released, but not started yet: a.'],
    [
      'what is missing',
      { a: 'none', b: 'none' },
      {},
      'Batch 1 of 2 (edge): 0 of 2 runs have ended. Waiting because MaintenanceRun a does not exist yet; MaintenanceRun b does not exist yet.',
    ],
    [
      'what cannot be read',
      { a: 'strange', b: 'Done', c: 'new' },
      {},
      'Batch 1 of 2 (edge): 1 of 2 runs have ended. Waiting because this version cannot read the status of a.',
    ],
    [
      'what failed',
      { a: 'Failed', b: 'Running' },
      {},
      'More runs failed than allowed, so the campaign starts no more. Resume the failed runs and then the campaign, or abort it. Not done: a (0 may fail). Running to its end: b.',
    ],
    [
      'what was claimed when it was paused',
      { a: 'claimed' },
      { status: campaignStatus({ released: ['a'], hold: { kind: 'paused', by: 'ada' } }) },
      'Paused by ada. The campaign starts no more runs. Running to its end: a.',
    ],
    [
      'who paused it',
      { a: 'Running' },
      { status: campaignStatus({ hold: { kind: 'paused', by: 'ada', reason: 'freeze' } }) },
      'Paused by ada: freeze. The campaign starts no more runs. Running to its end: a.',
    ],
    ['that all is done', { a: 'Done', b: 'Done', c: 'Done' }, {}, 'All 3 runs are done.'],
  ])('say %s', (_, seen, more, text) => {
    expect(words(seen, more)).toBe(text)
  })

  test('say since when it is held, and of another hold the instant at which that began', () => {
    const later = '2026-11-21T13:00:00.000Z'
    const next = (status: Parameters<typeof campaignStatus>[0], seen: Parameters<typeof runsSeen>[0] = {}) =>
      nextCampaignStatus(sampleCampaign({ status: campaignStatus(status) }), {
        runNamed: runsSeen(seen),
        now: later,
        driver: null,
      })
    const paused = { kind: 'paused', by: 'ada' } as const
    expect(next({ hold: paused })).toMatchObject({ phase: 'Paused', heldSince: null })
    expect(next({}, { a: 'Failed' })).toMatchObject({ phase: 'Stopped', heldSince: later })
    expect(next({ hold: paused, heldSince: NOW })).toMatchObject({ phase: 'Paused', heldSince: NOW })
    expect(next({ hold: paused, heldSince: NOW }, { a: 'Failed' })).toMatchObject({
      phase: 'Stopped',
      heldSince: later,
    })
    expect(next({ hold: null, heldSince: NOW })).toMatchObject({ heldSince: null })
  })

  test('do not change after its end, whatever happens to its runs', () => {
    const campaign = sampleCampaign({ status: campaignStatus({ phase: 'Failed', endedAt: NOW, message: 'x' }) })
    expect(nextCampaignStatus(campaign, { runNamed: runsSeen({}), now: NOW, driver: null })).toBe(campaign.status)
  })

  test('of one that cannot be read say what cannot; a status that cannot be read is left alone', () => {
    const strange = { unreadable: 'spec.speed: new' }
    const parts = { runNamed: runsSeen({}), now: NOW, driver: null }
    expect(nextCampaignStatus(sampleCampaign({ spec: strange }), parts)).toMatchObject({
      phase: 'Refused',
      endedAt: NOW,
      message: expect.stringContaining('spec.speed: new'),
    })
    expect(nextCampaignStatus(sampleCampaign({ status: strange }), parts)).toBeNull()
  })
})

describe('a run of a campaign', () => {
  const run = campaignRun('a', 'new')
  const gate = (campaign: Parameters<typeof sampleCampaign>[0] | null, of = run) =>
    campaignGate(of, name => (campaign === null || name !== 'night' ? undefined : sampleCampaign(campaign)))
  test.each<[string, Parameters<typeof gate>[0], object]>([
    [
      'waits where there is no such campaign',
      null,
      { kind: 'waits', wait: { code: 'CampaignMissing', campaign: 'night' } },
    ],
    [
      'waits where the campaign does not list it',
      { spec: campaignSpec({ batches: batchesOf('x') }) },
      { kind: 'waits', wait: { code: 'CampaignOmitsRun', campaign: 'night' } },
    ],
    [
      'waits where the campaign cannot be read',
      { spec: { unreadable: 'x' } },
      { kind: 'waits', wait: { code: 'CampaignUnreadable', campaign: 'night' } },
    ],
    [
      'waits where the campaign is not yet checked',
      {},
      { kind: 'waits', wait: { code: 'CampaignHolds', campaign: 'night', batch: 1, batches: 2 } },
    ],
    ['waits where its status cannot be read', { status: { unreadable: 'x' } }, { kind: 'waits' }],
    ['waits where others were released', { status: campaignStatus({ released: ['b'] }) }, { kind: 'waits' }],
    [
      'waits where a run of a batch before continues again',
      { spec: campaignSpec({ batches: batchesOf('x, a') }), status: campaignStatus({ released: ['a'], batch: 1 }) },
      { kind: 'waits' },
    ],
    ['waits where it is paused', { status: campaignStatus({ phase: 'Paused', released: ['a'] }) }, { kind: 'waits' }],
    ['waits where it is stopped', { status: campaignStatus({ phase: 'Stopped', released: ['a'] }) }, { kind: 'waits' }],
    ['begins when it was released', { status: campaignStatus({ released: ['a'] }) }, { kind: 'open' }],
    [
      'ends when the campaign was aborted',
      { status: campaignStatus({ phase: 'Aborted', hold: { kind: 'aborted', by: 'ada', reason: 'storm' } }) },
      { kind: 'aborted', why: because('CampaignAborted', { campaign: 'night', by: 'ada', reason: 'storm' }) },
    ],
    ...(['Done', 'Failed'] as const).map((phase): [string, Parameters<typeof gate>[0], object] => [
      `is refused when the campaign has ended: ${phase}`,
      { status: campaignStatus({ phase, batch: 2, endedAt: NOW }) },
      {
        kind: 'over',
        why: because('CampaignOver', { campaign: 'night', phase }),
      },
    ]),
    [
      'waits for a new one when the campaign was refused',
      { status: campaignStatus({ phase: 'Refused', endedAt: NOW }) },
      { kind: 'waits', wait: { code: 'CampaignRefused', campaign: 'night' } },
    ],
  ])('%s', (_, campaign, expected) => {
    expect(gate(campaign)).toMatchObject(expected)
  })

  test('that names none starts automatically', () => {
    expect(gate(null, campaignRun('a', 'new', null))).toEqual({ kind: 'open' })
  })

  test('does not start by a release that is older than a failure', () => {
    const campaign = sampleCampaign({ status: campaignStatus({ released: ['a'] }) })
    const runs = [run, campaignRun('b', 'Failed')]
    expect(campaignGateNow(run, { campaigns: [campaign], runs })).toMatchObject({ kind: 'waits' })
    expect(campaignGateNow(run, { campaigns: [campaign], runs: [run] })).toEqual({ kind: 'open' })
  })

  test('is judged by its campaign before its cloud is read', () => {
    const by = {
      nowMs: Date.parse(NOW),
      runner: RUNNER,
      cloud: { kind: 'unknown', forMs: 60_000 } as const,
      all: [run],
      planOf: createPlanReader(),
      notNow: null,
    }
    expect(judgeRun(run, { ...by, campaigns: [] })).toMatchObject({ kind: 'not-yet', phase: 'Scheduled' })
    const aborted = sampleCampaign({ status: campaignStatus({ phase: 'Aborted' }) })
    expect(judgeRun(run, { ...by, campaigns: [aborted] })).toMatchObject({ kind: 'aborted' })
    const over = sampleCampaign({ status: campaignStatus({ phase: 'Done', endedAt: NOW }) })
    expect(judgeRun(run, { ...by, campaigns: [over] })).toMatchObject({ kind: 'refused' })
    const released = sampleCampaign({ status: campaignStatus({ released: ['a'] }) })
    const cloud = { kind: 'known' } as const
    expect(judgeRun(run, { ...by, cloud, campaigns: [released] })).toMatchObject({ kind: 'may-begin' })
  })

  test.each<[string, Parameters<typeof sampleCampaign>[0], string | null, readonly string[]]>([
    ['whose status says what it waits for', {}, 'It begins when MaintenanceCampaign night says so (batch 1 of 2).', []],
    ['whose status says something else', {}, 'There is no such campaign.', ['lab']],
    ['that was released', { status: campaignStatus({ released: ['a'] }) }, 'It begins when', ['lab']],
    ['whose campaign was aborted', { status: campaignStatus({ phase: 'Aborted' }) }, 'It begins when', ['lab']],
    ['whose campaign has ended', { status: campaignStatus({ phase: 'Done', endedAt: NOW }) }, 'Its campaign', ['lab']],
  ])(
    'needs no work of its cloud while it waits, and has its claim given back: one %s',
    (_, campaign, message, clouds) => {
      const waiting = { ...run, status: sampleStatus({ phase: 'Scheduled', message: message ?? '' }) }
      const objects = { runs: [waiting], controls: [], campaigns: [sampleCampaign(campaign)] }
      const look = {
        nowMs: Date.parse(NOW),
        runner: RUNNER,
        resting: NONE,
        gone: NONE,
        isOfShard: () => true,
        isHidden: () => false,
      }
      expect([...cloudsWithWork(objects, look)]).toEqual(clouds)
      const driver = { runner: RUNNER, id: 'd', epoch: 1 }
      const claimed = { ...waiting, status: { ...waiting.status, driver } }
      expect([...cloudsWithWork({ ...objects, runs: [claimed] }, look)]).toEqual(['lab'])
    },
  )
})

describe('a run that waits for a campaign that does not come', () => {
  const reported =
    'There is no MaintenanceCampaign night in this namespace, which says when it begins: that is waited for.'
  test.each<[string, Parameters<typeof sampleSpec>[0], string]>([
    ['its end', { notAfter: '2026-11-21T13:00:00Z' }, '2026-11-21T13:00:00.000Z'],
    ['a day after it was created', {}, '2026-11-22T10:00:00.001Z'],
    ['a day after its time', { startAfter: '2026-11-21T11:00:00Z' }, '2026-11-22T11:00:00.001Z'],
  ])('is checked again, and refused, at %s', (_, more, end) => {
    const run = sampleRun({
      spec: sampleSpec({ campaign: 'night', ...more }),
      status: sampleStatus({ phase: 'Scheduled', message: reported }),
    })
    const objects = { runs: [run], controls: [], campaigns: [] }
    const endMs = Date.parse(end)
    const at = (nowMs: number) => {
      const look = { nowMs, runner: RUNNER, resting: NONE, gone: NONE, isOfShard: () => true, isHidden: () => false }
      const by = { nowMs, runner: RUNNER, cloud: { kind: 'known' } as const, all: [run], campaigns: [], notNow: null }
      return [
        ...cloudsWithWork(objects, look),
        judgeRun(run, { ...by, planOf: createPlanReader() }).kind,
        nextDueMs(objects, nowMs),
      ]
    }
    expect(at(endMs - 1)).toEqual(['not-yet', endMs])
    expect(at(endMs)).toEqual(['lab', 'refused', null])
  })
})

describe('a control of a campaign', () => {
  const paused = { kind: 'paused', by: 'ada' } as const
  const stopped = { kind: 'stopped' } as const
  const aborted = { kind: 'aborted', by: 'ada' } as const
  test.each<[string, Parameters<typeof controlCampaign>[0]['control'], Parameters<typeof campaignStatus>[0], object]>([
    ['pauses it', 'pause', {}, { outcome: 'Accepted', hold: { kind: 'paused', by: 'eva', reason: 'freeze' } }],
    ['pauses none that is stopped', 'pause', { hold: stopped }, { outcome: 'Refused', hold: stopped }],
    ['resumes one that is paused', 'resume', { hold: paused }, { outcome: 'Accepted', hold: null }],
    ['resumes one whose failed runs are done now', 'unpause', { hold: stopped }, { outcome: 'Accepted', hold: null }],
    [
      'resumes none whose failures are over the budget',
      'resume',
      { hold: stopped, runsFailed: 1 },
      { outcome: 'Refused', hold: stopped },
    ],
    ['resumes none that is aborted', 'resume', { hold: aborted }, { outcome: 'Refused', hold: aborted }],
    [
      'aborts it',
      'abort',
      { hold: paused },
      { outcome: 'Accepted', hold: { kind: 'aborted', by: 'eva', reason: 'freeze' } },
    ],
    ['aborts once', 'abort', { hold: aborted }, { outcome: 'Accepted', hold: aborted }],
    ['is too late after its end', 'abort', { endedAt: NOW, phase: 'Done' }, { outcome: 'Refused', hold: null }],
    [
      'that only a run accepts is refused',
      'skip-node',
      {},
      { outcome: 'Refused', hold: null, why: because('ControlNotOfCampaigns', { control: 'skip-node' }) },
    ],
  ])('%s', (_, control, status, expected) => {
    expect(controlCampaign({ control, reason: 'freeze' }, 'eva', campaignStatus(status), 0)).toMatchObject(expected)
  })

  test('names a run or a campaign, and not both', () => {
    const of = (about: object) => MaintenanceRunControlSpec.safeParse({ control: 'pause', by: 'eva', ...about }).success
    expect([of({ run: 'a' }), of({ campaign: 'n' }), of({}), of({ run: 'a', campaign: 'n' })]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('is not work of a cloud, and is work of its campaign until it is answered', () => {
    const control = {
      name: 'pause-1',
      uid: 'uid-c',
      createdAt: NOW,
      spec: { campaign: 'night', control: 'pause' as const, by: 'eva', reason: '' },
      status: null,
    }
    const objects = {
      runs: [],
      controls: [control],
      campaigns: [sampleCampaign({ status: campaignStatus({ phase: 'Done', endedAt: NOW }) })],
    }
    const look = { nowMs: 0, runner: RUNNER, resting: NONE, gone: NONE, isOfShard: () => true, isHidden: () => false }
    expect([...cloudsWithWork(objects, look)]).toEqual([])
    const memory = { controls: new Map() }
    const absent = { ...objects, campaigns: [] }
    expect([...campaignsWithWork(absent, { now: NOW, memory })], 'for one that is not there no Lease is taken').toEqual(
      [],
    )
    expect([...cloudsWithWork(absent, look)], 'it is answered beside the clouds').toEqual([null])
    expect([...campaignsWithWork(objects, { now: NOW, memory })]).toEqual(['night'])
    memory.controls.set('uid-c', { status: { outcome: 'Refused', message: '', at: NOW }, isWritten: true })
    expect([...campaignsWithWork(objects, { now: NOW, memory })]).toEqual([])
  })
})

test('a campaign needs a driver while its status has no result, or something is under way', () => {
  const memory = { controls: new Map() }
  const runs = ['a', 'b', 'c'].map(name => campaignRun(name, 'Done'))
  const needs = (campaign: Parameters<typeof sampleCampaign>[0], of = runs) =>
    campaignsWithWork({ runs: of, controls: [], campaigns: [sampleCampaign(campaign)] }, { now: NOW, memory }).size > 0
  expect(needs({}), 'not yet checked').toBe(true)
  const parts = { runNamed: (name: string) => runs.find(run => run.name === name), now: NOW, driver: null }
  expect(needs({ status: nextCampaignStatus(sampleCampaign(), parts) }), 'it has ended').toBe(false)
  expect(needs({ status: campaignStatus({ released: ['a'] }) }, []), 'something is under way').toBe(true)
  const stopped = nextCampaignStatus(sampleCampaign(), { ...parts, runNamed: runsSeen({ a: 'Failed', b: 'Done' }) })
  expect(
    needs({ status: stopped }, [campaignRun('a', 'Failed'), campaignRun('b', 'Done'), campaignRun('c', 'new')]),
    'it waits for an operator',
  ).toBe(false)
  expect(needs({ status: { unreadable: 'x' } }), 'a newer version made it').toBe(false)
})

test.each([
  ['names a run twice', { batches: batchesOf('a b, a') }, /a run is named twice/],
  [
    'has more runs than may be',
    { batches: batchesOf(Array.from({ length: 501 }, (_, at) => `r${at}`).join(' ')) },
    /more than 500 runs/,
  ],
  ['has no batch', { batches: [] }, /batches|>=1/],
])('a campaign that %s cannot be read', (_, more, why) => {
  const read = MaintenanceCampaignSpec.safeParse({ confirmedBy: 'eva', ...more })
  expect(read.success).toBe(false)
  expect(read.error?.message).toMatch(why)
})
