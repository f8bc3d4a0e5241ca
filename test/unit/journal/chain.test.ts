import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { digestOf, hashOf, registerChainFunctions } from '../../../main/journal/chain-functions.ts'
import type { Journal } from '../../../main/journal/journal.ts'
import type { ChainLink, ChainRange, JournalEntry } from '../../../shared/domain/journal-chain.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
let journal: Journal
const draft = {
  cluster: 'east',
  title: 'Kernel',
  ticket: 'CHG-1',
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2026-01-01T04:00:00.000Z',
  timeZone: 'UTC',
  plan: { kind: 'open' },
  notes: '',
} as const

beforeEach(() => {
  journal = here.open()
})

function run(runId: string, cluster = 'east'): void {
  journal.createRun(runId, {
    kind: 'run-created',
    plan: { ...toyPlan([switchStep('first')]), cluster },
    driver: DRIVER,
  })
  journal.append(runId, { kind: 'paused' }, DRIVER)
}

/** One entry of every source, in the order: two run events, a window event, an edit, an observation, two run events. */
function everyKind(): void {
  run('run-1')
  valueIn(
    journal.windows.record({ id: 'w1', cluster: 'east' }, { kind: 'created', draft, by: 'eva', machine: 'm' }, null),
  )
  const edit = { operator: 'eva', machine: 'm', kind: 'host-mode', target: 'node/n', before: 'a', after: 'b' } as const
  valueIn(journal.edits.record({ cluster: 'east', node: null, refused: null, ...edit }))
  valueIn(
    journal.observations.record('east', 'u1', {
      kind: 'moment',
      moment: { kind: 'over', at: '2026-01-01T00:00:05.000Z', note: 'x' },
    }),
  )
  run('run-2', 'west')
}

/** Another hand, that takes the rules away first and puts them back. */
function tamper(sql: string): void {
  const other = new DatabaseSync(here.path)
  const rules = other.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of rules) other.exec(`DROP TRIGGER ${String(name)}`)
  other.exec(`PRAGMA foreign_keys = OFF; ${sql}`)
  for (const rule of rules) other.exec(String(rule.sql))
  other.close()
}

/** What a reader of a report recomputes, from the shared words alone. */
function holds(chain: ChainRange, entries: readonly JournalEntry[]): boolean {
  const digests = new Map(entries.map(entry => [`${entry.source}/${entry.sourceSeq}`, digestOf(entry)]))
  let before = chain.before
  for (const link of chain.links) {
    if (hashOf(before, link) !== link.hash) return false
    if ((digests.get(`${link.source}/${link.sourceSeq}`) ?? link.digest) !== link.digest) return false
    before = link.hash
  }
  return before === chain.after
}

const wish = { runIds: [], windowIds: [], around: [] }

describe('the chain', () => {
  test('holds every entry of every source, in the order in which they were written', () => {
    everyKind()
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: 7 })
    const range = valueIn(journal.report.extract({ ...wish, runIds: ['run-1', 'run-2'] })).chain
    expect(range.links.map(({ source }) => source)).toEqual([
      'run-event',
      'run-event',
      'window-event',
      'edit',
      'observation',
      'run-event',
      'run-event',
    ])
  })

  test('holds entries that one statement wrote together', () => {
    run('run-1')
    const other = new DatabaseSync(here.path)
    registerChainFunctions(other)
    other.exec(
      "INSERT INTO events (run_id, at, body) VALUES ('run-1', '', '{}'), ('run-1', '', '{}'), ('run-1', '', '{}')",
    )
    other.close()
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: 5 })
  })

  test('of an empty journal holds too', () => {
    expect(valueIn(journal.care.check()).chain).toEqual({ kind: 'holds', links: 0, head: '0'.repeat(64) })
  })

  test('cannot be left out by another program that writes into our tables', () => {
    run('run-1')
    const other = new DatabaseSync(here.path)
    const insert = "INSERT INTO events (run_id, at, body) VALUES ('run-1', '', '{}')"
    expect(() => other.exec(insert)).toThrow('no such function')
    registerChainFunctions(other)
    other.exec(insert)
    other.close()
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds', links: 3 })
  })

  test.each(['UPDATE chain SET digest = hash', 'DELETE FROM chain'])('is append-only: %s', sql => {
    run('run-1')
    const other = new DatabaseSync(here.path)
    expect(() => other.exec(sql)).toThrow('append-only')
    other.close()
  })

  test.each([
    ['entry-changed', 2, `UPDATE events SET body = '{"kind":"unpaused"}' WHERE seq = 2`],
    ['entry-changed', 2, `UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 2`],
    ['entry-changed', 2, "UPDATE events SET run_id = 'run-2' WHERE seq = 2"],
    ['entry-changed', 3, "UPDATE window_events SET body = '{}'"],
    ['entry-changed', 4, "UPDATE edits SET node = 'cmp-9'"],
    ['entry-changed', 5, "UPDATE observations SET cluster = 'west'"],
    ['entry-missing', 2, 'DELETE FROM events WHERE seq = 2'],
    ['entry-missing', 4, 'DELETE FROM edits'],
    ['link-changed', 3, "UPDATE chain SET digest = replace(digest, substr(digest, 1, 1), 'x') WHERE seq = 3"],
    ['link-missing', 3, 'DELETE FROM chain WHERE seq = 3'],
    ['link-missing', 7, 'DELETE FROM chain WHERE seq = 7; DELETE FROM events WHERE seq = 4'],
    ['entry-unchained', 7, "INSERT INTO events (run_id, at, body) VALUES ('run-1', '', '{}')"],
  ])('says %s at %i after %s', (why, seq, sql) => {
    everyKind()
    tamper(sql)
    const verdict = valueIn(journal.care.check()).chain
    expect(verdict).toMatchObject({ kind: 'broken', why, seq })
    expect(verdict).toHaveProperty('words', expect.stringMatching(/[a-z]/))
  })

  test('shows a gap also when somebody cut off its end and wrote on', () => {
    everyKind()
    tamper('DELETE FROM chain WHERE seq = 7; DELETE FROM events WHERE seq = 4')
    here.close()
    journal = here.open()
    journal.append('run-1', { kind: 'paused' }, DRIVER)
    expect(valueIn(journal.care.check()).chain).toMatchObject({ why: 'link-missing' })
  })
})

describe('an extract', () => {
  test('has the requested entries, letter by letter, and every link between the first and the last', () => {
    everyKind()
    const { entries, chain, damage } = valueIn(
      journal.report.extract({
        runIds: ['run-1', 'run-1'],
        windowIds: ['w1'],
        around: [{ cluster: 'east', from: '1970-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' }],
      }),
    )
    expect(entries.map(({ source, key }) => `${source} ${key}`)).toEqual([
      'run-event run-1',
      'run-event run-1',
      'window-event w1',
      'edit east/',
      'observation east/u1',
    ])
    expect(JSON.parse(entries[1]?.body ?? '')).toEqual({ kind: 'paused' })
    expect(chain.links.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(holds(chain, entries)).toBe(true)
    expect(damage).toEqual([])
  })

  test('of a later run begins with the hash of the link before it', () => {
    everyKind()
    const { entries, chain } = valueIn(journal.report.extract({ ...wish, runIds: ['run-2'] }))
    expect(chain.links.map(({ seq }) => seq)).toEqual([6, 7])
    expect(chain.before).toBe(journal.report.linkAt(5)?.hash)
    expect(holds(chain, entries)).toBe(true)
  })

  test('of nothing is empty', () => {
    everyKind()
    expect(valueIn(journal.report.extract({ ...wish, runIds: ['nowhere'] }))).toMatchObject({
      entries: [],
      chain: { links: [] },
      damage: [],
    })
    expect(journal.report.linkAt(99)).toBeNull()
  })

  test.each([
    ["UPDATE events SET body = '{}' WHERE seq = 2", 'run event 2'],
    ['DELETE FROM events WHERE seq = 2', 'run event 2'],
    ['DELETE FROM chain WHERE seq = 2', 'Link 2'],
    ["UPDATE chain SET digest = 'x' WHERE seq = 2", 'Link 2'],
  ])('names what differs from the written value: %s', (sql, words) => {
    run('run-1')
    run('run-2')
    journal.append('run-1', { kind: 'paused' }, DRIVER)
    tamper(sql)
    const { damage } = valueIn(journal.report.extract({ ...wish, runIds: ['run-1'] }))
    expect(damage.join('\n')).toContain(words)
    const other: readonly ChainLink[] = valueIn(journal.report.extract({ ...wish, runIds: ['run-2'] })).chain.links
    expect(
      other.map(({ seq }) => seq),
      'another run is not affected',
    ).toEqual([3, 4])
  })
})
