import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { unattendedAnswers } from '../../../../main/faces/cli/follow/unattended.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { PLANNED_QUESTIONS, questionsOf, TROUBLE_CHOICES } from '../../../../shared/domain/unattended.ts'
import { createFakeRun, type FakeRun } from '../../../fixtures/cli/fake-run.ts'
import { answered, followed, ofRun } from '../../../fixtures/cli/followed.ts'
import { holding, samplePlan, sampleStep } from '../../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../../fixtures/cli/sample-run.ts'
import { type Asked, playScenes } from '../../../fixtures/cli/scenes.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'

const STEPS = [
  sampleStep('rebalance-instances', 'Spread instances again'),
  sampleStep('ceph-clean', 'Ceph is active and clean'),
  sampleStep('drain-node', 'Drain cmp-1'),
]
const checked = () => {
  const plan = samplePlan({ kind: 'leave' })
  return {
    ...plan,
    plan: { ...plan.plan, steps: STEPS },
    checks: STEPS.map(({ id }) => ({ stepId: id, answer: holding('it holds'), overriddenBy: null })),
  }
}
type Choice = 'continue' | 'retry' | 'skip' | 'abort'

function ask(run: FakeRun, kind: string, choices: readonly Choice[], gateId = 'gate-1') {
  run.sample.add({ kind: 'gate-opened', stepId: kind, gateId, question: `What of ${kind}?`, choices: [...choices] })
  run.report()
  run.rest('waiting')
}
/** One question to a run that continues after the answer. */
const one = (
  at: 'a pipe' | 'a terminal',
  kind: string,
  choices: readonly Choice[],
  answer: Asked[number] | null,
  beforehand = '',
) =>
  followed(
    at,
    async run => {
      ask(run, kind, choices)
      if (answer === null) return
      await run.asked('run.answer')
      run.end('done')
    },
    {
      says: `leave lab cmp-1 --yes ${beforehand}`,
      ...(answer === null ? { exit: 4, asks: [ofRun('run.detach')] } : { asks: [answer] }),
    },
    () => createFakeRun(checked()),
  )
const STAY = answered('gate-1', 'skip', '--yes: instances stay where they are')
const OFFER = ['continue', 'skip', 'abort'] as const

playScenes('a question that nobody sits before', 'transcripts/unattended.txt', () => createFakeRun().fake, {
  'about spreading instances is answered by leaving them': one('a pipe', 'rebalance-instances', OFFER, STAY),
  'without a safe answer leaves the run waiting': one('a pipe', 'drain-node', ['retry', 'abort'], null),
  'about a plan of Watcher that has ended in part is left to an operator': one(
    'a pipe',
    'rebalance-instances',
    ['retry', 'continue', 'abort'],
    null,
  ),
  'gets no answer that its step does not offer': one('a pipe', 'ceph-clean', ['skip', 'abort'], null),
  'is answered by --answer before what --yes would say': one(
    'a pipe',
    'rebalance-instances',
    OFFER,
    answered('gate-1', 'continue', '--answer rebalance-instances=continue'),
    '--answer rebalance-instances=continue',
  ),
  'is not answered by another choice than that of --answer': one(
    'a pipe',
    'rebalance-instances',
    OFFER,
    null,
    '--answer rebalance-instances=retry',
  ),
  'is answered three times, then a person has to look': followed(
    'a pipe',
    async run => {
      for (const [at, gateId] of ['gate-1', 'gate-2', 'gate-3'].entries()) {
        ask(run, 'ceph-clean', ['retry', 'skip', 'abort'], gateId)
        await vi.waitFor(() => expect(run.fake.inputsOf('run.answer')).toHaveLength(at + 1), { timeout: 10_000 })
        const stepId = 'ceph-clean'
        run.sample.add({ kind: 'gate-answered', stepId, gateId, choice: 'retry', reason: '', by: 'olga' })
        run.report()
      }
      ask(run, 'ceph-clean', ['retry', 'skip', 'abort'], 'gate-4')
    },
    {
      says: 'leave lab cmp-1 --yes',
      exit: 4,
      asks: [
        ...['gate-1', 'gate-2', 'gate-3'].map(gateId => answered(gateId, 'retry', expect.any(String))),
        ofRun('run.detach'),
      ],
    },
    () => createFakeRun(checked()),
  ),
})
playScenes('a question that --yes answers at a terminal', null, () => createFakeRun().fake, {
  'about spreading instances is answered by leaving them': one('a terminal', 'rebalance-instances', OFFER, STAY),
})

it('two answers beforehand to one kind of question are refused', () => {
  const twice = unattendedAnswers(['ceph-clean=retry', 'ceph-clean=skip'], STEPS, true)
  expect(twice).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
  expect(valueIn(unattendedAnswers(['ceph-clean=retry', 'drain-node=skip'], STEPS, true))).toBeDefined()
})

describe('to the work of a command', () => {
  const COMMAND = {
    ...sampleStep('node-work', 'Work on cmp-1'),
    input: { node: 'cmp-1', work: { kind: 'command', command: './patch.sh', directory: '/srv' } },
  }

  it.each(['continue', 'retry', 'skip'])('%s cannot be given beforehand', choice => {
    const said = unattendedAnswers([`node-work=${choice}`], [COMMAND], true)
    expect(said).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
  })

  it.each([true, false])(
    'nothing is answered without an operator (--yes: %s), except abort where that was given',
    yes => {
      const gate = {
        stepId: COMMAND.id,
        gateId: 'gate-1',
        question: '?',
        choices: ['retry' as const, 'skip' as const, 'abort' as const],
      }
      const checkedWork = samplePlan()
      const sample = createSampleRun({ ...checkedWork, plan: { ...checkedWork.plan, steps: [COMMAND] }, checks: [] })
      const view = foldRun(sample.created())
      expect(valueIn(unattendedAnswers([], [COMMAND], yes)).answerTo(gate, view)).toBeNull()
      expect(valueIn(unattendedAnswers(['node-work=abort'], [COMMAND], yes)).answerTo(gate, view)?.choice).toBe('abort')
    },
  )

  it('the plan says so', () => {
    expect(questionsOf([COMMAND])[0]?.question).toMatchObject({ choices: ['abort'], unattended: null })
  })
})

describe('the table of questions', () => {
  const ROOT = join(import.meta.dirname, '../../../..')
  const steps = join(ROOT, 'main/procedures/steps')
  const sources = readdirSync(steps, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(join(steps, file), 'utf8'))

  it('has every kind of step that may get continue: a question that is not a fault', () => {
    const asking = sources
      .filter(text => /asks\(|choices: /.test(text) && /\[[^\]]*'continue'[^\]]*\]/.test(text))
      .flatMap(text => /^ {2}kind: '([a-z-]+)'/m.exec(text)?.[1] ?? [])
    expect(asking.length).toBeGreaterThan(3)
    for (const kind of asking) expect(Object.keys(PLANNED_QUESTIONS)).toContain(kind)
  })

  it('has no kind without a step, and no default that acts', () => {
    const kinds = sources.map(text => /^ {2}kind: '([a-z-]+)'/m.exec(text)?.[1])
    for (const [kind, { choices, unattended }] of Object.entries(PLANNED_QUESTIONS)) {
      expect(kinds).toContain(kind)
      expect(unattended?.choices ?? []).not.toContain('abort')
      for (const choice of unattended?.choices ?? []) expect(choices).toContain(choice)
    }
    // A retry acts again, unless the step only looks; a skip leaves something undone, unless the step is a mere offer.
    expect(
      Object.entries(PLANNED_QUESTIONS).flatMap(([kind, { unattended }]) => (unattended === null ? [] : [kind])),
    ).toEqual(['rebalance-instances', 'ceph-clean'])
    expect(TROUBLE_CHOICES).not.toContain('continue')
  })
})
