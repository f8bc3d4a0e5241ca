import { describe, expect, it } from 'vitest'
import { agreedAnswers } from '../../../../../main/wings/runner/cli/in-cluster-wishes.ts'
import type { CampaignDetail, RunnerOffer, RunnerStatus, SubmittedRun } from '../../../../../shared/contract/index.ts'
import { failure } from '../../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../../shared/domain/result.ts'
import { createFakeContract, type FakeAnswers } from '../../../../fixtures/cli/fake-contract.ts'
import { OFFER } from '../../../../fixtures/cli/sample-offer.ts'
import { samplePlan } from '../../../../fixtures/cli/sample-plan.ts'
import { type Asked, playScenes, type Scene } from '../../../../fixtures/cli/scenes.ts'

const AT = { by: 'mgmt', namespace: 'lockkeeper' }
const RUN = { ...AT, object: 'enter-cmp-1-0123456789ab', runId: null, mirrored: false, over: false }
const LATER: SubmittedRun = { ...RUN, phase: 'Scheduled', message: 'Starts at 22:00.' }
const REFUSED: SubmittedRun = { ...RUN, phase: 'Refused', over: true, message: 'Node cmp-1 is gone.' }
const RUNNERS: readonly RunnerStatus[] = [
  {
    ...{ ...AT, name: 'lockkeeper-runner-0', clouds: ['lab', 'edge'] },
    connection: { kind: 'connected', since: '2026-11-25T09:00:00.000Z' },
  },
  { ...AT, by: 'lab', name: null, clouds: [], connection: { kind: 'absent', why: 'such pod does not exist.' } },
]

const console =
  (more: FakeAnswers = {}) =>
  () =>
    createFakeContract({
      'plan.make': () => ok(samplePlan()),
      'runner.offer': () => ok(OFFER),
      'runner.submit': () => ok(LATER),
      'runner.submitted': () => ok(LATER),
      'runner.list': () => ok([...RUNNERS]),
      ...more,
    })
const offering = (offer: RunnerOffer) => console({ 'runner.offer': () => ok(offer) })
const submits = (wishes: object): Asked => [['runner.submit', { planId: 'plan-1', ...wishes }]]
const ENTER = 'enter lab cmp-1 --in-cluster'
/** What --yes agrees to for a plan of `enter`. */
const NONE = { answers: [] }

playScenes('a plan in the cluster', 'transcripts/in-cluster.txt', console(), {
  'is the one that was shown; its user and identity are printed before the yes': {
    says: `${ENTER} --start-after 2026-11-25T22:00+01:00`,
    answers: ['y'],
    exit: 4,
    asks: submits({ startAfter: '2026-11-25T21:00:00.000Z', ...NONE }),
  },
  'is never taken up after a crash': {
    says: `${ENTER} --yes --resume-policy never`,
    exit: 4,
    asks: submits({ resumePolicy: 'Never', ...NONE }),
  },
  'is always taken up after a crash': {
    says: `${ENTER} --yes --resume-policy always`,
    exit: 4,
    asks: submits({ resumePolicy: 'Always', ...NONE }),
  },
  'is refused by the runner': {
    says: `${ENTER} --yes`,
    fake: console({ 'runner.submitted': () => ok(REFUSED) }),
    exit: 3,
    asks: submits({ ...NONE }),
  },
  'has a name that no admission proves': {
    says: ENTER,
    fake: offering({ ...OFFER, proved: false }),
    answers: ['n'],
    exit: 4,
  },
  'has a name that the API server does not tell': {
    says: ENTER,
    fake: offering({ ...OFFER, as: null, proved: false }),
    answers: ['n'],
    exit: 4,
  },
  'would be run by nobody': {
    says: ENTER,
    fake: offering({ kind: 'not-offered', why: 'No runner was found in namespace lockkeeper.' }),
    answers: ['y'],
    exit: 1,
  },
  'could not be made': {
    says: `${ENTER} --yes`,
    fake: console({ 'runner.submit': () => failed(failure('bad-input', 'The plan needs 1.6 MB in the cluster.')) }),
    exit: 2,
    asks: submits({ ...NONE }),
  },
  'is of a campaign, and the terminal does not wait for its turn': {
    says: `${ENTER} --campaign night --yes`,
    fake: console({ 'runner.submitted': () => ok({ ...LATER, message: 'It begins when night says so.' }) }),
    exit: 4,
    asks: submits({ campaign: 'night', ...NONE }),
  },
  'is carried out by one of these runners': { says: 'runner list lab', asks: [['runner.list', { cluster: 'lab' }]] },
  'has no runner that is known': { says: 'runner list', fake: console({ 'runner.list': () => ok([]) }) },
})

describe('what is agreed beforehand', () => {
  const { steps } = samplePlan({ kind: 'leave' }).plan
  const rebalance = steps.map(step => (step.kind === 'drain-node' ? { ...step, kind: 'rebalance-instances' } : step))
  const reason = '--answer rebalance-instances=continue'
  const agreed = { step: 'rebalance-instances', atMost: 3 }

  it.each([
    ['is the given one', [reason.slice(9)], false, [{ ...agreed, choice: 'continue', reason }]],
    ['is nothing without --yes', [], false, []],
    [
      'is with --yes what touches nothing',
      [],
      true,
      [{ ...agreed, choice: 'skip', reason: expect.stringMatching(/^--yes: /) }],
    ],
  ] as const)('%s', (_, said, yes, answers) => expect(agreedAnswers(said, rebalance, yes)).toEqual(answers))
})

const DETAIL: CampaignDetail = {
  ...{ ...AT, name: 'night', phase: 'Running', batch: 2, batchesAll: 2, runsDone: 1, runsFailed: 0, runsAll: 3 },
  ...{ hold: null, failureBudget: 1, message: 'Batch 2 of 2: 0 of 2 runs have ended.' },
  ...{ confirmedBy: 'ada@example.org', startedAt: '2026-11-25T21:00:00.000Z', endedAt: null },
  batches: [
    {
      ...{ name: 'first', atOnce: null },
      runs: [{ name: 'a', cluster: 'lab', phase: 'Done', message: 'Done.', runId: 'run-a', mirrored: true }],
    },
    {
      ...{ name: null, atOnce: 1 },
      runs: [
        { name: 'b', cluster: 'edge', phase: 'Running', message: 'Draining.', runId: 'run-b', mirrored: false },
        { name: 'c', cluster: null, phase: null, message: 'such object does not exist.', runId: null, mirrored: false },
      ],
    },
  ],
}
const { batches: _, ...SUMMARY } = DETAIL
const campaign =
  (more: FakeAnswers = {}) =>
  () =>
    createFakeContract({
      'campaign.list': () => ok([SUMMARY]),
      'campaign.show': () => ok(DETAIL),
      'campaign.create': () => ok(SUMMARY),
      'campaign.control': () => ok({ message: 'The campaign starts no more runs.' }),
      ...more,
    })
const over = (phase: 'Done' | 'Failed' | 'Aborted', exit: 0 | 1): Scene => ({
  says: 'runner campaign show lab night',
  fake: campaign({ 'campaign.show': () => ok({ ...DETAIL, phase, endedAt: '2026-11-26T01:00:00.000Z' }) }),
  exit,
})
const control = (what: string, reason = ''): Asked => [
  ['campaign.control', { cluster: 'lab', name: 'night', control: what, reason }],
]

playScenes('a campaign', 'transcripts/campaign.txt', campaign(), {
  'is created of batches in the order given': {
    says: 'runner campaign create lab night --batch a --batch "b, c" --at-once 1 --failure-budget 1',
    asks: [
      [
        'campaign.create',
        {
          ...{ cluster: 'lab', name: 'night', failureBudget: 1 },
          batches: [
            { runs: ['a'], atOnce: 1 },
            { runs: ['b', 'c'], atOnce: 1 },
          ],
        },
      ],
    ],
  },
  'survives no failure unless a flag allows it': {
    says: 'runner campaign create lab night --batch a',
    asks: [['campaign.create', { cluster: 'lab', name: 'night', batches: [{ runs: ['a'] }], failureBudget: 0 }]],
  },
  'is a line of the list': 'runner campaign list lab',
  'is shown with each run in its batch': { says: 'runner campaign show lab night', exit: 4 },
  'is done': over('Done', 0),
  failed: over('Failed', 1),
  'was aborted': over('Aborted', 1),
  'is paused': {
    says: 'runner campaign pause lab night --reason freeze',
    asks: control('pause', 'freeze'),
  },
  resumes: { says: 'runner campaign resume lab night --reason thaw', asks: control('resume', 'thaw') },
  'is not aborted after a no': { says: 'runner campaign abort lab night', answers: ['n'], exit: 4 },
  'is aborted with --yes': { says: 'runner campaign abort lab night --yes', asks: control('abort') },
  'cannot be paused': {
    says: 'runner campaign pause lab night',
    fake: campaign({ 'campaign.control': () => failed(failure('conflict', 'The campaign has ended: Done.')) }),
    exit: 1,
    asks: control('pause'),
  },
})
