import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const UNIT = join(import.meta.dirname, '..')
/** Calls that change the modules of files that run later in the same process. */
const REPLACES_MODULES = /\bvi\.(mock|resetModules)\(/

test('only tests that replace modules have their own process, and their names say so', () => {
  const files = globSync('**/*.test.ts', { cwd: UNIT }).filter(file => file !== 'project/alone.test.ts')
  const replacing = files.filter(file => REPLACES_MODULES.test(readFileSync(join(UNIT, file), 'utf8')))
  expect(replacing.length).toBeGreaterThan(0)
  expect(files.filter(file => file.endsWith('.alone.test.ts')).sort()).toEqual(replacing.sort())
})
