import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openJournal } from '../../../main/journal/journal.ts'
import { openDatabase, openDatabaseToLook } from '../../../main/journal/open-journal.ts'
import { APPLICATION_ID } from '../../../main/journal/schema.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal('data/journal.db')
const { clock } = here

const open = () => openJournal({ path: here.path, clock })
const modeOf = async (file: string) => (await stat(file)).mode & 0o777

/** Makes a database as some other program would. */
async function foreignDatabase(sql: string): Promise<void> {
  await mkdir(join(here.directory, 'data'))
  const database = new DatabaseSync(here.path)
  database.exec(sql)
  database.close()
}

describe('the journal is for this user alone', () => {
  test('from the moment it is made, with all files beside it, whatever the umask', async () => {
    const before = process.umask(0)
    try {
      const journal = valueIn(open())
      const files = await readdir(join(here.directory, 'data'))
      expect(files.sort()).toEqual(['journal.db', 'journal.db-shm', 'journal.db-wal'])
      for (const file of files) expect(await modeOf(join(here.directory, 'data', file)), file).toBe(0o600)
      expect(await modeOf(join(here.directory, 'data'))).toBe(0o700)
      journal.close()
    } finally {
      process.umask(before)
    }
  })

  test('also when it was left readable by others', async () => {
    valueIn(open()).close()
    await chmod(here.path, 0o644)
    valueIn(open()).close()
    expect(await modeOf(here.path)).toBe(0o600)
  })
})

test('what was written is on disk when the write returns: each commit is flushed', () => {
  const { database, close } = valueIn(openDatabase(here.path))
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  // 2 is FULL (SQLite: PRAGMA synchronous).
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  close()
})

describe('a journal into which another hand put what runs when it is asked', () => {
  const ENDLESS = 'WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT n AS seq FROM more'
  test.each([
    ['a view in the place of a table', `DROP TABLE chain; CREATE VIEW chain AS ${ENDLESS}`, 'a view chain'],
    ['a rule', 'CREATE TRIGGER t BEFORE INSERT ON runs BEGIN SELECT 1; END', 'a trigger t'],
    [
      'a column that is computed',
      'ALTER TABLE runs ADD COLUMN x TEXT AS (hex(id))',
      'its table runs has an unknown definition',
    ],
  ])('%s: nothing in it is read, and it is left as it is', async (_, sql, words) => {
    valueIn(open()).close()
    const other = new DatabaseSync(here.path)
    other.exec(sql)
    other.close()
    const before = await readFile(here.path)
    expect(failureIn(open())).toMatchObject({ code: 'damaged', message: expect.stringContaining(words) })
    expect(failureIn(openDatabaseToLook(here.path)).message).toContain(words)
    expect((await readFile(here.path)).equals(before)).toBe(true)
  })

  test('an extra table or index runs nothing: it is opened, and a check says so', () => {
    valueIn(open()).close()
    const other = new DatabaseSync(here.path)
    other.exec('CREATE TABLE notes (body TEXT); CREATE INDEX mine ON runs (pid)')
    other.close()
    const journal = here.open()
    expect(journal.readOnly).toBeNull()
    expect(valueIn(journal.care.check()).words).toContain("The table notes is not one of Lockkeeper's")
  })
})

describe('a database of another program', () => {
  test.each([
    ['without a version', 'CREATE TABLE notes (body TEXT)'],
    ['with our version', 'CREATE TABLE notes (body TEXT); PRAGMA user_version = 1'],
    ['with its own application id', 'PRAGMA application_id = 42; CREATE TABLE notes (body TEXT)'],
    ['in WAL mode', 'PRAGMA journal_mode = WAL; CREATE TABLE notes (body TEXT)'],
  ])('%s is refused by name and left byte for byte', async (_, sql) => {
    await foreignDatabase(sql)
    const before = await readFile(here.path)
    expect(failureIn(open())).toMatchObject({ code: 'damaged', message: expect.stringContaining(here.path) })
    expect((await readFile(here.path)).equals(before)).toBe(true)
    expect(await readdir(join(here.directory, 'data'))).toEqual(['journal.db'])
  })

  test('an empty file does not count: it becomes the journal', async () => {
    await mkdir(join(here.directory, 'data'))
    await writeFile(here.path, '')
    valueIn(open()).close()
    const database = new DatabaseSync(here.path, { readOnly: true })
    expect(database.prepare('PRAGMA application_id').get()).toEqual({ application_id: APPLICATION_ID })
    database.close()
  })
})

describe('what a process that died, or a hand, left of a journal', () => {
  const log = () => `${here.path}-wal`
  const driver = { operator: 'eva', machine: 'laptop-1', pid: 7, version: '0.0.0', id: 'd', bootId: 'b', epoch: 1 }

  /** A journal of this many events, as a killed process leaves it: all but its first page is in the log. */
  function killed(events: number): void {
    const alive = join(here.directory, 'alive', 'journal.db')
    const journal = valueIn(openJournal({ path: alive, clock }))
    journal.createRun('run-1', { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver })
    for (let at = 1; at < events; at += 1) journal.append('run-1', { kind: 'paused' }, driver)
    mkdirSync(join(here.directory, 'data'))
    for (const end of ['', '-wal']) copyFileSync(`${alive}${end}`, `${here.path}${end}`)
    journal.close()
  }

  /** Brings only the first page from the log into the file: its header says from then on how long the whole file would be. */
  function cutCheckpoint(): void {
    const frames = readFileSync(log())
    const pageSize = frames.readUInt32BE(8)
    const page = [...Array((frames.length - 32) / (24 + pageSize)).keys()]
      .map(at => frames.subarray(32 + at * (24 + pageSize), 32 + (at + 1) * (24 + pageSize)))
      .findLast(frame => frame.readUInt32BE(0) === 1)
    if (page === undefined) throw new Error('the log has a first page')
    const whole = readFileSync(here.path)
    page.copy(whole, 0, 24)
    writeFileSync(here.path, whole)
    expect(whole.readUInt32BE(28) * pageSize, 'the file is shorter than it says').toBeGreaterThan(whole.length)
  }

  const bytes = () => [here.path, log()].map(file => (existsSync(file) ? readFileSync(file) : null))

  test('a checkpoint that was cut in half loses nothing: it opens to be written', () => {
    killed(30)
    cutCheckpoint()
    const journal = valueIn(open())
    expect(journal.readOnly).toBeNull()
    expect(valueIn(journal.events('run-1'))).toHaveLength(30)
    journal.append('run-1', { kind: 'paused' }, driver)
    expect(valueIn(journal.care.check())).toMatchObject({ ok: true, chain: { links: 31 } })
    journal.close()
  })

  test('a file that is cut off, beside a log that does not hold the rest, is only read, and no message asks for a new start', () => {
    killed(30)
    cutCheckpoint()
    const whole = readFileSync(log())
    writeFileSync(log(), whole.subarray(0, 32 + 24 + whole.readUInt32BE(8)))
    const before = bytes()
    const answer = open()
    const failure = answer.ok ? answer.value.readOnly : answer.failure
    expect(failure?.message).toContain('cut off')
    expect(failure?.message).not.toContain('start a new one')
    if (answer.ok) answer.value.close()
    expect(bytes()).toEqual(before)
  })

  test('an emptied file is not a new journal while its log holds events: they are read, and both stay as they are', () => {
    killed(30)
    writeFileSync(here.path, '')
    const before = bytes()
    const journal = valueIn(open())
    expect(journal.readOnly?.message).toContain('was emptied')
    expect(valueIn(journal.events('run-1'))).toHaveLength(30)
    expect(() => journal.append('run-1', { kind: 'paused' }, driver)).toThrow('was emptied')
    journal.close()
    expect(bytes()).toEqual(before)
  })

  test('an empty file beside the log of another program is refused, and both stay as they are', () => {
    const other = join(here.directory, 'other.db')
    const database = new DatabaseSync(other)
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (body TEXT)')
    mkdirSync(join(here.directory, 'data'))
    copyFileSync(`${other}-wal`, log())
    database.close()
    writeFileSync(here.path, '')
    const before = bytes()
    expect(failureIn(open()).message).toContain('not of a journal of Lockkeeper')
    expect(bytes()).toEqual(before)
  })

  test('a file whose first page was never wholly written becomes the journal', () => {
    // What SQLite leaves: a rollback journal that says that there was nothing before.
    const half = join(here.directory, 'half.db')
    const database = new DatabaseSync(half)
    database.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE a (b); PRAGMA cache_size = 1`)
    for (let at = 0; at < 50; at += 1) database.exec(`CREATE TABLE a${at} (b)`)
    mkdirSync(join(here.directory, 'data'))
    copyFileSync(`${half}-journal`, `${here.path}-journal`)
    writeFileSync(here.path, readFileSync(half).subarray(0, 60))
    database.close()
    const journal = valueIn(open())
    expect(journal.readOnly).toBeNull()
    journal.close()
  })
})

test.runIf(existsSync('/proc/self'))('a folder that can never be made is a failure, not a wait without end', () => {
  here.path = '/proc/lockkeeper/data/journal.db'
  expect(failureIn(open()).message).toContain(here.path)
})
