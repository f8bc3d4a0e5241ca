import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

let data: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'lockkeeper-sources-'))
})
afterAll(() => rm(data, { recursive: true, force: true }))

test.each([
  ['lists the clusters', ['cluster', 'list', '-o', 'json'], 0],
  ['opens the half that reads, and refuses', ['nodes', 'nowhere'], 1],
  ['opens the whole application, and refuses', ['run', 'show', 'nowhere'], 1],
] as const)('from its sources the terminal face does what its bundle does: it %s', async (_, args, code) => {
  expect(process.env.LOCKKEEPER_TEST_BUNDLE, 'all others are started from the bundle').toMatch(/lockkeeper\.mjs$/)
  const bundled = await lockkeeper(data, args)
  const sources = await lockkeeper(data, args, { LOCKKEEPER_TEST_BUNDLE: undefined })
  expect(sources).toEqual(bundled)
  expect(sources.code).toBe(code)
})
