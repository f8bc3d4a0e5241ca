import { describe, expect, it } from 'vitest'
import type { CampaignDetail, RunnerOffer, SubmittedRun } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' }
const DETAIL: CampaignDetail = {
  name: 'night',
  by: 'mgmt',
  namespace: 'lockkeeper',
  phase: 'Running',
  batch: 2,
  batchesAll: 2,
  runsDone: 1,
  runsFailed: 0,
  runsAll: 3,
  hold: null,
  failureBudget: 1,
  message: 'Batch 2 of 2: 0 of 2 runs have ended.',
  confirmedBy: 'ada@example.org',
  startedAt: '2026-11-25T21:00:00.000Z',
  endedAt: null,
  batches: [
    {
      name: 'first',
      atOnce: null,
      runs: [{ name: 'a', cluster: 'lab', phase: 'Done', message: 'Done.', runId: 'run-a', mirrored: true }],
    },
    {
      name: null,
      atOnce: 1,
      runs: [
        { name: 'b', cluster: 'edge', phase: 'Running', message: 'Draining.', runId: 'run-b', mirrored: false },
        {
          name: 'c',
          cluster: null,
          phase: null,
          message: 'There is no such MaintenanceRun yet.',
          runId: null,
          mirrored: false,
        },
      ],
    },
  ],
}
const { batches: _, ...SUMMARY } = DETAIL

function campaignTerminal(more: { readonly detail?: Partial<CampaignDetail>; readonly answers?: string[] } = {}) {
  const fake = createFakeContract({
    'campaign.list': () => ok([SUMMARY]),
    'campaign.show': () => ok({ ...DETAIL, ...more.detail }),
    'campaign.create': () => ok(SUMMARY),
    'campaign.control': () => ok({ message: 'Nothing more is begun.' }),
  })
  const tty = more.answers !== undefined
  const terminal = createFakeTerminal({ env: PLAIN, contract: fake.contract, tty, answers: more.answers ?? [] })
  return { fake, terminal }
}

describe('runner campaign create', () => {
  it('makes batches in the order given, and says how its runs are submitted', async () => {
    const { fake, terminal } = campaignTerminal()
    const words = ['--batch', 'a', '--batch', 'b, c', '--at-once', '1', '--failure-budget', '1']
    expect(await terminal.run('runner', 'campaign', 'create', 'lab', 'night', ...words)).toBe(0)
    expect(fake.inputsOf('campaign.create')).toEqual([
      {
        cluster: 'lab',
        name: 'night',
        batches: [
          { runs: ['a'], atOnce: 1 },
          { runs: ['b', 'c'], atOnce: 1 },
        ],
        failureBudget: 1,
      },
    ])
    expect(terminal.out().replace(/\s+/g, ' ')).toContain('submitted with --campaign night')
  })
})

describe('runner campaign list and show', () => {
  it('tell how far each is', async () => {
    const { terminal } = campaignTerminal()
    expect(await terminal.run('runner', 'campaign', 'list', 'lab')).toBe(0)
    expect(terminal.out()).toMatch(/night +Running +2\/2 +1\/3 +0 of at most 1 +Batch 2 of 2/)
  })

  it('tell each run in its batch', async () => {
    const { terminal } = campaignTerminal()
    expect(await terminal.run('runner', 'campaign', 'show', 'lab', 'night')).toBe(4)
    expect(terminal.out()).toMatch(/1 first +a +lab +Done +Done\./)
    expect(terminal.out()).toMatch(/2 \(1 at once\) +b +edge +Running +Draining\./)
    expect(terminal.out()).toMatch(/ +c +unknown +unknown +There is no such MaintenanceRun yet\./)
  })

  it.each([
    ['Done', 0],
    ['Failed', 1],
    ['Aborted', 1],
  ] as const)('answer a script how it ended: %s is %i', async (phase, exit) => {
    const { terminal } = campaignTerminal({ detail: { phase, endedAt: '2026-11-26T01:00:00.000Z' } })
    expect(await terminal.run('runner', 'campaign', 'show', 'lab', 'night')).toBe(exit)
  })
})

describe('a control of a campaign', () => {
  it.each(['pause', 'resume'] as const)('%s is asked with its reason, and what the runner says is told', async what => {
    const { fake, terminal } = campaignTerminal()
    expect(await terminal.run('runner', 'campaign', what, 'lab', 'night', '--reason', 'freeze')).toBe(0)
    expect(fake.inputsOf('campaign.control')).toEqual([
      { cluster: 'lab', name: 'night', control: what, reason: 'freeze' },
    ])
    expect(terminal.out()).toContain('Nothing more is begun.')
  })

  it('abort is confirmed', async () => {
    const no = campaignTerminal({ answers: ['n'] })
    expect(await no.terminal.run('runner', 'campaign', 'abort', 'lab', 'night')).toBe(4)
    expect(no.fake.inputsOf('campaign.control')).toEqual([])
    const unattended = campaignTerminal()
    expect(await unattended.terminal.run('runner', 'campaign', 'abort', 'lab', 'night')).toBe(2)
    expect(await unattended.terminal.run('runner', 'campaign', 'abort', 'lab', 'night', '--yes')).toBe(0)
    expect(unattended.fake.inputsOf('campaign.control')).toMatchObject([{ control: 'abort' }])
  })

  it('that is refused is a failure in the words of the runner', async () => {
    const fake = createFakeContract({
      'campaign.control': () => failed(failure('conflict', 'The campaign is over: Done.')),
    })
    const terminal = createFakeTerminal({ env: PLAIN, contract: fake.contract })
    expect(await terminal.run('runner', 'campaign', 'pause', 'lab', 'night')).toBe(1)
    expect(terminal.err()).toContain('The campaign is over: Done.')
  })
})

describe('a run of a campaign', () => {
  const OFFER: RunnerOffer = {
    kind: 'offered',
    by: 'mgmt',
    namespace: 'lockkeeper',
    runner: 'lockkeeper-runner-0',
    as: 'ada',
    proved: true,
  }
  const WAITS: SubmittedRun = {
    by: 'mgmt',
    namespace: 'lockkeeper',
    object: 'enter-cmp-1-0123456789ab',
    phase: 'Scheduled',
    message: 'It begins when MaintenanceCampaign night says so (batch 1 of 2).',
    runId: null,
    mirrored: false,
    over: false,
  }
  const terminalFor = () => {
    const fake = createFakeContract({
      'plan.make': () => ok(samplePlan()),
      'runner.offer': () => ok(OFFER),
      'runner.submit': () => ok(WAITS),
      'runner.submitted': () => ok(WAITS),
    })
    return { fake, terminal: createFakeTerminal({ env: PLAIN, contract: fake.contract }) }
  }

  it('names it when it is submitted, and the terminal does not wait for its turn', async () => {
    const { fake, terminal } = terminalFor()
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--in-cluster', '--campaign', 'night', '--yes')).toBe(4)
    expect(fake.inputsOf('runner.submit')).toMatchObject([{ planId: 'plan-1', campaign: 'night' }])
    expect(terminal.out().replace(/\s+/g, ' ')).toContain('says so (batch 1 of 2). It goes on without this terminal.')
  })
})
