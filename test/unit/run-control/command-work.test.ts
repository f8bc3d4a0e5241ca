import { expect, test } from 'vitest'
import type { CommandState } from '../../../main/ports/commands.ts'
import { whyCommandBlocks, whyCommandContinues, whyNotAnswered } from '../../../main/run-control/command-work.ts'
import { ok } from '../../../shared/domain/result.ts'
import type { RunEventBody, RunView } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { because } from '../../../shared/words/reasons.ts'
import { samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun, RUN_ID, sampleSummary } from '../../fixtures/cli/sample-run.ts'
import { fakeCommands, noCommands } from '../../fixtures/procedures/own-commands.ts'
import { plannedUpdate } from '../../fixtures/procedures/update-plan.ts'

const STEP = {
  ...sampleStep('node-work', 'Work on cmp-1'),
  input: { node: 'cmp-1', work: { kind: 'command', command: './patch.sh', directory: '/srv' } },
}
const checked = samplePlan({ kind: 'maintain' })
const PLAN = { ...checked.plan, steps: [STEP] }

type Choice = 'continue' | 'retry' | 'skip' | 'abort'

/** A run that started its command and asks. */
function asking(...choices: Choice[]): RunView {
  const sample = createSampleRun({ ...checked, plan: PLAN, checks: [] })
  sample.created()
  const add = (body: RunEventBody) => sample.add(body)
  const values = { name: 'one', attempt: 1, machine: 'laptop' }
  add({ kind: 'step-started', stepId: STEP.id, attempt: 1 })
  add({ kind: 'fact', stepId: STEP.id, fact: 'work-command-requested', subject: 'node/cmp-1', announces: true, values })
  add({ kind: 'gate-opened', stepId: STEP.id, gateId: 'gate-1', question: 'What of it?', choices })
  return foldRun(sample.events)
}

const answer = (choice: Choice, reason = 'checked it', gateId = 'gate-1') => ({ gateId, choice, reason })
const RUNS: CommandState = { kind: 'runs', group: 4711, isKept: true }
const GONE: CommandState = { kind: 'end-unseen', why: because('CommandGroupGone') }

test.each([
  [RUNS, 'kill -- -4711'],
  [
    { kind: 'may-run', group: null, why: because('CommandBegunElsewhere', { machine: 'other' }) },
    'It was started on other',
  ],
  [{ kind: 'ended', code: 3, signal: null, othersRun: 4711 }, 'Processes that the command started still run'],
] as const)(
  'no answer passes the work while the command may be under way, though the question offers it: %j',
  async (status, said) => {
    const { port } = fakeCommands([status])
    const view = asking('continue', 'retry', 'skip', 'abort')
    for (const choice of ['skip', 'continue'] as const) {
      const refused = await whyNotAnswered(view, answer(choice), port)
      expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining(said) })
      expect(refused?.message).toContain('You cannot skip its work while it may still run')
    }
    for (const choice of ['retry', 'abort'] as const)
      expect(await whyNotAnswered(view, answer(choice), port)).toBeNull()
  },
)

test('once its processes are gone it is skipped, by an offered choice, in an open question', async () => {
  const { port } = fakeCommands([GONE])
  const view = asking('retry', 'skip', 'abort')
  expect(await whyNotAnswered(view, answer('skip'), port)).toBeNull()
  expect((await whyNotAnswered(view, answer('continue'), port))?.message).toContain('retry or skip or abort')
  expect((await whyNotAnswered(view, answer('retry', '', 'gate-0'), port))?.code).toBe('conflict')
})

test('a plan with a command does not start where commands are forbidden, or on a node where one runs', async () => {
  const { port } = fakeCommands([RUNS])
  const view = asking('retry', 'abort')
  const summary = sampleSummary('aborted', { id: RUN_ID, kind: 'maintain' })
  const found = { view, events: [], interrupted: false, summary }
  const runs = { list: () => ok([summary]), view: () => ok(found) }
  const none = { list: () => ok([]), view: () => ok(found) }
  expect((await whyCommandBlocks(PLAN, { commands: noCommands, runs: none }))?.message).toContain('only a terminal')
  expect(await whyCommandBlocks(PLAN, { commands: port, runs: none })).toBeNull()
  const node = { cluster: 'lab', node: 'cmp-1' }
  expect((await whyCommandBlocks(PLAN, { commands: port, runs }))?.message).toContain('still runs')
  expect((await whyCommandContinues(node, { commands: port, runs }))?.message).toContain('kill -- -4711')
  expect(await whyCommandContinues(node, { commands: fakeCommands([GONE]).port, runs })).toBeNull()
})

test('no update starts while a command that an earlier one started for an application still runs', async () => {
  const step = {
    ...sampleStep('update-application', 'Update ceph'),
    input: { work: { kind: 'command', command: './ceph.sh', directory: '/srv' } },
  }
  const plan = { ...plannedUpdate(), steps: [step] }
  const values = { name: 'one', attempt: 1, machine: 'laptop', application: 'ceph' }
  const sample = createSampleRun({ ...checked, plan, checks: [] })
  sample.created()
  sample.add({ kind: 'step-started', stepId: step.id, attempt: 1 })
  sample.add({
    kind: 'fact',
    stepId: step.id,
    fact: 'work-command-requested',
    subject: 'cluster',
    announces: true,
    values,
  })
  const summary = sampleSummary('aborted', { id: RUN_ID, kind: 'update' })
  const found = { view: foldRun(sample.events), events: [], interrupted: false, summary }
  const runs = { list: () => ok([summary]), view: () => ok(found) }
  const why = await whyCommandBlocks(plan, { commands: fakeCommands([RUNS]).port, runs })
  expect(why?.message).toMatch(/The command that run 0f3a9c1e-run-1 started for the update of ceph still runs/)
  expect(await whyCommandBlocks(plan, { commands: fakeCommands([GONE]).port, runs })).toBeNull()
  expect((await whyCommandBlocks(plan, { commands: noCommands, runs }))?.message).toContain('only a terminal')
})
