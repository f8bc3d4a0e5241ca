import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openFoundation } from '../../../main/compose/foundation.ts'

let temporary: string

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'lockkeeper-foundation-'))
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(temporary, { recursive: true, force: true })
})

const face = { kind: 'terminal', pickFiles: null, secrets: null } as const

it('a demo whose journal cannot be opened leaves no folder behind', async () => {
  const dataDirectory = join(temporary, 'data')
  mkdirSync(dataDirectory)
  writeFileSync(join(dataDirectory, 'journal.db'), 'no database')
  expect((await openFoundation({ dataDirectory, demo: true, face })).ok).toBe(false)
  expect(readdirSync(temporary)).toEqual(['data'])
})
