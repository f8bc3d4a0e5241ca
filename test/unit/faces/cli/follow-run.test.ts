import { expect, it, vi } from 'vitest'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { RunEventBody } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { createFakeRun, type FakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { answered, followed, ofRun } from '../../../fixtures/cli/followed.ts'
import { holding, samplePlan, sampleStep } from '../../../fixtures/cli/sample-plan.ts'
import { RUN_ID, sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { playScenes, type Scene } from '../../../fixtures/cli/scenes.ts'
import { DRIVER } from '../../../fixtures/driver.ts'

type Terminal = ReturnType<typeof createFakeTerminal>
const LEFT = { exit: 4, asks: [ofRun('run.detach')] } as const
const DRIVEN = { kind: 'run-driven', driver: DRIVER, resumed: true } as const
const MOVED = { name: 'web-1', to: 'cmp-2', status: 'ACTIVE' }
const opened = (stepId: string, gateId: string): RunEventBody => ({
  ...{ kind: 'gate-opened', stepId, gateId, question: `Is ${stepId} done?`, choices: ['continue', 'abort'] },
})
const closed = (stepId: string, gateId: string, choice: 'continue' | 'retry', by = 'olga') =>
  ({ kind: 'gate-answered', stepId, gateId, choice, reason: '', by }) as const

playScenes('a run that a pipe follows', 'transcripts/follow-run.txt', () => createFakeRun().fake, {
  'tells each event that matters as a line, in order, none twice': followed('a pipe', async run => {
    run.sample.started('migrate-instances')
    const moved = run.sample.fact('migrate-instances', 'instance-moved', 'server/a', MOVED)
    run.report()
    run.fake.emit('run.event', moved)
    run.end('done')
  }),
  'does not listen to other runs': followed('a pipe', async run => {
    run.fake.emit('run.event', { ...run.sample.started('drain-node'), runId: 'another-run', seq: 999 })
    run.fake.emit('run.rested', { runId: 'another-run', state: 'failed', outcome: 'failed' })
    run.sample.events.pop()
    run.end('done')
  }),
  ...Object.fromEntries(
    (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(signal => [
      `is left safely at ${signal}`,
      followed('a pipe', async (_, terminal) => terminal.press(signal), LEFT),
    ]),
  ),
  'is left at a question': followed(
    'a pipe',
    async run => {
      run.sample.gate('gate-7')
      run.report()
      run.rest('waiting')
    },
    LEFT,
  ),
})

/** Ctrl-C was pressed, and the question how to stop is open. */
const stopping = (play: (run: FakeRun, terminal: Terminal) => Promise<unknown>, more: Partial<Scene> = {}) =>
  followed(
    'a terminal',
    async (run, terminal) => {
      terminal.press('SIGINT')
      await terminal.printed('Stop here? [d]etach / [p]ause / [a] stop / [c]ontinue')
      await play(run, terminal)
    },
    more,
  )
/** A question of the run is open. */
const asking = (
  open: (sample: FakeRun['sample']) => unknown,
  play: (run: FakeRun, terminal: Terminal) => Promise<unknown>,
  more: Partial<Scene> = {},
  make: () => FakeRun = createFakeRun,
) =>
  followed(
    'a terminal',
    async (run, terminal) => {
      open(run.sample)
      run.report()
      run.rest('waiting')
      await terminal.printed('[d]etach:')
      await play(run, terminal)
    },
    more,
    make,
  )

playScenes('a run that somebody follows', null, () => createFakeRun().fake, {
  'continues where Ctrl-C is answered with continue': stopping(async (run, terminal) => {
    await terminal.type('c')
    run.end('done')
  }),
  'is left by d': stopping((_, terminal) => terminal.type('d'), LEFT),
  'is left by a second press': stopping(async (_, terminal) => terminal.press('SIGINT'), LEFT),
  'is aborted by a and a reason; the run decides how it ended': stopping(
    async (run, terminal) => {
      await terminal.type('a')
      await terminal.type('wrong node')
      await run.asked('run.abort')
      run.end('aborted')
    },
    { exit: 4, asks: [ofRun('run.abort', { reason: 'wrong node' })] },
  ),
  'is paused by p, and resumes by continue': stopping(
    async (run, terminal) => {
      await terminal.type('p')
      await run.asked('run.pause')
      run.sample.add({ kind: 'pause-requested', by: 'olga' })
      run.sample.add({ kind: 'paused' })
      run.report()
      await terminal.printed('Paused. [c]ontinue / [d]etach / [a] stop')
      await terminal.type('c')
      await run.asked('run.unpause')
      run.sample.add({ kind: 'resume-requested', by: 'olga' })
      run.end('done')
    },
    { asks: [ofRun('run.pause'), ofRun('run.unpause')] },
  ),
  'asks again after an invalid answer': stopping(async (_, terminal) => {
    await terminal.type('what?')
    await terminal.printed('Type one of d, p, a, c.')
    terminal.press('SIGINT')
  }, LEFT),
  'may end while the question is open': stopping(async run => run.end('done')),
  'is left without a question at SIGTERM': followed(
    'a terminal',
    async (_, terminal) => terminal.press('SIGTERM'),
    LEFT,
  ),
  'is left without a question at SIGHUP': followed('a terminal', async (_, terminal) => terminal.press('SIGHUP'), LEFT),
  'asks, and is given the answer': asking(
    sample => sample.gate('gate-7', ['retry', 'abort']),
    async (run, terminal) => {
      await terminal.type('retry')
      await run.asked('run.answer')
      run.sample.add(closed('migrate-instances', 'gate-7', 'retry'))
      run.end('done')
    },
    { asks: [answered('gate-7', 'retry')] },
  ),
  'asks for two lanes one after the other': asking(
    sample => [sample.add(opened('migrate-instances', 'gate-1')), sample.add(opened('drain-node', 'gate-2'))],
    async (run, terminal) => {
      await terminal.type('c')
      await run.asked('run.answer')
      run.sample.add(closed('migrate-instances', 'gate-1', 'continue'))
      run.report()
      await terminal.printed('Is drain-node done? [c]ontinue')
      await terminal.type('c')
      await vi.waitFor(() => expect(run.fake.inputsOf('run.answer')).toHaveLength(2), { timeout: 10_000 })
      run.sample.add(closed('drain-node', 'gate-2', 'continue'))
      run.end('done')
    },
    { asks: [answered('gate-1', 'continue'), answered('gate-2', 'continue')] },
  ),
  'asks once, although both its event and the rest name it': asking(
    sample => sample.gate(),
    async (_, terminal) => {
      await terminal.type('d')
      await terminal.printed('is interrupted')
      expect(terminal.out().match(/\[r\] try again/g)).toHaveLength(1)
    },
    LEFT,
  ),
  'skips without a question for the reason': asking(
    sample => sample.gate(),
    async (run, terminal) => {
      await terminal.type('s')
      await run.asked('run.answer')
      run.end('done')
    },
    { asks: [answered('gate-1', 'skip')] },
  ),
  'skips for a reason where the cloud wants one': asking(
    sample => sample.gate(),
    async (run, terminal) => {
      await terminal.type('s')
      await terminal.printed('Why (kept with the run):')
      await terminal.type('vm-7 may go down')
      await vi.waitFor(() => expect(run.fake.inputsOf('run.answer')).toHaveLength(2), { timeout: 10_000 })
      run.end('done')
    },
    { asks: [answered('gate-1', 'skip'), answered('gate-1', 'skip', 'vm-7 may go down')] },
    () =>
      createFakeRun(undefined, [], [], {
        'run.answer': ({ reason }) =>
          reason === ''
            ? failed(refusal('bad-input', because('SayWhyOnProduction', { cluster: 'lab' }), { target: 'run/1' }))
            : ok({}),
      }),
  ),
  'stops without a reason': stopping(
    async (run, terminal) => {
      await terminal.type('a')
      await terminal.type('')
      await run.asked('run.abort')
      run.end('aborted')
    },
    { exit: 4, asks: [ofRun('run.abort', { reason: '' })] },
  ),
  'asks no more where somebody else answers': asking(
    sample => sample.gate(),
    async run => {
      run.sample.add(closed('migrate-instances', 'gate-1', 'retry', 'otto'))
      run.end('done')
    },
  ),
  'asks once more where Ctrl-C was answered with continue': stopping(async (run, terminal) => {
    run.sample.gate()
    run.report()
    await terminal.type('c')
    await terminal.printed('1 instance could not be moved. [r] try again')
    await terminal.type('d')
  }, LEFT),
  'tells after the question what happens while it is open': stopping(async (run, terminal) => {
    run.sample.started('drain-node')
    run.report()
    await terminal.type('c')
    await terminal.printed('Drain cmp-1: starts.\n')
    expect(terminal.out().indexOf('Drain cmp-1: starts.\n')).toBeGreaterThan(terminal.out().indexOf('Stop here?'))
    run.end('done')
  }),
})

it('a run on a terminal is one block redrawn in place: nothing else moves the cursor', async () => {
  const run = createFakeRun()
  const env = { LANG: 'C.UTF-8', TERM: 'xterm' }
  const terminal = createFakeTerminal({ tty: true, env, contract: run.fake.contract })
  const code = terminal.run('enter', 'lab', 'cmp-1', '--yes')
  await terminal.printed('Taking cmp-1 of lab out of service')
  run.sample.started('drain-node')
  run.report()
  run.end('done')
  expect(await code).toBe(0)
  const moves = terminal.out().match(/\u001b\[[0-9;]*[A-HJKSTf]/g) ?? []
  expect(moves.length).toBeGreaterThan(0)
  for (const move of moves) expect(move).toMatch(/^\u001b\[(?:\d+A|0J)$/)
})

it('a run that ends between its start and the first look at it is not missed', async () => {
  const run = createFakeRun()
  void run.asked('run.start').then(() => run.end('done'))
  const terminal = createFakeTerminal({ contract: run.fake.contract })
  expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes')).toBe(0)
})

/** A plan of two lanes; one of their steps only checks, and stays as it was checked for ever. */
function laned() {
  const checked = samplePlan()
  const lane = (name: string) => ({ batch: 'workers', name })
  const lanes: Readonly<Record<string, string>> = { 'migrate-instances': 'cmp-1', 'drain-node': 'cmp-2' }
  const steps = checked.plan.steps.map(step => ({ ...step, lane: lanes[step.id] ? lane(lanes[step.id] ?? '') : null }))
  const looked = { ...sampleStep('node-exists', 'cmp-2 exists', { verbs: ['check'] }), lane: lane('cmp-2') }
  const check = { stepId: looked.id, answer: holding('It is there.'), overriddenBy: null }
  return createFakeRun({
    ...checked,
    plan: { ...checked.plan, steps: [looked, ...steps] },
    checks: [check, ...checked.checks],
  })
}

playScenes('lanes that run side by side without a terminal', null, () => createFakeRun().fake, {
  'are not left at the question of one while another is in the middle of a step': followed(
    'a pipe',
    async (run, terminal) => {
      run.sample.started('drain-node')
      run.sample.gate('gate-7')
      run.report()
      await terminal.printed('1 instance could not be moved')
      terminal.letTimePass()
      expect(run.fake.inputsOf('run.detach')).toEqual([])
      run.sample.add({ kind: 'step-applied', stepId: 'drain-node', note: '' })
      run.report()
      await vi.waitFor(
        () => {
          terminal.letTimePass()
          expect(run.fake.inputsOf('run.detach')).not.toEqual([])
        },
        { timeout: 10_000 },
      )
    },
    LEFT,
    laned,
  ),
})

/** `run answer` and `run resume` of a run in a state, that was asked a question. */
function later(
  says: string,
  state: 'waiting' | 'interrupted' | 'paused',
  more: Partial<Omit<Scene, 'play' | 'fake'>>,
  play: (run: FakeRun, terminal: Terminal) => Promise<unknown> = async () => undefined,
): Scene {
  let run: FakeRun
  return {
    says: `run ${says}`,
    ...more,
    fake: () => {
      run = createFakeRun(samplePlan(), [sampleSummary(state)])
      run.sample.created()
      if (says.startsWith('answer')) run.sample.gate('gate-7')
      else run.sample.started('drain-node')
      if (state === 'interrupted') run.sample.add({ kind: 'driver-left', why: 'olga left it' })
      run.rest(state)
      return run.fake
    },
    play: terminal => play(run, terminal),
  }
}
const SKIP = `answer ${RUN_ID} gate-7 skip --reason agreed`

playScenes('a run that was left', 'transcripts/run-answer.txt', () => createFakeRun().fake, {
  'is answered where it is driven': later(SKIP, 'waiting', { asks: [answered('gate-7', 'skip', 'agreed')] }),
  'is skipped without a reason': later(`answer ${RUN_ID} gate-7 skip`, 'waiting', {
    asks: [answered('gate-7', 'skip')],
  }),
  'is not answered at another gate': later(`answer ${RUN_ID} gate-8 retry`, 'waiting', { exit: 1 }),
  'is not answered with what it does not take': later(`answer ${RUN_ID} gate-7 continue`, 'waiting', { exit: 2 }),
  'is driven on, and given the answer to the question it was left with': later(
    SKIP,
    'interrupted',
    { asks: [ofRun('run.resume'), answered('gate-7', 'skip', 'agreed')] },
    async (run, terminal) => {
      await run.asked('run.resume')
      run.sample.add(DRIVEN)
      run.report()
      await terminal.printed(`Run ${RUN_ID}\n`)
      run.rest('waiting')
      await run.asked('run.answer')
      // The run takes its time to journal the answer; meanwhile it still looks as if it waited.
      await new Promise(resolve => setImmediate(resolve))
      run.end('done')
    },
  ),
  'is left at another question than the one that was answered': later(
    SKIP,
    'interrupted',
    { exit: 4, asks: [ofRun('run.resume'), ofRun('run.detach')] },
    async run => {
      await run.asked('run.resume')
      run.sample.add(DRIVEN)
      run.sample.add(closed('migrate-instances', 'gate-7', 'retry', 'ana'))
      run.sample.add(opened('drain-node', 'gate-9'))
      run.report()
    },
  ),
  'is aborted without being driven on': later(`answer ${RUN_ID} gate-7 abort`, 'interrupted', {
    asks: [ofRun('run.abort', { reason: expect.any(String) })],
  }),
  'is resumed and followed to its end; past events are not printed again': later(
    `resume ${RUN_ID.slice(0, 4)}`,
    'interrupted',
    { asks: [ofRun('run.resume')] },
    async (run, terminal) => {
      await run.asked('run.show')
      await terminal.printed(RUN_ID)
      run.end('done')
    },
  ),
  'resumes at its driver, once it is paused': later(`resume ${RUN_ID}`, 'paused', {
    asks: [ofRun('run.unpause')],
  }),
})
