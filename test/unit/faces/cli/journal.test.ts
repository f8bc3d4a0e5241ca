import { describe, expect, test } from 'vitest'
import type { PruneAnswer, RequestOutput } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'

const whole: RequestOutput<'journal.check'> = {
  chain: { kind: 'holds', links: 12, head: 'ab12' },
  database: [],
  head: null,
  ok: true,
  words: 'The chain holds.',
}
const pruned: PruneAnswer = { before: '', runs: 2, windows: 1, entries: 40, archive: null }

describe('a journal that can only be read', () => {
  const why = 'The journal /data/journal.db has changed: it was emptied or removed.'
  const status: RequestOutput<'journal.status'> = {
    path: '/data/journal.db',
    schema: 5,
    readOnly: why,
    bytes: 0,
    roomBytes: null,
    runs: 0,
    windows: 0,
    entries: 0,
    oldestAt: null,
    head: null,
    signed: null,
  }
  const { contract } = createFakeContract({
    'journal.status': () => ok(status),
    'run.list': () => ok([]),
    'window.list': () => ok([]),
    'history.search': () => ok({ runs: [], windows: [], more: false }),
    'history.durations': () => ok({ measured: [], unreadable: [] }),
    'history.blockers': () => ok([]),
    'plan.make': () => ok(samplePlan()),
  })

  test.each([[['runs']], [['history']], [['history', 'durations']], [['history', 'blockers']], [['window', 'list']]])(
    'makes no claim of an empty list: %s',
    async words => {
      const terminal = createFakeTerminal({ contract })
      expect(await terminal.run(...words)).toBe(0)
      expect(terminal.out()).toBe('The journal has no such entries.\n')
      expect(terminal.err()).toContain(why)
    },
  )

  test('ends `journal status` with 1, and one that takes what happens with 0', async () => {
    expect(await createFakeTerminal({ contract }).run('journal', 'status')).toBe(1)
    const writable = createFakeContract({ 'journal.status': () => ok({ ...status, readOnly: null }) })
    expect(await createFakeTerminal({ contract: writable.contract }).run('journal', 'status')).toBe(0)
  })

  test.each([[['run', 'show', 'abc']], [['run', 'resume', 'abc']], [['report', 'abc']]])(
    'is why a run is not found: %s',
    async words => {
      const terminal = createFakeTerminal({ contract })
      expect(await terminal.run(...words)).toBe(1)
      expect(terminal.err()).toContain(`begins with abc. ${why}`)
    },
  )

  test.each([[['plan', 'enter', 'lab', 'cmp-1']], [['enter', 'lab', 'cmp-1', '--yes']]])(
    'lets nothing start, and no plan says that it can: %s',
    async words => {
      const terminal = createFakeTerminal({ contract })
      expect(await terminal.run(...words)).toBe(3)
      expect(terminal.out()).not.toContain('All checks held')
      expect(terminal.out().replaceAll(/\s+/g, ' ')).toContain(why)
    },
  )
})

describe('journal check', () => {
  test('ends with 0 when everything is unchanged', async () => {
    const { contract } = createFakeContract({ 'journal.check': () => ok(whole) })
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('journal', 'check')).toBe(0)
  })

  test.each([
    { ...whole, ok: false, words: 'The chain is broken at link 7.' },
    { ...whole, ok: false, words: 'The file is not whole.', database: ['page 3 is never used'] },
  ])('ends with 1 and says what is wrong', async answer => {
    const { contract } = createFakeContract({ 'journal.check': () => ok(answer) })
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('journal', 'check')).toBe(1)
    for (const words of [answer.words, ...answer.database]) expect(terminal.out()).toContain(words)
  })
})

test('journal check --head asks about what was written down, and ends with 1 when the chain does not contain it', async () => {
  const asked: unknown[] = []
  const missing = { ...whole, head: { kind: 'missing' }, ok: false, words: 'It does not contain the head.' } as const
  const { contract } = createFakeContract({
    'journal.check': input => {
      asked.push(input)
      return ok(missing)
    },
  })
  expect(await createFakeTerminal({ contract }).run('journal', 'check', '--head', 'ab'.repeat(32))).toBe(1)
  expect(asked).toEqual([{ head: 'ab'.repeat(32) }])
})

describe('journal accept', () => {
  test('continues only with a reason', async () => {
    const asked: unknown[] = []
    const { contract } = createFakeContract({
      'journal.accept': input => {
        asked.push(input)
        return ok({ head: { seq: 1, hash: 'ab12' }, words: 'Accepted.' })
      },
    })
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('journal', 'accept')).toBe(2)
    expect(await terminal.run('journal', 'accept', '--reason', 'the disk died')).toBe(0)
    expect(asked).toEqual([{ reason: 'the disk died' }])
  })
})

describe('journal prune', () => {
  const consoleOf = () => {
    const asked: { before: string; dryRun: boolean }[] = []
    const { contract } = createFakeContract({
      'journal.prune': input => {
        asked.push(input)
        return ok({ ...pruned, before: input.before, archive: input.dryRun ? null : '/data/journal-kept.db' })
      },
    })
    return { asked, terminal: createFakeTerminal({ contract }) }
  }

  test('looks first, removes then, and says where it is kept', async () => {
    const { asked, terminal } = consoleOf()
    expect(await terminal.run('journal', 'prune', '--before', '2026-01-31T12:00:00+02:00', '--yes')).toBe(0)
    expect(asked).toEqual([
      { before: '2026-01-31T10:00:00.000Z', dryRun: true },
      { before: '2026-01-31T10:00:00.000Z', dryRun: false },
    ])
  })

  test('only looks with --dry-run', async () => {
    const { asked, terminal } = consoleOf()
    expect(await terminal.run('journal', 'prune', '--before', '2026-01-31', '--dry-run')).toBe(0)
    expect(asked.map(({ dryRun }) => dryRun)).toEqual([true])
  })
})

test('the journal reads as it should', async () => {
  const status: RequestOutput<'journal.status'> = {
    path: '/data/journal.db',
    schema: 5,
    readOnly: null,
    bytes: 40_960,
    roomBytes: 1_000_000_000,
    runs: 2,
    windows: 1,
    entries: 40,
    oldestAt: '2026-01-01T00:00:00.000Z',
    head: { seq: 40, hash: 'ab12' },
    signed: null,
  }
  let checks = 0
  const { contract } = createFakeContract({
    'journal.status': () => ok(status),
    'journal.check': () => {
      checks += 1
      const broken = { ...whole, ok: false, words: 'The file is not whole.', database: ['page 3 is never used'] }
      return ok(checks === 1 ? whole : broken)
    },
    'journal.accept': () => ok({ head: { seq: 1, hash: 'ab12' }, words: 'Accepted.' }),
    'journal.prune': ({ before, dryRun }) =>
      ok({ ...pruned, before, archive: dryRun ? null : '/data/journal-kept.db' }),
    'journal.export': ({ path }) => failed(failure('conflict', `${path} is there already.`)),
  })
  const terminal = createFakeTerminal({ contract })
  await terminal.run('journal', 'status')
  await terminal.run('journal', 'check')
  await terminal.run('journal', 'check')
  await terminal.run('journal', 'accept', '--reason', 'the disk died')
  await terminal.run('journal', 'prune', '--before', '2026-01-31', '--dry-run')
  await terminal.run('journal', 'prune', '--before', '2026-01-31', '--yes')
  await terminal.run('journal', 'export', 'copy.db')
  await expect(terminal.session()).toMatchFileSnapshot('transcripts/journal.txt')
})

test('a copy goes to the working directory, as a whole path', async () => {
  const asked: string[] = []
  const { contract } = createFakeContract({
    'journal.export': ({ path }) => {
      asked.push(path)
      return failed(failure('conflict', `${path} is there already.`))
    },
  })
  const terminal = createFakeTerminal({ contract })
  expect(await terminal.run('journal', 'export', 'copy.db')).toBe(1)
  expect(asked[0]).toMatch(/^\/.*\/copy\.db$/)
})
