import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openJournal } from '../../../main/journal/journal.ts'
import { APPLICATION_ID } from '../../../main/journal/schema.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

let directory: string
let path: string
const clock = createVirtualClock()

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-journal-file-'))
  path = join(directory, 'data', 'journal.db')
})

afterEach(() => rm(directory, { recursive: true, force: true }))

const open = () => openJournal({ path, clock })
const modeOf = async (file: string) => (await stat(file)).mode & 0o777

/** Makes a database as some other program would. */
async function foreignDatabase(sql: string): Promise<void> {
  await mkdir(join(directory, 'data'))
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

describe('the journal is for this user alone', () => {
  test('from the moment it is made, with all files beside it, whatever the umask', async () => {
    const before = process.umask(0)
    try {
      const journal = valueIn(open())
      const files = await readdir(join(directory, 'data'))
      expect(files.sort()).toEqual(['journal.db', 'journal.db-shm', 'journal.db-wal'])
      for (const file of files) expect(await modeOf(join(directory, 'data', file)), file).toBe(0o600)
      expect(await modeOf(join(directory, 'data'))).toBe(0o700)
      journal.close()
    } finally {
      process.umask(before)
    }
  })

  test('also when it was left readable by others', async () => {
    valueIn(open()).close()
    await chmod(path, 0o644)
    valueIn(open()).close()
    expect(await modeOf(path)).toBe(0o600)
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
    const before = await readFile(path)
    expect(failureIn(open())).toMatchObject({ code: 'damaged', message: expect.stringContaining(path) })
    expect((await readFile(path)).equals(before)).toBe(true)
    expect(await readdir(join(directory, 'data'))).toEqual(['journal.db'])
  })

  test('an empty file is none: it becomes the journal', async () => {
    await mkdir(join(directory, 'data'))
    await writeFile(path, '')
    valueIn(open()).close()
    const database = new DatabaseSync(path, { readOnly: true })
    expect(database.prepare('PRAGMA application_id').get()).toEqual({ application_id: APPLICATION_ID })
    database.close()
  })
})

test.runIf(existsSync('/proc/self'))('a folder that can never be made is a failure, not a wait without end', () => {
  path = '/proc/lockkeeper/data/journal.db'
  expect(failureIn(open()).message).toContain(path)
})
