import { describe, expect, it, test } from 'vitest'
import type { CampaignWait } from '../../../shared/domain/campaign-wait.ts'
import {
  campaignWaitOfEarlier,
  isSilenceOfEarlier,
  isStrandedOfEarlier,
  leftOfEarlier,
  steeringOfEarlier,
} from '../../../shared/domain/earlier-texts.ts'
import { RunLeft } from '../../../shared/domain/run-left.ts'

describe('why a run was left, as journals of earlier versions say it', () => {
  test.each<[why: string, left: RunLeft]>([
    ['root left it', { code: 'Detached', by: 'root' }],
    ['olga of ops left it', { code: 'Detached', by: 'olga of ops' }],
    ['eva hands it over', { code: 'HandingOver', by: 'eva' }],
    [
      'The lease of cmp-01 was lost, so nothing more was begun. runner-0 holds it.',
      { code: 'LeaseLost', node: 'cmp-01', cause: 'runner-0 holds it.' },
    ],
    [
      'The lease of cmp-01 could not be taken: eva holds it',
      { code: 'LeaseNotTaken', node: 'cmp-01', cause: 'eva holds it' },
    ],
    ['eva closed the console', { code: 'Other', text: 'eva closed the console' }],
    ['', { code: 'Other', text: '' }],
  ])('%j', (why, left) => {
    expect(leftOfEarlier(why)).toEqual(left)
    expect(RunLeft.parse(left)).toEqual(left)
  })
})

it('a cause with line breaks or colons is read whole', () => {
  const lost = { code: 'LeaseLost', node: 'cmp-01', cause: 'It ran out.\nLook at it.' } as const
  expect(leftOfEarlier(`The lease of cmp-01 was lost, so nothing more was begun. ${lost.cause}`)).toEqual(lost)
  const notTaken = { code: 'LeaseNotTaken', node: 'cmp-01', cause: 'eva: holds it' } as const
  expect(leftOfEarlier(`The lease of cmp-01 could not be taken: ${notTaken.cause}`)).toEqual(notTaken)
})

test.each([
  ['it says nothing; it has not moved for 30 s', true],
  ['it says nothing; it has not moved for 30 s (its pod does not run)', true],
  ['Its controller says that it says nothing; it has not moved', false],
  ['', false],
])('a lock whose controller sends no message: %j', (message, isSilent) => {
  expect(isSilenceOfEarlier(message)).toBe(isSilent)
})

const CAMPAIGN_WAITS: readonly (readonly [message: string, wait: CampaignWait | null])[] = [
  [
    'There is no MaintenanceCampaign night in this namespace, which says when it begins: that is waited for.',
    { code: 'CampaignMissing', campaign: 'night' },
  ],
  ['MaintenanceCampaign night cannot be read by this version.', { code: 'CampaignUnreadable', campaign: 'night' }],
  [
    'MaintenanceCampaign night does not list it, and so does not begin it.',
    { code: 'CampaignOmitsRun', campaign: 'night' },
  ],
  [
    'MaintenanceCampaign night is refused and begins nothing. One made anew is waited for.',
    { code: 'CampaignRefused', campaign: 'night' },
  ],
  [
    'It begins when MaintenanceCampaign night says so (batch 2 of 12).',
    { code: 'CampaignHolds', campaign: 'night', batch: 2, batches: 12 },
  ],
  ['MaintenanceCampaign night is looked at anew before it begins.', { code: 'CampaignIsJudged', campaign: 'night' }],
  ['Begins at 2026-11-21 22:00 UTC.', null],
  ['', null],
]

test.each(CAMPAIGN_WAITS)(
  'what a campaign waits for, as a status of an earlier version says it: %j',
  (message, wait) => {
    expect(campaignWaitOfEarlier(message)).toEqual(wait)
    expect(campaignWaitOfEarlier(`${message} As the cloud is now it will be refused: No.`)).toEqual(wait)
  },
)

test('a run whose runner is gone, as a status of an earlier version says it', () => {
  const message =
    'Its runner lockkeeper-runner-2/0123 is not there any more, and its journal with it (fewer replicas, or another volume): nobody drives it.'
  expect(isStrandedOfEarlier(message, 'lockkeeper-runner-2/0123')).toBe(true)
  expect(isStrandedOfEarlier(message, 'lockkeeper-runner-2')).toBe(false)
  expect(isStrandedOfEarlier('Ended.', 'lockkeeper-runner-2/0123')).toBe(false)
})

test.each([
  ['abort its migration', 'abort'],
  ['end its migration now', 'force-complete'],
  ['abort the migration', null],
])(
  'the command about a live migration that Nova refused, as a journal of an earlier version says it: %j',
  (what, steering) => {
    expect(steeringOfEarlier(what)).toBe(steering)
  },
)
