import { describe, expect, it } from 'vitest'
import type { CommandState } from '../../../../main/ports/commands.ts'
import { nodeWork } from '../../../../main/procedures/steps/rolling/node-work.ts'
import type { StopReason } from '../../../../main/runs/engine/stop-switch.ts'
import type { PlanWindow } from '../../../../shared/domain/plan.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { type FakeWorld, fakeContext, fakeNode, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'
import { fakeCommands } from '../../../fixtures/procedures/own-commands.ts'

const RUNS: CommandState = { kind: 'runs', group: 4711, isKept: true }
const DONE: CommandState = { kind: 'ended', code: 0, signal: null, othersRun: null }
const FAILED: CommandState = { kind: 'ended', code: 3, signal: null, othersRun: null }
const UNSEEN: CommandState = { kind: 'end-unseen', why: because('CommandGroupGone') }
const MAY_RUN: CommandState = {
  kind: 'may-run',
  group: 4711,
  why: because('CommandBegunElsewhere', { machine: 'other' }),
}
const NOTHING: CommandState = { kind: 'nothing-kept' }

const INPUT = { node: 'cmp-1', work: { kind: 'command', command: './patch.sh', directory: '/srv' }, seal: 'sealed' }

function setUp(statuses: readonly CommandState[] = [RUNS]) {
  const world: FakeWorld = fakeWorld({ nodes: [fakeNode('cmp-1')] })
  const commands = fakeCommands(statuses)
  Object.assign(world.port, { commands: commands.port })
  const facts: RunFact[] = []
  const apply = (
    more: { signal?: AbortSignal; stoppedBy?: () => StopReason['kind'] | null; window?: PlanWindow } = {},
  ) => nodeWork.apply?.(INPUT, fakeContext(world, { facts, ...more }))
  const names = () => facts.map(({ fact }) => fact).filter(fact => fact !== 'waits-for' && fact !== 'node-verdict')
  return { world, commands, facts, apply, names }
}

const fact = (name: string, values: RunFact['values'] = {}, announces = false): RunFact => ({
  at: '2026-01-01T00:00:00Z',
  fact: name,
  subject: 'node/cmp-1',
  announces,
  values: { name: 'run-1-cmp-1-1', ...values },
})
const ASKED = fact('work-command-requested', { attempt: 1, machine: 'laptop' }, true)
const TRY_AGAIN = fact('try-again', { choice: 'retry' })

describe('a command as the work on a node', () => {
  it('is journaled before it is started, started once with its seal, and over at exit code 0, however long it is silent', async () => {
    const { apply, commands, facts, names } = setUp([...Array<CommandState>(4000).fill(RUNS), DONE])
    expect(await apply()).toMatchObject({ kind: 'applied', note: expect.stringContaining('exit code 0') })
    expect(commands.started).toEqual([
      {
        name: 'run-1-cmp-1-1',
        runId: 'run-1',
        cluster: 'test',
        node: 'cmp-1',
        command: './patch.sh',
        directory: '/srv',
        seal: 'sealed',
      },
    ])
    expect(names()).toEqual(['work-command-requested', 'work-command-runs', 'node-worked'])
    expect(facts.find(({ announces }) => announces)).toMatchObject({ values: { machine: 'laptop', attempt: 1 } })
  })

  it.each([
    ['that failed', FAILED, 'ended with exit code 3', 'work-command-failed'],
    [
      'that a signal ended',
      { ...FAILED, code: null, signal: 'SIGKILL' },
      'was ended by SIGKILL',
      'work-command-failed',
    ],
    ['whose end nobody saw', UNSEEN, 'Retry runs it once more', 'work-command-unseen'],
  ] as const)('one %s is a question; only a person has it run again', async (_which, status, said, kept) => {
    const { apply, commands, facts, names } = setUp([status])
    const asked = { kind: 'question', question: expect.stringContaining(said), choices: ['retry', 'skip', 'abort'] }
    expect(await apply()).toMatchObject(asked)
    expect(names()).toContain(kept)
    // The driver was killed before it asked: another one asks, and starts nothing.
    expect(await apply()).toMatchObject({ kind: 'question', choices: ['retry', 'skip', 'abort'] })
    expect(commands.started).toHaveLength(1)
    facts.push(TRY_AGAIN)
    commands.stand(DONE)
    expect((await apply())?.kind).toBe('applied')
    expect(commands.started.map(({ name }) => name)).toEqual(['run-1-cmp-1-1', 'run-1-cmp-1-2'])
  })

  it('that may be under way is asked about, and can be neither passed nor run again', async () => {
    const { apply, commands, facts } = setUp([MAY_RUN])
    const asked = {
      kind: 'question',
      question: expect.stringContaining('and this machine cannot see its processes'),
      choices: ['retry', 'abort'],
    }
    expect(await apply()).toMatchObject(asked)
    facts.push(TRY_AGAIN)
    expect(await apply()).toMatchObject(asked)
    expect(commands.started).toHaveLength(1)
  })

  it('that failed while its child processes run can be neither skipped nor run again', async () => {
    const { apply, commands, facts } = setUp([{ ...FAILED, othersRun: 4711 }])
    expect(await apply()).toMatchObject({
      kind: 'question',
      question: expect.stringMatching(/in process group 4711/),
      choices: ['retry', 'abort'],
    })
    facts.push(TRY_AGAIN)
    await apply()
    expect(commands.started).toHaveLength(1)
  })

  it('whose keeper is gone keeps the step waiting, which says that its end will stay unknown', async () => {
    const { apply, facts } = setUp([{ ...RUNS, isKept: false }, DONE])
    expect((await apply())?.kind).toBe('applied')
    expect(JSON.stringify(facts)).toContain('so its result will stay unknown);')
  })

  it('waits as long as its window lasts, says until when, and asks then: to wait on or to abort', async () => {
    const { apply, facts, commands } = setUp([RUNS])
    const window: PlanWindow = {
      kind: 'in',
      id: 'w1',
      title: 'Kernels',
      endsAt: '2026-01-01T02:00:00Z',
      timeZone: 'UTC',
    }
    expect(await apply({ window })).toMatchObject({
      kind: 'question',
      question: expect.stringMatching(/Window Kernels ended at 2026-01-01 02:00 \+00:00/),
      choices: ['retry', 'abort'],
    })
    expect(JSON.stringify(facts)).toContain('when window Kernels ends')
    expect(commands.started).toHaveLength(1)
  })

  it.each(['pause', 'abort', 'detach', 'lease-lost'] as const)(
    '%s leaves it under way, and how it is ended is kept',
    async why => {
      const { apply, facts, commands } = setUp([RUNS])
      const stop = new AbortController()
      const first = apply({ signal: stop.signal, stoppedBy: () => why })
      setTimeout(() => stop.abort())
      expect((await first)?.kind).toBe('stopped')
      expect(facts.at(-1)).toMatchObject({ fact: 'work-command-left', values: { group: 4711, machine: 'laptop' } })
      commands.stand(DONE)
      expect((await apply())?.kind).toBe('applied')
      expect(commands.started).toHaveLength(1)
    },
  )

  it('does not count as left where the machine only slept', async () => {
    const { apply, names } = setUp([RUNS])
    const stop = new AbortController()
    const first = apply({ signal: stop.signal })
    setTimeout(() => stop.abort())
    await first
    expect(names()).not.toContain('work-command-left')
  })

  it('does not start where it is refused, and asks with the reason', async () => {
    const { apply, commands, names } = setUp()
    commands.refuse(because('CommandNotConfirmedHere'))
    expect(await apply()).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('Nobody confirmed this command on this installation and machine for this run'),
      choices: ['retry', 'skip', 'abort'],
    })
    expect(names()).toEqual([])
  })

  it('without the Lease nothing is journaled and nothing is started', async () => {
    const { apply, commands, names } = setUp()
    commands.keepBack()
    expect(await apply()).toMatchObject({ kind: 'failed', failure: { code: 'aborted' } })
    expect(names()).toEqual([])
  })
})

describe('a driver that comes back, whenever the one before was killed', () => {
  const moments: readonly [string, readonly RunFact[], CommandState, number, string][] = [
    ['before its start', [], DONE, 1, 'applied'],
    ['after that was journaled, before it was started', [ASKED], NOTHING, 0, 'question'],
    ['as it was started, before anybody noted its process', [ASKED], { ...MAY_RUN, group: null }, 0, 'question'],
    ['after it was started', [ASKED], DONE, 0, 'applied'],
    [
      'while it was under way, and so was its keeper',
      [ASKED, fact('work-command-runs', { group: 4711 })],
      DONE,
      0,
      'applied',
    ],
    ['with its keeper and all', [ASKED, fact('work-command-runs', { group: 4711 })], UNSEEN, 0, 'question'],
    [
      'after it failed, before that was kept',
      [ASKED, fact('work-command-runs', { group: 4711 })],
      FAILED,
      0,
      'question',
    ],
    ['after that it failed was kept, before it asked', [ASKED, fact('work-command-failed')], FAILED, 0, 'question'],
    ['after it asked about an unseen end', [ASKED, fact('work-command-unseen')], UNSEEN, 0, 'question'],
    [
      'after somebody said to look again, before it failed',
      [ASKED, TRY_AGAIN, fact('work-command-failed')],
      FAILED,
      0,
      'question',
    ],
    ['after somebody said to run it again', [ASKED, fact('work-command-failed'), TRY_AGAIN], DONE, 1, 'applied'],
    [
      'after it was done, before that was kept as the step',
      [ASKED, fact('node-worked', { command: 'x' })],
      DONE,
      0,
      'applied',
    ],
    ['after it was cancelled', [ASKED, fact('work-command-called-off')], DONE, 1, 'applied'],
    [
      'after it failed and the run was resumed',
      [ASKED, fact('work-command-failed'), fact('operator-resumed')],
      FAILED,
      0,
      'question',
    ],
  ]

  it.each(moments)('%s', async (_when, history, status, starts, kind) => {
    const { apply, commands, facts } = setUp([status])
    facts.push(...history)
    expect((await apply())?.kind).toBe(kind)
    // Whatever happened to it, another reading starts nothing more.
    await apply()
    expect(commands.started).toHaveLength(starts)
  })

  it.each([
    [RUNS, false],
    [MAY_RUN, false],
    [{ ...FAILED, othersRun: 4711 }, false],
    [FAILED, true],
    [UNSEEN, true],
    [NOTHING, true],
  ] as const)(
    'a failed step may be skipped only when no process of its command can be running: %j',
    async (status, may) => {
      const { world, facts } = setUp([status])
      facts.push(ASKED)
      expect(await nodeWork.mayBePassed?.(INPUT, fakeContext(world, { facts }))).toBe(may)
    },
  )
})
