import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

/** Runs in the copy of `npm run check:core` alone, where each wing is a stub. */
const FACE = { kind: 'terminal', pickFiles: null, secrets: null } as const

let directory: string
let app: App
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-core-app-'))
  app = valueIn(await createApp({ dataDirectory: directory, demo: false, face: FACE, logTo: () => {} }))
})
afterEach(async () => {
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

test('the application opens, and answers what is of the core', async () => {
  expect(valueIn(await app.contract.ask('cluster.list', {}))).toEqual([])
  expect(valueIn(await app.contract.ask('run.list', { cluster: null, limit: 10 }))).toEqual([])
})

test.each([
  ['runner.list', { cluster: null }],
  ['campaign.list', { cluster: 'lab' }],
  ['mail.show', {}],
  ['gates.test', { cluster: 'lab' }],
  ['demo.show', {}],
] as const)('%s is refused with the part that is missing', async (name, input) => {
  expect(await app.contract.ask(name, input as never)).toMatchObject({
    ok: false,
    failure: { code: 'not-found', reason: 'PartLeftOut', values: { what: name } },
  })
})

test('a demo is refused with the part that is missing', async () => {
  const demo = await createApp({ demo: true, face: FACE, logTo: () => {} })
  expect(demo).toMatchObject({ ok: false, failure: { reason: 'PartLeftOut', values: { what: 'embedded clouds' } } })
})
