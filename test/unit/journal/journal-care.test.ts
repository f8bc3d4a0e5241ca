import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { hashOf } from '../../../main/journal/chain-functions.ts'
import type { Journal } from '../../../main/journal/journal.ts'
import { CHAIN_BEGIN, EntrySource } from '../../../shared/domain/journal-chain.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { journalAt } from '../../fixtures/journals/journal-at.ts'
import { OLD_JOURNALS, placeOldJournal } from '../../fixtures/journals/old-journals.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
const by = { operator: 'eva', machine: 'laptop-1' }

function open(at = here.path) {
  const made = journalAt(at)
  here.open(made.journal)
  return made
}

const idsIn = (journal: Journal) => valueIn(journal.rows({ cluster: null })).map(({ id }) => id)
const bodiesIn = (journal: Journal, id: string) => valueIn(journal.events(id)).map(({ at, body }) => ({ at, body }))
const targetsIn = (journal: Journal, cluster = 'east') =>
  valueIn(journal.edits.list({ cluster, node: null, limit: 99 })).map(({ target }) => target)

/** Another hand, without our rules. */
function tamper(sql: string, file = here.path): void {
  const other = new DatabaseSync(file)
  other.enableDefensive(false)
  const rules = other.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of rules) other.exec(`DROP TRIGGER ${String(name)}`)
  other.exec(`PRAGMA foreign_keys = OFF; ${sql}`)
  for (const rule of rules) other.exec(String(rule.sql))
  other.close()
}

/** Makes the chain of a journal again, with its run events in another order: every hash and digest of it is right. */
function rechained(path: string, order: (eventSeq: number) => number): void {
  const other = new DatabaseSync(path)
  const links = other
    .prepare('SELECT source, source_seq, digest FROM chain ORDER BY seq')
    .all()
    .map(link => ({
      source: EntrySource.parse(link.source),
      sourceSeq: Number(link.source_seq),
      digest: String(link.digest),
    }))
  const digests = new Map(links.map(({ source, sourceSeq, digest }) => [`${source}/${sourceSeq}`, digest]))
  other.exec('DROP TRIGGER chain_is_never_changed')
  const update = other.prepare('UPDATE chain SET source_seq = ?, digest = ?, hash = ? WHERE seq = ?')
  const park = other.prepare('UPDATE chain SET source_seq = -seq WHERE seq = ?')
  for (const at of links.keys()) park.run(at + 1)
  let before = CHAIN_BEGIN
  for (const [at, { source, sourceSeq }] of links.entries()) {
    const seq = at + 1
    const moved = source === 'run-event' ? order(sourceSeq) : sourceSeq
    const digest = digests.get(`${source}/${moved}`) ?? ''
    before = hashOf(before, { seq, digest })
    update.run(moved, digest, before, seq)
  }
  other.close()
}

describe('a check', () => {
  test('of a whole journal says so, and what the head of its chain is', () => {
    const { journal, run } = open()
    run('run-1', '2026-01-01', '2026-01-02')
    const { ok, words, database, chain } = valueIn(journal.care.check())
    expect([ok, database]).toEqual([true, []])
    expect(chain.kind === 'holds' && words.includes(chain.head)).toBe(true)
    expect(valueIn(journal.care.status())).toMatchObject({
      path: here.path,
      runs: 1,
      entries: 3,
      readOnly: null,
      oldestAt: '2026-01-01T00:00:00.000Z',
      head: { seq: 3 },
    })
  })

  test.each([
    ['a rule that is gone', 'DROP TRIGGER events_are_never_deleted', 'The trigger events_are_never_deleted is missing'],
    ['a run listed under another cluster', "UPDATE runs SET cluster = 'west'", 'The list shows run run-1 as west'],
    ['a run listed under another node', "UPDATE runs SET node = 'cmp-9'", 'cmp-9'],
    [
      'a run listed as of another day',
      "UPDATE runs SET created_at = '2025-01-01T00:00:00.000Z'",
      'its first event has 2026-01-01T00:00:00.000Z',
    ],
    ['a run that is not listed', 'DELETE FROM runs', 'Run run-1 has events but is missing in the list of runs'],
    [
      'a window listed under another cluster',
      "UPDATE window_events SET cluster = 'west'",
      'Window event 1 of w1 is listed under another cloud, west',
    ],
    ['a table of somebody else', 'CREATE TABLE notes (body TEXT)', "The table notes is not one of Lockkeeper's"],
  ])('finds %s', (_, sql, words) => {
    const { journal, run, window } = open()
    window('w1', '2026-01-01', '2026-01-02')
    run('run-1', '2026-01-01', '2026-01-02')
    if (sql.startsWith('DROP')) {
      const hand = new DatabaseSync(here.path)
      hand.exec(sql)
      hand.close()
    } else tamper(sql)
    const checked = valueIn(journal.care.check())
    expect(checked.ok).toBe(false)
    expect(checked.words).toContain(words)
  })
})

describe('a copy', () => {
  test('is whole, for this user alone, of one moment, and of a chain that holds', () => {
    const { journal, run } = open()
    run('run-1', '2026-01-01', '2026-01-02')
    const to = join(here.directory, 'copy.db')
    const exported = valueIn(journal.care.copyTo(to))
    expect(exported).toMatchObject({ path: to, runs: 1, bytes: statSync(to).size })
    expect(statSync(to).mode & 0o777).toBe(0o600)
    run('run-2', '2026-01-03', null)
    const copy = open(to).journal
    expect(idsIn(copy)).toEqual(['run-1'])
    expect(bodiesIn(copy, 'run-1')).toEqual(bodiesIn(journal, 'run-1'))
    expect(valueIn(copy.care.check())).toMatchObject({ ok: true, chain: { head: exported.head } })
  })

  test('never replaces an existing file', () => {
    const { journal } = open()
    const to = join(here.directory, 'letter')
    writeFileSync(to, 'dear all')
    expect(failureIn(journal.care.copyTo(to))).toMatchObject({ code: 'conflict', message: expect.stringContaining(to) })
    expect(readFileSync(to, 'utf8')).toBe('dear all')
    expect(failureIn(journal.care.copyTo(here.path)).code).toBe('conflict')
  })

  test('into a folder that is not there says so and leaves nothing', () => {
    const { journal } = open()
    expect(failureIn(journal.care.copyTo(join(here.directory, 'none', 'copy.db'))).message).toContain('none')
    expect(failureIn(journal.care.copyTo('copy.db')).message).toContain('"copy.db" names no folder')
  })
})

describe('an import', () => {
  function other() {
    const made = open(join(here.directory, 'other.db'))
    made.window('w1', '2026-01-01', '2026-01-03')
    made.run('run-1', '2026-01-01', '2026-01-02', { window: 'w1' })
    made.run('left', '2026-01-02', null)
    made.edit('2026-01-02', 'node/a')
    made.observe('2026-01-02', 'u1')
    made.window('later', '2030-01-01', '2030-01-02', { closed: false })
    return made
  }
  const file = () => join(here.directory, 'other.db')

  test('takes finished runs, with their times, and chains them here', () => {
    const there = other()
    const { journal, run, at } = open()
    run('mine', '2026-02-01', '2026-02-02')
    at('2026-03-01')
    const taken = valueIn(journal.care.importFrom({ file: file(), by }))
    expect(taken).toMatchObject({ runs: 1, windows: 1, known: 0 })
    expect(taken.words).toContain('The chain of')
    expect(taken.words).toContain('run left, window later')
    expect(idsIn(journal)).toEqual(['mine', 'run-1'])
    expect(['mine', 'run-1', 'left'].map(id => journal.care.isImported(id))).toEqual([false, true, false])
    expect(bodiesIn(journal, 'run-1')).toEqual(bodiesIn(there.journal, 'run-1'))
    expect(journal.windows.windowOf('run-1')).toBe('w1')
    expect(valueIn(journal.windows.events('w1'))).toHaveLength(2)
    expect(targetsIn(journal)).toEqual(['node/a'])
    expect(journal.observations.lastUpdate('east')).toBe('u1')
    expect(valueIn(journal.care.check()).ok).toBe(true)
  })

  test('a second time takes nothing and writes nothing; later it takes what has ended by then', () => {
    const there = other()
    const { journal, at } = open()
    at('2026-03-01')
    valueIn(journal.care.importFrom({ file: file(), by }))
    const head = valueIn(journal.care.status()).head
    expect(valueIn(journal.care.importFrom({ file: file(), by }))).toMatchObject({ runs: 0, windows: 0, known: 2 })
    expect(valueIn(journal.care.status()).head).toEqual(head)
    there.at('2026-03-02')
    const driver = { id: 'driver-1', epoch: 1 }
    there.journal.append('left', { kind: 'run-finished', outcome: 'done', summary: '', leftBehind: [] }, driver)
    expect(valueIn(journal.care.importFrom({ file: file(), by }))).toMatchObject({ runs: 1, known: 2 })
  })

  test('only reads that file, and makes nothing beside it', () => {
    other()
    here.close()
    const before = readFileSync(file())
    const { journal, at } = open()
    at('2026-03-01')
    valueIn(journal.care.importFrom({ file: file(), by }))
    expect(readFileSync(file()).equals(before)).toBe(true)
    expect(readdirSync(here.directory).filter(name => name.startsWith('other'))).toEqual(['other.db'])
  })

  test.each(OLD_JOURNALS)('reads %s of an older program unchanged, and says that its chain is unknown', name => {
    placeOldJournal(name, file())
    const before = readFileSync(file())
    const { journal, at } = open()
    at('2026-12-01')
    const taken = valueIn(journal.care.importFrom({ file: file(), by }))
    expect(taken).toMatchObject({ runs: 2, words: expect.stringContaining('is older than the chain of journals') })
    expect(readFileSync(file()).equals(before)).toBe(true)
    expect(valueIn(journal.care.check()).ok).toBe(true)
  })

  test.each([
    ['whose chain is broken', () => tamper("UPDATE events SET body = '{}' WHERE seq = 2", file()), 'chain is broken'],
    ['of a newer program', () => tamper('PRAGMA user_version = 99', file()), 'newer Lockkeeper'],
    ['that is a letter', () => writeFileSync(file(), 'dear all'.repeat(100)), 'other.db'],
    ['that is not there', () => rmSync(file()), '/other.db does not exist'],
  ])('from a file %s takes nothing', (_, spoil, words) => {
    other()
    here.close()
    spoil()
    const { journal, run } = open()
    run('mine', '2026-02-01', null)
    expect(failureIn(journal.care.importFrom({ file: file(), by })).message).toContain(words)
    expect(idsIn(journal)).toEqual(['mine'])
  })

  /** What somebody gives the place of a table, by which a question never ends. */
  const ENDLESS =
    'WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT n AS seq, 1 AS source FROM more'
  test.each([
    ['a view in the place of a table', `DROP TABLE chain; CREATE VIEW chain AS ${ENDLESS}`, 'a view chain'],
    ['an extra view', `CREATE VIEW more AS ${ENDLESS}`, 'a view more'],
    ['an extra trigger', 'CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END', 'a trigger t'],
    ['an extra table', 'CREATE TABLE notes (body TEXT)', 'a table notes'],
    [
      'a table with another definition',
      'ALTER TABLE runs ADD COLUMN x TEXT AS (hex(id))',
      'its table runs has an unknown definition. Nothing was imported',
    ],
    ['a table that is gone', 'DROP TABLE signals', 'its table signals is missing'],
    [
      'a table that is described twice',
      `PRAGMA writable_schema = ON; INSERT INTO sqlite_schema
         SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = 'events'`,
      'describes table events twice',
    ],
    [
      'a view under the name of a table',
      `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 0, sql = 'CREATE VIEW chain AS ${ENDLESS}' WHERE name = 'chain'`,
      'its table chain has an unknown definition. Nothing was imported',
    ],
  ])('from a file with %s takes nothing, and asks it nothing', (_, sql, words) => {
    other()
    here.close()
    const hand = new DatabaseSync(file())
    hand.enableDefensive(false)
    hand.exec(`PRAGMA foreign_keys = OFF; ${sql}`)
    hand.close()
    const { journal } = open()
    const said = failureIn(journal.care.importFrom({ file: file(), by })).message
    expect(said).toContain(words)
    expect(said).toContain('Nothing')
    expect(idsIn(journal)).toEqual([])
  })

  test.each([
    [
      'a run under another cluster',
      "UPDATE runs SET cluster = 'west' WHERE id = 'run-1'",
      'The list shows run run-1 as west',
    ],
    ['a run of another kind', "UPDATE runs SET kind = 'leave' WHERE id = 'run-1'", 'leave'],
    [
      'a run as of another day',
      "UPDATE runs SET created_at = '2025-01-01T00:00:00.000Z'",
      'its first event has 2026-01-01T00:00:00.000Z',
    ],
    [
      'a window under another cluster',
      "UPDATE window_events SET cluster = 'west'",
      'Window event 1 of w1 is listed under another cloud, west',
    ],
  ])('from a file that lists %s takes nothing, and this journal stays whole', (_, sql, words) => {
    other()
    here.close()
    tamper(sql, file())
    const { journal, at } = open()
    at('2026-03-01')
    const said = failureIn(journal.care.importFrom({ file: file(), by }))
    expect(said).toMatchObject({ code: 'damaged', message: expect.stringContaining(words) })
    expect(idsIn(journal)).toEqual([])
    expect(valueIn(journal.care.check())).toMatchObject({ ok: true, chain: { links: 0 } })
  })

  test('from a file whose entries are chained in another order than they are numbered takes nothing', () => {
    other()
    here.close()
    // The end of run-1 is chained before its pause: here the run would not have ended, and could be resumed.
    rechained(file(), seq => (seq === 2 ? 3 : seq === 3 ? 2 : seq))
    const { journal, at } = open()
    at('2026-03-01')
    expect(failureIn(journal.care.importFrom({ file: file(), by })).message).toContain('no journal has this order')
    expect(idsIn(journal)).toEqual([])
  })

  test('from itself is refused', () => {
    expect(failureIn(open().journal.care.importFrom({ file: here.path, by })).message).toContain('is this journal')
  })
})

describe('retention', () => {
  const before = '2026-02-01T00:00:00.000Z'

  function year() {
    const made = open()
    made.run('old', '2026-01-01', '2026-01-02')
    made.window('w-old', '2026-01-03', '2026-01-05')
    made.run('in-old', '2026-01-04', '2026-01-04', { window: 'w-old' })
    made.edit('2026-01-02', 'node/old')
    made.observe('2026-01-02', 'u-old')
    made.run('left', '2026-01-10', null, { cluster: 'west' })
    made.edit('2026-01-09', 'node/before-left', 'west')
    made.edit('2026-01-11', 'node/around-left', 'west')
    made.run('across', '2026-01-31', '2026-02-02')
    made.window('w-long', '2026-01-20', '2026-02-10', { closed: false })
    made.run('in-long', '2026-01-21', '2026-01-22', { window: 'w-long' })
    made.edit('2026-01-21', 'node/in-long')
    made.run('new', '2026-02-05', '2026-02-06')
    made.at('2026-03-01')
    return made
  }
  const prune = (journal: Journal, dryRun = false) => journal.care.prune({ before, dryRun, by })

  test('removes what ended before a day, and nothing else', () => {
    const { journal } = year()
    const pruned = valueIn(prune(journal))
    expect(pruned).toMatchObject({ before, runs: 2, windows: 1 })
    expect(idsIn(journal).toSorted()).toEqual(['across', 'in-long', 'left', 'new'])
    expect(targetsIn(journal)).toEqual(['node/in-long'])
    expect(targetsIn(journal, 'west')).toEqual(['node/around-left'])
    expect(journal.observations.lastUpdate('east')).toBeNull()
    expect(valueIn(journal.windows.events('w-old'))).toEqual([])
    expect(bodiesIn(journal, 'in-long')).toHaveLength(3)
  })

  test('differs from a loss: the chain stays valid, and says who removed what', () => {
    const { journal, run } = year()
    const links = valueIn(journal.care.status()).head?.seq ?? 0
    const { archive } = valueIn(prune(journal))
    const { ok, chain, words } = valueIn(journal.care.check())
    expect(ok).toBe(true)
    expect(chain).toMatchObject({ kind: 'holds', links: links + 1 })
    expect(words).toContain(`eva removed 2 runs and 1 window that ended before ${before}`)
    expect(words).toContain(archive)
    expect(valueIn(journal.report.extract({ runIds: ['across', 'left'], windowIds: [], around: [] })).damage).toEqual(
      [],
    )
    run('next', '2026-03-02', '2026-03-03')
    tamper("DELETE FROM events WHERE run_id = 'next'")
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'broken', why: 'entry-missing' })
  })

  test('keeps a whole copy beside the journal first, from which it can be taken back', () => {
    const { journal } = year()
    const whole = idsIn(journal)
    const events = bodiesIn(journal, 'old')
    const archive = valueIn(prune(journal)).archive ?? ''
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    const copy = open(archive).journal
    expect(idsIn(copy)).toEqual(whole)
    expect(valueIn(copy.care.check()).ok).toBe(true)
    expect(valueIn(journal.care.importFrom({ file: archive, by }))).toMatchObject({ runs: 2, windows: 1 })
    expect(bodiesIn(journal, 'old')).toEqual(events)
    expect(targetsIn(journal)).toContain('node/old')
    expect(valueIn(journal.care.check()).ok).toBe(true)
  })

  test('tells beforehand what it would remove, and leaves all as it is', () => {
    const { journal } = year()
    // How much room the disk has is everybody's.
    const status = () => ({ ...valueIn(journal.care.status()), roomBytes: 0 })
    const head = status()
    const dry = valueIn(prune(journal, true))
    expect(dry.archive).toBeNull()
    expect(status()).toEqual(head)
    expect(readdirSync(here.directory).filter(name => name.startsWith('journal-'))).toEqual([])
    expect({ ...valueIn(prune(journal)), archive: null }).toEqual(dry)
    expect(valueIn(prune(journal)), 'a second time there is nothing').toMatchObject({ entries: 0, archive: null })
  })

  test('leaves nothing to a reader of the file: what was removed is no longer in it', () => {
    const { journal } = year()
    valueIn(prune(journal))
    here.close()
    expect(readFileSync(here.path).includes('node/old')).toBe(false)
  })

  test('leaves the rules in their place', () => {
    const { journal } = year()
    valueIn(prune(journal))
    const other = new DatabaseSync(here.path)
    for (const table of ['events', 'edits', 'window_events', 'chain']) {
      expect(() => other.exec(`DELETE FROM ${table}`), table).toThrow('append-only')
    }
    other.close()
  })

  test('over a broken chain removes nothing', () => {
    const { journal } = year()
    tamper("UPDATE edits SET body = '{}' WHERE seq = 1")
    expect(failureIn(prune(journal)).message).toContain('chain is broken')
    expect(idsIn(journal)).toHaveLength(6)
  })

  test('where the copy cannot be written removes nothing', () => {
    const { journal } = year()
    mkdirSync(join(here.directory, 'journal-2026-03-01T00-00-00-000Z.db'))
    expect(prune(journal).ok).toBe(false)
    expect(idsIn(journal)).toHaveLength(6)
  })

  test.each(['yesterday', '2026-01-01', '2999-01-01T00:00:00.000Z'])('before %s is refused', when => {
    const { journal, at } = open()
    at('2026-03-01')
    expect(failureIn(journal.care.prune({ before: when, dryRun: true, by })).message).toContain(when)
  })

  test('killed in the middle leaves all of it: record and removal are one', () => {
    const { journal } = year()
    // What a crash leaves: the file and its log as they are before the commit.
    const torn = join(here.directory, 'torn')
    mkdirSync(torn)
    const other = new DatabaseSync(here.path)
    other.exec('BEGIN IMMEDIATE; DROP TRIGGER events_are_never_deleted; DELETE FROM events')
    for (const end of ['', '-wal']) copyFileSync(`${here.path}${end}`, join(torn, `journal.db${end}`))
    other.exec('ROLLBACK')
    other.close()
    const after = open(join(torn, 'journal.db')).journal
    expect(idsIn(after)).toEqual(idsIn(journal))
    expect(valueIn(after.care.check()).ok).toBe(true)
  })
})
