import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { placeOldJournal } from '../../fixtures/journals/old-journals.ts'

let directory: string
let app: App

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-journal-api-'))
  app = valueIn(
    await createApp({
      dataDirectory: join(directory, 'data'),
      demo: false,
      face: { kind: 'serve', pickFiles: null, secrets: null },
    }),
  )
})
afterEach(async () => {
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a console takes an old journal over, lists and checks it, copies it, removes it, and takes it back', async () => {
  const { ask } = app.contract
  const file = join(directory, 'old.db')
  placeOldJournal('schema-3', file)
  expect(valueIn(await ask('journal.status', {}))).toMatchObject({ runs: 0, head: null, readOnly: null })
  expect(valueIn(await ask('journal.import', { path: file }))).toMatchObject({ runs: 2, known: 0 })
  const listed = valueIn(await ask('run.list', { cluster: null }))
  expect(listed.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['leave done', 'enter done'])

  const copy = join(directory, 'data', 'exports', 'copy.db')
  const { head, path } = valueIn(await ask('journal.export', { path: 'copy.db' }))
  expect(path).toBe(copy)
  expect(valueIn(await ask('journal.status', {})).head?.hash).toBe(head)
  expect(failureIn(await ask('journal.export', { path: copy })).code).toBe('conflict')

  const before = new Date(Date.now()).toISOString()
  const dry = valueIn(await ask('journal.prune', { before, dryRun: true }))
  expect(dry).toMatchObject({ runs: 2, archive: null })
  const pruned = valueIn(await ask('journal.prune', { before, dryRun: false }))
  expect(pruned.entries).toBe(dry.entries)
  expect(valueIn(await ask('run.list', { cluster: null }))).toEqual([])
  expect(valueIn(await ask('journal.check', {}))).toMatchObject({
    ok: true,
    words: expect.stringContaining('Retention'),
  })
  expect(valueIn(await ask('journal.import', { path: pruned.archive ?? '' }))).toMatchObject({ runs: 2 })
  expect(valueIn(await ask('run.list', { cluster: null }))).toEqual(listed)
  expect(valueIn(await ask('journal.check', {})).ok).toBe(true)
})

test('a page has its copy written to the folder of exports and nowhere else', async () => {
  const { ask } = app.contract
  const folder = join(directory, 'data', 'exports')
  for (const path of [
    '/etc/cron.d/lockkeeper-test',
    join(directory, 'copy.db'),
    '../copy.db',
    'a/b.db',
    '..',
    '.hidden',
    'a\0b',
    '',
    ' ',
    `${folder}/../copy.db`,
    `${folder}/a/b.db`,
    `${folder}x/copy.db`,
    'x'.repeat(200),
  ]) {
    expect(failureIn(await ask('journal.export', { path })).code, path).toBe('bad-input')
  }
  expect(existsSync('/etc/cron.d/lockkeeper-test')).toBe(false)
  expect(existsSync(join(directory, 'copy.db'))).toBe(false)
  const { path } = valueIn(await ask('journal.export', { path: 'copy.db' }))
  expect(path).toBe(join(folder, 'copy.db'))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a link in the place of that folder, or of the copy, is not followed', async () => {
  const { ask } = app.contract
  const folder = join(directory, 'data', 'exports')
  mkdirSync(join(directory, 'elsewhere'))
  symlinkSync(join(directory, 'elsewhere'), folder)
  expect(failureIn(await ask('journal.export', { path: 'copy.db' })).code).toBe('bad-input')
  rmSync(folder)
  mkdirSync(folder)
  symlinkSync(join(directory, 'elsewhere', 'copy.db'), join(folder, 'copy.db'))
  expect(failureIn(await ask('journal.export', { path: 'copy.db' })).code).toBe('conflict')
  expect(readdirSync(join(directory, 'elsewhere'))).toEqual([])
})

test('what is taken over is a file: a pipe keeps nobody waiting', async () => {
  const pipe = join(directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [pipe, '/dev/zero']) {
    expect(failureIn(await app.contract.ask('journal.import', { path })).code).toBe('bad-input')
  }
})
