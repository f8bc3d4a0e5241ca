import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { unattendedAnswers } from '../../../../main/faces/cli/follow/unattended.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { PLANNED_QUESTIONS, questionsOf, TROUBLE_CHOICES } from '../../../../shared/domain/unattended.ts'
import { createFakeRun, type FakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { holding, samplePlan, sampleStep } from '../../../fixtures/cli/sample-plan.ts'
import { createRunStory, RUN_ID } from '../../../fixtures/cli/sample-run.ts'
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

function ask(run: FakeRun, kind: string, choices: Choice[], gateId: string) {
  run.story.add({ kind: 'gate-opened', stepId: kind, gateId, question: `What of ${kind}?`, choices })
  run.tell()
  run.rest('waiting')
}

async function started(words: readonly string[], tty = false) {
  const run = createFakeRun(checked())
  const terminal = createFakeTerminal({ tty, env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, contract: run.fake.contract })
  const code = terminal.run('leave', 'lab', 'cmp-1', ...words)
  await terminal.printed(RUN_ID)
  await run.asked('run.show')
  return { run, terminal, code }
}

describe('with --yes a question', () => {
  it('about spreading instances again is answered by leaving them where they are, also at a terminal', async () => {
    for (const tty of [false, true]) {
      const { run, terminal, code } = await started(['--yes'], tty)
      ask(run, 'rebalance-instances', ['continue', 'skip', 'abort'], 'gate-1')
      await run.asked('run.answer')
      run.end('done')
      expect(await code).toBe(0)
      expect(run.fake.inputsOf('run.answer')).toEqual([
        { runId: RUN_ID, gateId: 'gate-1', choice: 'skip', reason: '--yes: instances stay where they are' },
      ])
      expect(terminal.out()).toContain('Answered without asking: skip (--yes: instances stay where they are).')
    }
  })

  it('without a safe answer leaves the run waiting, is named, and ends with 4', async () => {
    const { run, terminal, code } = await started(['--yes'])
    ask(run, 'drain-node', ['retry', 'abort'], 'gate-1')
    expect(await code).toBe(4)
    expect(run.fake.inputsOf('run.answer')).toEqual([])
    expect(terminal.out()).toContain('Waits for an answer: What of drain-node?')
    expect(terminal.out()).toContain('before: --answer drain-node=retry|abort')
  })

  it('about a plan of Watcher that is over in part is left to a person: some instances moved', async () => {
    const { run, code } = await started(['--yes'])
    ask(run, 'rebalance-instances', ['retry', 'continue', 'abort'], 'gate-1')
    expect(await code).toBe(4)
    expect(run.fake.inputsOf('run.answer')).toEqual([])
  })

  it('gets no answer that its step does not offer', async () => {
    const { run, code } = await started(['--yes'])
    ask(run, 'ceph-clean', ['skip', 'abort'], 'gate-1')
    expect(await code).toBe(4)
    expect(run.fake.inputsOf('run.answer')).toEqual([])
  })

  it('that is asked on and on is answered three times, then a person has to look', async () => {
    const { run, code } = await started(['--yes'])
    for (const [at, gateId] of ['gate-1', 'gate-2', 'gate-3'].entries()) {
      ask(run, 'ceph-clean', ['retry', 'skip', 'abort'], gateId)
      await vi.waitFor(() => expect(run.fake.inputsOf('run.answer')).toHaveLength(at + 1), { timeout: 10_000 })
      run.story.add({
        kind: 'gate-answered',
        stepId: 'ceph-clean',
        gateId,
        choice: 'retry',
        reason: '',
        by: 'olga',
      })
      run.tell()
    }
    ask(run, 'ceph-clean', ['retry', 'skip', 'abort'], 'gate-4')
    expect(await code).toBe(4)
    expect(run.fake.inputsOf('run.answer').map(({ gateId }) => gateId)).toEqual(['gate-1', 'gate-2', 'gate-3'])
  })
})

describe('--answer', () => {
  it('goes before what --yes would say', async () => {
    const { run, terminal, code } = await started(['--yes', '--answer', 'rebalance-instances=continue'])
    expect(terminal.out()).toMatch(/rebalance-instances=.* Answered beforehand: continue\./)
    expect(terminal.out()).not.toMatch(/rebalance-instances=.* With --yes/)
    ask(run, 'rebalance-instances', ['continue', 'skip', 'abort'], 'gate-1')
    await run.asked('run.answer')
    run.end('done')
    expect(await code).toBe(0)
    expect(run.fake.inputsOf('run.answer')).toMatchObject([{ choice: 'continue' }])
  })

  it('that a question does not take is not replaced by another one', async () => {
    const { run, code } = await started(['--yes', '--answer', 'rebalance-instances=retry'])
    ask(run, 'rebalance-instances', ['continue', 'skip', 'abort'], 'gate-1')
    expect(await code).toBe(4)
    expect(run.fake.inputsOf('run.answer')).toEqual([])
  })

  it('twice for one kind is refused', () => {
    const twice = unattendedAnswers(['ceph-clean=retry', 'ceph-clean=skip'], STEPS, true)
    expect(twice.ok ? '' : twice.failure.message).toContain('--answer was given twice for ceph-clean.')
    expect(valueIn(unattendedAnswers(['ceph-clean=retry', 'drain-node=skip'], STEPS, true))).toBeDefined()
  })
})

describe('to the work of a command', () => {
  const COMMAND = {
    ...sampleStep('node-work', 'Work on cmp-1'),
    input: { node: 'cmp-1', work: { kind: 'command', command: './patch.sh', directory: '/srv' } },
  }

  it.each(['continue', 'retry', 'skip'])('%s cannot be said beforehand', choice => {
    const said = unattendedAnswers([`node-work=${choice}`], [COMMAND], true)
    expect(said.ok ? '' : said.failure.message).toContain('node-work takes abort.')
  })

  it.each([true, false])('nothing is answered without a person (--yes: %s), but abort where that was said', yes => {
    const gate = {
      stepId: COMMAND.id,
      gateId: 'gate-1',
      question: '?',
      choices: ['retry' as const, 'skip' as const, 'abort' as const],
    }
    const checkedWork = samplePlan()
    const story = createRunStory({ ...checkedWork, plan: { ...checkedWork.plan, steps: [COMMAND] }, checks: [] })
    const view = foldRun(story.created())
    expect(valueIn(unattendedAnswers([], [COMMAND], yes)).answerTo(gate, view)).toBeNull()
    expect(valueIn(unattendedAnswers(['node-work=abort'], [COMMAND], yes)).answerTo(gate, view)?.choice).toBe('abort')
  })

  it('the plan says so', () => {
    expect(questionsOf([COMMAND])[0]?.question).toMatchObject({ choices: ['abort'], unattended: null })
  })
})

it('the plan lists what it may ask, and what --yes answers', async () => {
  const run = createFakeRun(checked())
  const terminal = createFakeTerminal({ contract: run.fake.contract })
  await terminal.run('plan', 'leave', 'lab', 'cmp-1')
  expect(terminal.out()).toContain(
    'rebalance-instances=continue|retry|skip|abort: whether instances are spread again as Watcher recommends. With --yes: skip: instances stay where they are.',
  )
  expect(terminal.out()).toContain('Any step that fails or stands still asks too: KIND=retry|skip|abort.')
})

describe('the table of questions', () => {
  const ROOT = join(import.meta.dirname, '../../../..')
  const steps = join(ROOT, 'main/procedures/steps')
  const sources = readdirSync(steps, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(join(steps, file), 'utf8'))

  it('has every kind of step that may be told to continue: a question that is no trouble', () => {
    const asking = sources
      .filter(text => /choices: \[[^\]]*'continue'/.test(text))
      .flatMap(text => /^ {2}kind: '([a-z-]+)'/m.exec(text)?.[1] ?? [])
    expect(asking.length).toBeGreaterThan(3)
    for (const kind of asking) expect(Object.keys(PLANNED_QUESTIONS)).toContain(kind)
  })

  it('has no kind that is no step, and no default that acts', () => {
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
