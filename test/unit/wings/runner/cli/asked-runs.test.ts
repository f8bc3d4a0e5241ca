import { describe, expect, it } from 'vitest'
import type { AskedRuns } from '../../../../../shared/contract/index.ts'
import { failure } from '../../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../../fixtures/cli/fake-terminal.ts'
import { sampleAsked } from '../../../../fixtures/cli/sample-asked.ts'
import { sampleSummary } from '../../../../fixtures/cli/sample-run.ts'
import { transcript } from '../../../../fixtures/cli/session.ts'

/** MaintenanceRuns that no runner has begun, in the lists and commands of runs. */

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' }
const WAITS = sampleAsked()
const UNREAD = {
  by: 'mgmt',
  namespace: 'lockkeeper',
  why: 'Ask for the Role lockkeeper-reader of namespace lockkeeper.',
}

function terminalWith(
  { runs = [WAITS], unread = [] }: Partial<AskedRuns> = {},
  more: { readonly answers?: string[]; readonly refused?: string } = {},
) {
  const fake = createFakeContract({
    'run.list': () => ok([sampleSummary('done', { id: '4f1c' })]),
    'run.show': ({ runId }) => ok({ summary: sampleSummary('done', { id: runId }), events: [] }),
    'run.pause': () => ok({}),
    'journal.status': () => failed(failure('internal', 'not asked about')),
    'runner.asked': ({ object }) => ok({ runs: runs.filter(run => run.object.startsWith(object ?? '')), unread }),
    'runner.withdraw': () =>
      more.refused === undefined
        ? ok({ message: 'This run did not start.' })
        : failed(failure('conflict', more.refused, { target: 'maintenancerun/x' })),
  })
  const tty = more.answers !== undefined
  const terminal = createFakeTerminal({ env: PLAIN, contract: fake.contract, tty, answers: more.answers ?? [] })
  return { fake, terminal }
}

describe('runs', () => {
  it('are followed by requests that have not started, with the name of its object and what it waits for', async () => {
    const { terminal, fake } = terminalWith()
    expect(await terminal.run('runs', 'lab')).toBe(0)
    expect(terminal.out()).toContain(WAITS.object)
    expect(fake.inputsOf('runner.asked')).toEqual([{ cluster: 'lab' }])
  })

  it('without requests say nothing about them, and where they could not be read, that there may be more', async () => {
    const none = terminalWith({ runs: [] })
    await none.terminal.run('runs')
    expect(none.terminal.out()).not.toContain('Asked')
    expect(none.terminal.err()).toBe('')
    const unread = terminalWith({ runs: [], unread: [UNREAD] })
    expect(await unread.terminal.run('runs')).toBe(0)
    expect(unread.terminal.err()).toContain(
      'so the list may be incomplete. Ask for the Role lockkeeper-reader of namespace lockkeeper',
    )
  })

  it('keep what ended unbegun short, and say how much more there is', async () => {
    const runs = Array.from({ length: 7 }, (_, at) =>
      sampleAsked({ object: `enter-${at}`, phase: 'Refused', over: true }),
    )
    const { terminal } = terminalWith({ runs })
    await terminal.run('runs')
    expect(terminal.out().match(/: Refused,/g)).toHaveLength(5)
    const all = terminalWith({ runs })
    await all.terminal.run('runs', '--asked')
    expect(all.terminal.out().match(/: Refused,/g)).toHaveLength(7)
  })

  it('as JSON are the runs alone, and no cluster is asked; with --asked the others, and what could not be read', async () => {
    const own = terminalWith()
    await own.terminal.run('runs', '-o', 'json')
    expect(own.terminal.json()).toMatchObject([{ id: '4f1c' }])
    expect(own.fake.inputsOf('runner.asked')).toEqual([])
    const asked = terminalWith({ unread: [UNREAD] })
    expect(await asked.terminal.run('runs', '--asked', '-o', 'json')).toBe(1)
    expect(asked.terminal.json()).toEqual({ runs: [WAITS], unread: [UNREAD] })
  })
})

describe('run show', () => {
  it('of the name of an object, or its beginning, is that, as JSON too', async () => {
    const json = terminalWith()
    await json.terminal.run('run', 'show', WAITS.object, '-o', 'json')
    expect(json.terminal.json()).toEqual(WAITS)
  })

  it('of the name of one that became a run is that run', async () => {
    const begun = sampleAsked({ phase: 'Done', runId: '4f1c', mirrored: true, over: true })
    const { fake, terminal } = terminalWith({ runs: [begun] })
    await terminal.run('run', 'show', begun.object, '-o', 'json')
    expect(fake.inputsOf('run.show')).toEqual([{ runId: '4f1c' }])
  })

  it('of a beginning that several have names them', async () => {
    const { terminal } = terminalWith({ runs: [WAITS, sampleAsked({ object: 'enter-cmp-2-123456789abc' })] })
    expect(await terminal.run('run', 'show', 'enter-')).toBe(2)
    expect(terminal.err()).toContain('enter-cmp-2-123456789abc')
  })
})

describe('run abort', () => {
  it('withdraws one that has not started, after a question, with the reason, and prints the answer of the runner', async () => {
    const { fake, terminal } = terminalWith({}, { answers: ['y'] })
    expect(await terminal.run('run', 'abort', WAITS.object, '--reason', 'change freeze')).toBe(0)
    expect(fake.inputsOf('runner.withdraw')).toEqual([
      { by: 'mgmt', namespace: 'lockkeeper', object: WAITS.object, reason: 'change freeze' },
    ])
  })

  it('withdraws nothing without a question, and prints a refusal in the runner’s words', async () => {
    const kept = terminalWith({}, { answers: ['n'] })
    expect(await kept.terminal.run('run', 'abort', WAITS.object)).toBe(4)
    expect(kept.fake.inputsOf('runner.withdraw')).toEqual([])
    const refused = terminalWith({}, { refused: 'It started meanwhile.' })
    expect(await refused.terminal.run('run', 'abort', WAITS.object, '--yes')).toBe(1)
    expect(refused.terminal.err()).toContain('It started meanwhile.')
  })
})

it('refuses any other control of one that has not started, and says what is possible', async () => {
  const { fake, terminal } = terminalWith()
  expect(await terminal.run('run', 'pause', WAITS.object)).toBe(1)
  expect(fake.inputsOf('run.pause')).toEqual([])
})

it('requests read as they should', async () => {
  const session = async (
    words: readonly string[],
    asked: Partial<AskedRuns> = {},
    more: Parameters<typeof terminalWith>[1] = {},
  ) => {
    const { terminal } = terminalWith(asked, more)
    await terminal.run(...words)
    return terminal.session()
  }
  const refused = Array.from({ length: 7 }, (_, at) =>
    sampleAsked({ object: `enter-${at}`, phase: 'Refused', over: true }),
  )
  const begun = sampleAsked({ phase: 'Running', runId: 'run-9', message: 'Draining.' })
  const { object } = WAITS
  const parts = {
    'One waits': await session(['runs', 'lab']),
    'None was requested': await session(['runs'], { runs: [] }),
    'They could not be read': await session(['runs'], { runs: [], unread: [UNREAD] }),
    'Many were refused': await session(['runs'], { runs: refused }),
    'One has started, and is not read here': await session(['runs'], { runs: [begun] }),
    'One is shown': await session(['run', 'show', 'enter-cmp-'], { runs: [sampleAsked({ campaign: 'night' })] }),
    'There is none of that name': await session(['run', 'show', 'zz'], { unread: [UNREAD] }),
    'It is withdrawn': await session(['run', 'abort', object], {}, { answers: ['y'] }),
    'It is kept': await session(['run', 'abort', object], {}, { answers: ['n'] }),
    'The runner refuses': await session(['run', 'abort', object, '--yes'], {}, { refused: 'It started meanwhile.' }),
    'It is asked something else': await session(['run', 'pause', object]),
  }
  await expect(transcript(parts)).toMatchFileSnapshot('transcripts/asked-runs.txt')
})
