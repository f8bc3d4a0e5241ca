import { describe, expect, it, vi } from 'vitest'
import { createFakeRun, type FakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { holding, samplePlan, sampleStep } from '../../../fixtures/cli/sample-plan.ts'
import { RUN_ID, sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { DRIVER } from '../../../fixtures/driver.ts'

/** A command that follows a run; `tty` decides whether somebody can be asked. */
async function following(tty: boolean, options: { run?: FakeRun; env?: Readonly<Record<string, string>> } = {}) {
  const { run = createFakeRun(), env = { LANG: 'C.UTF-8', NO_COLOR: '1' } } = options
  const terminal = createFakeTerminal({ tty, env, contract: run.fake.contract })
  const code = terminal.run('enter', 'lab', 'cmp-1', '--yes')
  await run.asked('run.show')
  await terminal.printed(RUN_ID)
  return {
    run,
    terminal,
    /** The run ends well, and the command with it. */
    endsWell: async () => {
      run.end('done')
      expect(await code).toBe(0)
    },
    /** The command ends while the run is not at its end. */
    isLeft: async () => expect(await code).toBe(4),
  }
}

/** Ctrl-C was pressed, and the question how to stop is open. */
async function atTheQuestion() {
  const scene = await following(true)
  scene.terminal.press('SIGINT')
  await scene.terminal.printed('Stop here? [d]etach / [p]ause / [a]bort / [c]ontinue')
  return scene
}

describe('a run under way', () => {
  it('tells each event that matters as a line, in order, none twice', async () => {
    const { run, terminal, endsWell } = await following(false)
    run.story.started('migrate-instances')
    run.story.fact('migrate-instances', 'instance-moved', 'server/a', { name: 'web-1', to: 'cmp-2', status: 'ACTIVE' })
    run.tell()
    run.fake.emit('run.event', run.story.events.at(-1) ?? never())
    await endsWell()
    expect(terminal.out().match(/web-1: moved to cmp-2/g)).toHaveLength(1)
    expect(terminal.out().indexOf('Live-migrate instances off cmp-1: begins.\n')).toBeLessThan(
      terminal.out().indexOf('web-1: moved'),
    )
  })

  it('does not listen to other runs', async () => {
    const { run, terminal, endsWell } = await following(false)
    const other = { ...run.story.started('drain-node'), runId: 'another-run', seq: 999 }
    run.fake.emit('run.event', other)
    run.fake.emit('run.rested', { runId: 'another-run', state: 'failed', outcome: 'failed' })
    run.story.events.pop()
    await endsWell()
    expect(terminal.out()).not.toContain('Drain cmp-1: begins.\n')
  })

  it('misses nothing that happened between its start and the first look at it', async () => {
    const run = createFakeRun()
    void run.asked('run.start').then(() => run.end('done'))
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes')).toBe(0)
  })

  it('on a terminal is one block redrawn in place, and nothing else moves the cursor', async () => {
    const { run, terminal, endsWell } = await following(true, { env: { LANG: 'C.UTF-8', TERM: 'xterm' } })
    await terminal.printed('Taking cmp-1 of lab out of service')
    run.story.started('drain-node')
    run.tell()
    await endsWell()
    const moves = terminal.out().match(/\u001b\[[0-9;]*[A-HJKSTf]/g) ?? []
    expect(moves.length).toBeGreaterThan(0)
    for (const move of moves) expect(move).toMatch(/^\u001b\[(?:\d+A|0J)$/)
  })
})

describe('Ctrl-C', () => {
  it('asks once how to stop; continue goes on', async () => {
    const { run, terminal, endsWell } = await atTheQuestion()
    await terminal.type('c')
    await endsWell()
    expect(run.fake.inputsOf('run.detach')).toEqual([])
  })

  it('d leaves the run, says how to go on, and ends with 4', async () => {
    const { run, terminal, isLeft } = await atTheQuestion()
    await terminal.type('d')
    await isLeft()
    expect(run.fake.inputsOf('run.detach')).toEqual([{ runId: RUN_ID }])
    expect(terminal.out()).toContain('The run on cmp-1 of lab was left where it is.')
    expect(terminal.out()).toContain(`next: \`lockkeeper run resume ${RUN_ID}\``)
  })

  it('a second press during the question detaches', async () => {
    const { run, terminal, isLeft } = await atTheQuestion()
    terminal.press('SIGINT')
    await isLeft()
    expect(run.fake.inputsOf('run.detach')).toHaveLength(1)
  })

  it('a asks why and aborts; the run decides how it ended', async () => {
    const { run, terminal, isLeft } = await atTheQuestion()
    await terminal.type('a')
    await terminal.type('wrong node')
    await run.asked('run.abort')
    run.end('aborted')
    await isLeft()
    expect(run.fake.inputsOf('run.abort')).toEqual([{ runId: RUN_ID, reason: 'wrong node' }])
  })

  it('p pauses, then asks what next; continue unpauses', async () => {
    const { run, terminal, endsWell } = await atTheQuestion()
    await terminal.type('p')
    await run.asked('run.pause')
    run.story.add({ kind: 'pause-requested', by: 'olga' })
    run.story.add({ kind: 'paused' })
    run.tell()
    await terminal.printed('Paused. [c]ontinue / [d]etach / [a]bort')
    await terminal.type('c')
    await run.asked('run.unpause')
    run.story.add({ kind: 'resume-requested', by: 'olga' })
    await endsWell()
  })

  it('an answer that is none asks again; an ended input detaches', async () => {
    const { terminal, isLeft } = await atTheQuestion()
    await terminal.type('what?')
    await terminal.printed('Type one of d, p, a, c.')
    terminal.press('SIGINT')
    await isLeft()
  })

  it('a run that ends while the question is open withdraws the question', async () => {
    const { run, endsWell } = await atTheQuestion()
    await endsWell()
    expect(run.fake.inputsOf('run.detach')).toEqual([])
  })

  it('what happens while the question is open is told after it', async () => {
    const { run, terminal, endsWell } = await atTheQuestion()
    run.story.started('drain-node')
    run.tell()
    await terminal.type('c')
    await terminal.printed('Drain cmp-1: begins.\n')
    expect(terminal.out().indexOf('Drain cmp-1: begins.\n')).toBeGreaterThan(terminal.out().indexOf('Stop here?'))
    await endsWell()
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'without a terminal %s detaches safely and ends with 4',
    async signal => {
      const { run, terminal, isLeft } = await following(false)
      terminal.press(signal)
      await isLeft()
      expect(run.fake.inputsOf('run.detach')).toEqual([{ runId: RUN_ID }])
    },
  )

  it.each(['SIGTERM', 'SIGHUP'] as const)('%s never asks, not even on a terminal', async signal => {
    const { terminal, isLeft } = await following(true)
    terminal.press(signal)
    await isLeft()
    expect(terminal.out()).not.toContain('Stop here?')
  })
})

describe('without a terminal, lanes that run side by side', () => {
  const laned = () => {
    const checked = samplePlan()
    const lane = (name: string) => ({ batch: 'workers', name })
    const steps = checked.plan.steps.map(step =>
      step.id === 'migrate-instances'
        ? { ...step, lane: lane('cmp-1') }
        : step.id === 'drain-node'
          ? { ...step, lane: lane('cmp-2') }
          : step,
    )
    // A check alone stays as it was checked for ever.
    const looked = { ...sampleStep('node-exists', 'cmp-2 exists', { verbs: ['check'] }), lane: lane('cmp-2') }
    const check = { stepId: looked.id, answer: holding('It is there.'), overriddenBy: null }
    return createFakeRun({
      ...checked,
      plan: { ...checked.plan, steps: [looked, ...steps] },
      checks: [check, ...checked.checks],
    })
  }

  it('are not left at the question of one while another is in the middle of a step', async () => {
    const { run, terminal, isLeft } = await following(false, { run: laned() })
    run.story.started('drain-node')
    run.story.gate('gate-7')
    run.tell()
    await terminal.printed('1 instance could not be moved')
    terminal.letTimePass()
    expect(run.fake.inputsOf('run.detach')).toEqual([])
    run.story.add({ kind: 'step-applied', stepId: 'drain-node', note: '' })
    run.tell()
    await vi.waitFor(
      () => {
        terminal.letTimePass()
        expect(run.fake.inputsOf('run.detach')).not.toEqual([])
      },
      { timeout: 10_000 },
    )
    await isLeft()
    expect(run.fake.inputsOf('run.detach')).toEqual([{ runId: RUN_ID }])
  })
})

describe('a gate', () => {
  it('on a terminal asks its question with its choices and passes the answer on', async () => {
    const { run, terminal, endsWell } = await following(true)
    run.story.gate('gate-7', ['retry', 'abort'])
    run.tell()
    run.rest('waiting')
    await terminal.printed('1 instance could not be moved. [r]etry / [a]bort / [d]etach:')
    await terminal.type('retry')
    await run.asked('run.answer')
    run.story.add({
      kind: 'gate-answered',
      stepId: 'migrate-instances',
      gateId: 'gate-7',
      choice: 'retry',
      reason: '',
      by: 'olga',
    })
    await endsWell()
    expect(run.fake.inputsOf('run.answer')).toEqual([{ runId: RUN_ID, gateId: 'gate-7', choice: 'retry', reason: '' }])
  })

  it('questions of lanes that run side by side are asked one after the other', async () => {
    const { run, terminal, endsWell } = await following(true)
    const ask = (stepId: string, gateId: string) =>
      run.story.add({
        kind: 'gate-opened',
        stepId,
        gateId,
        question: `Is ${stepId} done?`,
        choices: ['continue', 'abort'],
      })
    const answered = (stepId: string, gateId: string) =>
      run.story.add({ kind: 'gate-answered', stepId, gateId, choice: 'continue', reason: '', by: 'olga' })
    ask('migrate-instances', 'gate-1')
    ask('drain-node', 'gate-2')
    run.tell()
    await terminal.printed('Is migrate-instances done?')
    await terminal.type('c')
    await run.asked('run.answer')
    answered('migrate-instances', 'gate-1')
    run.tell()
    await terminal.printed('Is drain-node done? [c]ontinue')
    await terminal.type('c')
    await vi.waitFor(() => expect(run.fake.inputsOf('run.answer')).toHaveLength(2), { timeout: 10_000 })
    answered('drain-node', 'gate-2')
    await endsWell()
    expect(run.fake.inputsOf('run.answer').map(({ gateId }) => gateId)).toEqual(['gate-1', 'gate-2'])
  })

  it('is asked once, though both its event and the rest tell of it', async () => {
    const { run, terminal, isLeft } = await following(true)
    run.story.gate()
    run.tell()
    run.rest('waiting')
    await terminal.printed('[d]etach:')
    await terminal.type('d')
    await isLeft()
    expect(terminal.out().match(/\[r\]etry/g)).toHaveLength(1)
  })

  it('a skip is never passed on without a reason', async () => {
    const { run, terminal, endsWell } = await following(true)
    run.story.gate()
    run.tell()
    await terminal.type('s')
    await terminal.type('  ')
    await terminal.printed('A skip needs a reason.')
    await terminal.type('vm-7 may go down')
    await run.asked('run.answer')
    await endsWell()
    expect(run.fake.inputsOf('run.answer')[0]).toMatchObject({ choice: 'skip', reason: 'vm-7 may go down' })
  })

  it('that somebody else answers withdraws the question', async () => {
    const { run, terminal, endsWell } = await following(true)
    run.story.gate()
    run.tell()
    await terminal.printed('[d]etach:')
    run.story.add({
      kind: 'gate-answered',
      stepId: 'migrate-instances',
      gateId: 'gate-1',
      choice: 'retry',
      reason: '',
      by: 'otto',
    })
    await endsWell()
    expect(run.fake.inputsOf('run.answer')).toEqual([])
  })

  it('that is open when Ctrl-C is answered with continue is asked again', async () => {
    const { run, terminal, isLeft } = await atTheQuestion()
    run.story.gate()
    run.tell()
    await terminal.type('c')
    await terminal.printed('1 instance could not be moved. [r]etry')
    await terminal.type('d')
    await isLeft()
  })

  it('without a terminal is left open: how to answer is told, and it ends with 4', async () => {
    const { run, terminal, isLeft } = await following(false)
    run.story.gate('gate-7')
    run.tell()
    run.rest('waiting')
    await isLeft()
    expect(run.fake.inputsOf('run.detach')).toEqual([{ runId: RUN_ID }])
    expect(terminal.out()).toContain(
      `answer: \`lockkeeper run answer ${RUN_ID} gate-7 CHOICE --reason TEXT\` (retry|skip|abort)`,
    )
  })
})

describe('run answer', () => {
  const waiting = (state: 'waiting' | 'interrupted') => {
    const run = createFakeRun(samplePlan(), [sampleSummary(state)])
    run.story.created()
    run.story.gate('gate-7')
    if (state === 'interrupted') run.story.add({ kind: 'driver-left', why: 'olga left it' })
    run.rest(state)
    return run
  }

  it('passes an answer on to the console that drives the run', async () => {
    const run = waiting('waiting')
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('run', 'answer', RUN_ID, 'gate-7', 'skip', '--reason', 'agreed')).toBe(0)
    expect(run.fake.inputsOf('run.answer')).toEqual([
      { runId: RUN_ID, gateId: 'gate-7', choice: 'skip', reason: 'agreed' },
    ])
    expect(run.fake.inputsOf('run.resume')).toEqual([])
  })

  it.each<[string[], number, RegExp]>([
    [['gate-7', 'skip'], 2, /A skip needs a reason/],
    [['gate-8', 'retry'], 1, /does not wait at gate gate-8\. It waits at gate-7/],
    [['gate-7', 'continue'], 2, /takes retry or skip or abort, not continue/],
  ])('%j is refused and says why', async (words, code, message) => {
    const run = waiting('waiting')
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('run', 'answer', RUN_ID, ...words)).toBe(code)
    expect(terminal.err()).toMatch(message)
    expect(run.fake.inputsOf('run.answer')).toEqual([])
  })

  it('drives a run that was left on, and gives the answer to the question it was left with', async () => {
    const run = waiting('interrupted')
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    const code = terminal.run('run', 'answer', RUN_ID, 'gate-7', 'skip', '--reason', 'agreed')
    await run.asked('run.resume')
    run.story.add({
      kind: 'run-driven',
      driver: DRIVER,
      resumed: true,
    })
    run.tell()
    await terminal.printed(`Run ${RUN_ID}\n`)
    run.rest('waiting')
    await run.asked('run.answer')
    // The run takes its time to journal the answer; meanwhile it still looks as if it waited.
    await new Promise(resolve => setImmediate(resolve))
    run.end('done')
    expect(await code).toBe(0)
    expect(run.fake.inputsOf('run.answer')).toEqual([
      { runId: RUN_ID, gateId: 'gate-7', choice: 'skip', reason: 'agreed' },
    ])
    expect(run.fake.inputsOf('run.detach')).toEqual([])
  })

  it('an answer is for the question it names: another one is left open', async () => {
    const run = waiting('interrupted')
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    const code = terminal.run('run', 'answer', RUN_ID, 'gate-7', 'skip', '--reason', 'agreed')
    await run.asked('run.resume')
    run.story.add({
      kind: 'run-driven',
      driver: DRIVER,
      resumed: true,
    })
    run.story.add({
      kind: 'gate-answered',
      stepId: 'migrate-instances',
      gateId: 'gate-7',
      choice: 'retry',
      reason: '',
      by: 'ana',
    })
    run.story.add({
      kind: 'gate-opened',
      stepId: 'drain-node',
      gateId: 'gate-9',
      question: 'Pods stay.',
      choices: ['skip', 'abort'],
    })
    run.tell()
    expect(await code).toBe(4)
    expect(run.fake.inputsOf('run.answer').filter(({ gateId }) => gateId !== 'gate-7')).toEqual([])
    expect(run.fake.inputsOf('run.detach')).toHaveLength(1)
  })

  it('abort ends a run that nobody drives, without driving it on', async () => {
    const run = waiting('interrupted')
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('run', 'answer', RUN_ID, 'gate-7', 'abort')).toBe(0)
    expect(run.fake.inputsOf('run.abort')).toHaveLength(1)
    expect(run.fake.inputsOf('run.resume')).toEqual([])
  })
})

describe('resume', () => {
  it('drives an interrupted run on and follows it to its end; past events are not told again', async () => {
    const run = createFakeRun(samplePlan(), [sampleSummary('interrupted')])
    run.story.created()
    run.story.started('drain-node')
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    const code = terminal.run('run', 'resume', RUN_ID.slice(0, 4))
    await run.asked('run.show')
    await terminal.printed(RUN_ID)
    run.end('done')
    expect(await code).toBe(0)
    expect(run.fake.inputsOf('run.resume')).toEqual([{ runId: RUN_ID }])
    expect(terminal.out()).not.toContain('Drain cmp-1: begins.\n')
  })

  it('lets a paused run on where it is driven', async () => {
    const run = createFakeRun(samplePlan(), [sampleSummary('paused')])
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('run', 'resume', RUN_ID)).toBe(0)
    expect(run.fake.inputsOf('run.unpause')).toEqual([{ runId: RUN_ID }])
    expect(run.fake.inputsOf('run.resume')).toEqual([])
  })
})

function never(): never {
  throw new Error('the story has events')
}
