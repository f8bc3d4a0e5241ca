import { describe, expect, test } from 'vitest'
import {
  abortOf,
  batchStatus,
  campaignTone,
  partsOf,
  runTone,
} from '../../../renderer/wings/runner/campaigns/batch-status.ts'
import {
  addBatch,
  addRuns,
  type CampaignDraft,
  doubtAbout,
  dropBatch,
  dropRun,
  newCampaign,
  readCampaignDraft,
  runsOfDraft,
  setAtOnce,
  shiftRun,
  wantedCampaigns,
  whyNotAdded,
} from '../../../renderer/wings/runner/campaigns/campaign-draft.ts'
import { whyNoCampaign } from '../../../renderer/wings/runner/campaigns/campaign-field.tsx'
import { placesOf } from '../../../renderer/wings/runner/campaigns/runner-places.ts'
import { afterAnswer, type Reading } from '../../../renderer/wings/runner/stores/campaigns.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { MaintenanceCampaignPhase } from '../../../shared/domain/maintenance-campaign.ts'
import { MaintenanceRunPhase } from '../../../shared/domain/maintenance-run.ts'
import { must } from '../../../shared/domain/must.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { playedCampaign, playedRunners, playedWaiting } from '../../fixtures/renderer/campaigns.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const night = playedCampaign(NOW)
const batchAt = (at: number) => must(night.batches[at], 'it has the batch')

describe('what was read of campaigns', () => {
  const unreachable = failed(failure('unreachable', 'The API server does not answer.'))
  const read: Reading<string> = { kind: 'read', value: 'a', readAt: 't1' }

  test('stays what it was when it cannot be read again, and says so', () => {
    expect(afterAnswer(null, ok('a'), 't1')).toEqual(read)
    const old = afterAnswer(read, unreachable, 't2')
    expect(old).toMatchObject({ kind: 'old', value: 'a', readAt: 't1' })
    expect(afterAnswer(old, unreachable, 't3')).toMatchObject({ kind: 'old', readAt: 't1' })
    expect(afterAnswer(old, ok('b'), 't4')).toEqual({ kind: 'read', value: 'b', readAt: 't4' })
  })

  test('is nothing where it never existed, or was reported gone', () => {
    expect(afterAnswer(null, unreachable, 't1')).toMatchObject({ kind: 'failed' })
    expect(afterAnswer(read, failed(failure('not-found', 'There is none.')), 't2')).toMatchObject({ kind: 'failed' })
  })
})

describe('the colour', () => {
  test('of a phase is what the face says: blue moves, amber waits, red failed, green done, grey rests', () => {
    const tones = MaintenanceCampaignPhase.options.map(phase => [
      phase,
      campaignTone({ phase, endedAt: NOW_ISO }, false),
    ])
    expect(Object.fromEntries(tones)).toEqual({
      Pending: 'rest',
      Running: 'moving',
      Paused: 'waits',
      Stopped: 'failed',
      Refused: 'failed',
      Done: 'verified',
      Failed: 'failed',
      Aborted: 'rest',
    })
    expect(campaignTone({ phase: 'Aborted', endedAt: null }, false)).toBe('moving')
    expect(campaignTone({ phase: null, endedAt: null }, false)).toBe('rest')
  })

  test('of a run is that of its phase; one of another version rests beside its word', () => {
    expect(MaintenanceRunPhase.options.map(phase => runTone(phase, false))).toEqual([
      'rest',
      'rest',
      'moving',
      'waits',
      'waits',
      'failed',
      'failed',
      'verified',
      'failed',
      'rest',
    ])
    expect([runTone(null, false), runTone('Dreaming', false)]).toEqual(['rest', 'rest'])
  })
})

const NOW_ISO = new Date(NOW).toISOString()

test('of old data only an end has its colour', () => {
  expect(campaignTone({ phase: 'Running', endedAt: null }, true)).toBe('rest')
  expect(campaignTone({ phase: 'Failed', endedAt: NOW_ISO }, true)).toBe('failed')
  expect([runTone('Running', true), runTone('Interrupted', true), runTone('Done', true)]).toEqual([
    'rest',
    'rest',
    'verified',
  ])
  expect([0, 1].map(at => batchStatus(night, at, true).tone)).toEqual(['verified', 'rest'])
})

describe('a batch', () => {
  const held = (kind: 'paused' | 'stopped' | 'aborted') => ({ kind, by: 'eva', reason: null, since: null })
  test.each([
    ['that is done', {}, 0, 'verified', 'Done: 2 runs'],
    ['under way in which one needs somebody', {}, 1, 'waits', 'Running, 1 needs you, 1 not done, 1 of 4 ended'],
    ['whose turn has not come', {}, 2, 'rest', 'Starts when all runs before have ended'],
    ['of one that is paused', { hold: held('paused') }, 1, 'waits', 'Held, 1 needs you, 1 not done, 1 of 4 ended'],
    ['of one that stopped', { hold: held('stopped') }, 1, 'failed', 'Held, 1 needs you, 1 not done, 1 of 4 ended'],
    ['of one that has ended', { endedAt: NOW_ISO, hold: held('aborted') }, 2, 'rest', 'Campaign ended: 0 of 3 ended'],
    [
      'of one that no runner has read',
      { phase: null, batch: 0, batches: night.batches.slice(2) },
      0,
      'rest',
      'Not started',
    ],
    ['whose turn it is', { batch: 3 }, 2, 'rest', 'Its turn: 0 of 3 ended'],
  ] as const)('%s', (_, more, at, tone, words) => {
    expect(
      batchStatus({ ...night, ...more, batches: [...('batches' in more ? more.batches : night.batches)] }, at, false),
    ).toEqual({
      tone,
      words,
    })
  })

  test('of which some are not done says how many', () => {
    const batches = [{ name: null, atOnce: null, runs: [...batchAt(0).runs, must(batchAt(1).runs[0], 'it has a run')] }]
    expect(batchStatus({ ...night, batches }, 0, false)).toEqual({ tone: 'failed', words: 'Ended: 2 done, 1 not' })
  })
})

test('an abort ends what has not started, and leaves alone what is under way; the unknown is separate', () => {
  expect(abortOf(night)).toEqual({
    ends: ['enter-cmp-10-6789abcdef01', 'enter-cmp-11-789abcdef012'],
    goOn: ['enter-cmp-07-123456789abc', 'enter-cmp-09-23456789abcd'],
    unknown: ['update-tromso-89abcdef0123', 'enter-cmp-12-9abcdef01234'],
  })
})

test('how far a campaign is, out of all its runs; nothing without runs', () => {
  expect(partsOf({ ...night, runsAll: 10, runsDone: 2, runsFailed: 1 })).toEqual({ done: 20, failed: 10 })
  expect(partsOf({ ...night, runsAll: 0 })).toEqual({ done: 0, failed: 0 })
})

test('the pods of a runner are one place: it answers while one pod does, and names the others', () => {
  const lost = { kind: 'lost', why: 'It does not answer.', asOf: null } as const
  const one = playedRunners()
  const other = playedRunners({ name: 'lockkeeper-runner-1', connection: lost, clouds: ['bodo'] })
  const elsewhere = playedRunners({ by: 'edge', connection: lost })
  expect(placesOf([...one, ...other, ...elsewhere])).toMatchObject([
    { by: 'edge', isAnswering: false },
    {
      by: 'mgmt',
      isAnswering: true,
      clouds: ['bergen', 'bodo', 'oslo', 'tromso'],
      silent: ['Runner lockkeeper-runner-1 (namespace lockkeeper of mgmt): not connected. It does not answer.'],
    },
  ])
})

describe('a campaign that is put together', () => {
  const two = addRuns(addRuns(addBatch(newCampaign('spring')), 0, ['a', 'b']), 1, ['c', 'd'])
  const batches = (draft: CampaignDraft) => draft.batches.map(({ runs }) => runs.join(' '))

  test('has each run once, wherever it was put first', () => {
    expect(batches(addRuns(two, 1, ['a', 'a']))).toEqual(['b', 'c d a'])
    expect(batches(dropRun(two, 'c'))).toEqual(['a b', 'd'])
    expect(runsOfDraft(dropBatch(two, 0))).toEqual(['c', 'd'])
    expect(dropBatch(dropBatch(two, 0), 0).batches).toHaveLength(1)
  })

  test.each([
    ['b', -1, ['b a', 'c d']],
    ['b', 1, ['a', 'b c d']],
    ['c', -1, ['a b c', 'd']],
    ['a', -1, ['a b', 'c d']],
    ['d', 1, ['a b', 'c d']],
    ['x', 1, ['a b', 'c d']],
  ] as const)('moves %s by %i', (name, by, expected) => {
    expect(batches(shiftRun(two, name, by))).toEqual(expected)
  })

  test('is requested as the contract takes it', () => {
    expect(readCampaignDraft({ ...setAtOnce(two, 1, ' 1 '), name: ' spring ', failureBudget: '2' }, ['night'])).toEqual(
      {
        kind: 'ready',
        input: {
          name: 'spring',
          batches: [{ runs: ['a', 'b'] }, { runs: ['c', 'd'], atOnce: 1 }],
          failureBudget: 2,
        },
      },
    )
  })

  test.each<[string, CampaignDraft, string]>([
    ['no name', { ...two, name: ' ' }, 'Name the campaign.'],
    [
      'a name that no object can have',
      { ...two, name: 'Night' },
      '"Night" is not a valid name of a MaintenanceCampaign:',
    ],
    ['a name that is taken', { ...two, name: 'night' }, 'Campaign night exists'],
    ['an empty batch', addBatch(two), 'Batch 3 has no run: add one, or remove the batch.'],
    ['nothing at once', setAtOnce(two, 1, '0'), 'Batch 2: run 1 to 500 at a time, or leave it empty for all.'],
    ['words for a number', { ...two, failureBudget: 'some' }, 'The failure budget is a number from 0 to 500.'],
    [
      'more runs than may',
      addRuns(
        two,
        0,
        Array.from({ length: 501 }, (_, at) => `r-${at}`),
      ),
      'the campaign cannot be made: more than 500 runs.',
    ],
    [
      'a run twice',
      { ...two, batches: [{ runs: ['a', 'a'], atOnce: '' }] },
      'the campaign cannot be made: a run is named twice.',
    ],
  ])('is not requested with %s', (_, draft, words) => {
    expect(readCampaignDraft(draft, ['night'])).toEqual({
      kind: 'unfinished',
      problems: [expect.stringContaining(words)],
    })
  })

  test('takes a typed run once, by a name that an object can have', () => {
    expect(whyNotAdded(two, 'e')).toBeNull()
    expect(whyNotAdded(two, 'a')).toBe('a is already in a batch. A run starts only once.')
    expect(whyNotAdded(two, 'A b')).toContain('is not a valid name of a MaintenanceRun')
  })

  test('says of a run that it would not begin as things stand', () => {
    const { runs } = playedWaiting()
    const first = must(runs[0], 'a run waits').name
    expect(doubtAbout(first, 'spring', runs)).toBeNull()
    expect(doubtAbout(first, 'night', runs)).toBe('It names campaign spring, so this campaign does not start it.')
    expect(doubtAbout('later', 'spring', runs)).toContain('once it is submitted')
    expect(wantedCampaigns(runs)).toMatchObject([{ name: 'spring', runs: { length: 3 } }])
  })
})

test('a campaign that a run names is one that there can be', () => {
  expect([whyNoCampaign(''), whyNoCampaign(' night ')]).toEqual([null, null])
  expect(whyNoCampaign('Night')).toContain('"Night" is not a valid name of a MaintenanceCampaign:')
})
