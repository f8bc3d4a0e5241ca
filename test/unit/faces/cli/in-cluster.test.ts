import { describe, expect, it } from 'vitest'
import { agreedAnswers } from '../../../../main/faces/cli/in-cluster-wishes.ts'
import type { RunnerOffer, RunnerStanding, SubmittedRun } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { OFFER } from '../../../fixtures/cli/sample-offer.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' }
const LATER: SubmittedRun = {
  by: 'mgmt',
  namespace: 'lockkeeper',
  object: 'enter-cmp-1-0123456789ab',
  phase: 'Scheduled',
  message: 'Begins at 22:00.',
  runId: null,
  mirrored: false,
  over: false,
}

function contractWith(more: { readonly offer?: RunnerOffer; readonly now?: Partial<SubmittedRun> } = {}) {
  return createFakeContract({
    'plan.make': () => ok(samplePlan()),
    'runner.offer': () => ok(more.offer ?? OFFER),
    'runner.submit': () => ok(LATER),
    'runner.submitted': () => ok({ ...LATER, ...more.now }),
  })
}

describe('a plan in the cluster', () => {
  it('is the one that was shown, by whom and as whom is said before the yes, and nothing runs here', async () => {
    const fake = contractWith()
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract, answers: ['y'] })
    const exit = await terminal.run('enter', 'lab', 'cmp-1', '--in-cluster', '--start-after', '2026-11-25T22:00+01:00')
    const said = terminal.out().replace(/\s+/g, ' ')
    expect(said).toContain('by runner lockkeeper-runner-0 in namespace lockkeeper, confirmed as ada@example.org,')
    expect(said.indexOf('lockkeeper-runner-0')).toBeLessThan(said.indexOf('[y/N]'))
    expect(fake.inputsOf('runner.submit')).toEqual([
      { planId: 'plan-1', startAfter: '2026-11-25T21:00:00.000Z', answers: [] },
    ])
    expect(fake.inputsOf('run.start')).toEqual([])
    expect(said).toContain('MaintenanceRun enter-cmp-1-0123456789ab in namespace lockkeeper of mgmt')
    expect(said).toContain('Begins at 22:00. It goes on without this terminal.')
    expect(said).toContain('next: `lockkeeper run abort enter-cmp-1-0123456789ab`, to withdraw it')
    expect(exit).toBe(4)
  })

  it.each([
    ['never', 'Never'],
    ['always', 'Always'],
  ])('is taken up after a crash as it is told: %s', async (word, resumePolicy) => {
    const fake = contractWith()
    const terminal = createFakeTerminal({ env: PLAIN, contract: fake.contract })
    await terminal.run('enter', 'lab', 'cmp-1', '--in-cluster', '--yes', '--resume-policy', word)
    expect(fake.inputsOf('runner.submit')).toMatchObject([{ resumePolicy }])
  })

  it('that the runner refuses touched nothing, and why is said', async () => {
    const now = { phase: 'Refused', over: true, message: 'Node cmp-1 is gone.' }
    const terminal = createFakeTerminal({ env: PLAIN, contract: contractWith({ now }).contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--in-cluster', '--yes')).toBe(3)
    expect(terminal.err()).toContain('Node cmp-1 is gone.')
  })

  it.each<[string, RunnerOffer, string]>([
    ['no admission proves it', { ...OFFER, proved: false }, 'as ada@example.org (the cluster does not prove it)'],
    ['the API server does not tell', { ...OFFER, as: null, proved: false }, 'confirmed by your own word'],
  ])('says in whose name where %s', async (_, offer, words) => {
    const terminal = createFakeTerminal({ env: PLAIN, contract: contractWith({ offer }).contract })
    await terminal.run('enter', 'lab', 'cmp-1', '--in-cluster', '--yes')
    expect(terminal.out().replace(/\s+/g, ' ')).toContain(words)
  })

  it('is not confirmed where nobody would run it, and why is said', async () => {
    const fake = contractWith({ offer: { kind: 'not-offered', why: 'No runner was found in namespace lockkeeper.' } })
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract, answers: ['y'] })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--in-cluster')).toBe(1)
    expect(terminal.err()).toContain('No runner was found in namespace lockkeeper.')
    expect(fake.inputsOf('runner.submit')).toEqual([])
  })

  it('is not asked for without a yes', async () => {
    const fake = contractWith()
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract, answers: ['n'] })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--in-cluster')).toBe(4)
    expect(fake.inputsOf('runner.submit')).toEqual([])
    expect(terminal.out()).toContain('Nothing was touched.')
  })

  it('that could not be made is a failure, told as it is', async () => {
    const fake = createFakeContract({
      'plan.make': () => ok(samplePlan()),
      'runner.offer': () => ok(OFFER),
      'runner.submit': () => failed(failure('bad-input', 'The plan needs 1.6 MB in the cluster.')),
    })
    const terminal = createFakeTerminal({ env: PLAIN, contract: fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--in-cluster', '--yes')).toBe(2)
    expect(terminal.err()).toContain('The plan needs 1.6 MB in the cluster.')
  })
})

describe('what is agreed beforehand', () => {
  const { steps } = samplePlan({ kind: 'leave' }).plan
  const rebalance = steps.map(step => (step.kind === 'drain-node' ? { ...step, kind: 'rebalance-instances' } : step))

  it('is what was said, with where it was said', () => {
    expect(agreedAnswers(['rebalance-instances=continue'], rebalance, false)).toEqual([
      { step: 'rebalance-instances', choice: 'continue', reason: '--answer rebalance-instances=continue', atMost: 3 },
    ])
  })

  it('is with --yes what only waits longer or touches nothing, and nothing without it', () => {
    expect(agreedAnswers([], rebalance, false)).toEqual([])
    expect(agreedAnswers([], rebalance, true)).toEqual([
      { step: 'rebalance-instances', choice: 'skip', reason: expect.stringMatching(/^--yes: /), atMost: 3 },
    ])
  })
})

describe('runner list', () => {
  const RUNNERS: readonly RunnerStanding[] = [
    {
      by: 'mgmt',
      namespace: 'lockkeeper',
      name: 'lockkeeper-runner-0',
      clouds: ['lab', 'edge'],
      connection: { kind: 'connected', since: '2026-11-25T09:00:00.000Z' },
    },
    {
      by: 'lab',
      namespace: 'lockkeeper',
      name: null,
      clouds: [],
      connection: { kind: 'absent', why: 'There is no such pod.' },
    },
  ]

  it('tells each runner, its clouds, and whether it is heard', async () => {
    const fake = createFakeContract({ 'runner.list': () => ok([...RUNNERS]) })
    const terminal = createFakeTerminal({ env: PLAIN, contract: fake.contract })
    expect(await terminal.run('runner', 'list', 'lab')).toBe(0)
    expect(fake.inputsOf('runner.list')).toEqual([{ cluster: 'lab' }])
    expect(terminal.out()).toMatch(/mgmt +lockkeeper +lockkeeper-runner-0 +lab, edge +connected since/)
    expect(terminal.out()).toMatch(/lab +lockkeeper +none +none +There is no such pod\./)
  })

  it('says where one is looked for when none is known', async () => {
    const fake = createFakeContract({ 'runner.list': () => ok([]) })
    const terminal = createFakeTerminal({ env: PLAIN, contract: fake.contract })
    expect(await terminal.run('runner', 'list')).toBe(0)
    expect(terminal.out()).toContain('`lockkeeper runner list CLUSTER` looks for one there')
  })
})
