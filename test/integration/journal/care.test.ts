import { mkdtempSync, rmSync } from 'node:fs'
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

  const copy = join(directory, 'copy.db')
  const { head } = valueIn(await ask('journal.export', { path: copy }))
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
