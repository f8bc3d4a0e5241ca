import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const UNIT = join(import.meta.dirname, '..')
/** What reaches into the modules of the files that run after it in the same process. */
const REPLACES_MODULES = /\bvi\.(mock|resetModules)\(/

test('a test that replaces modules has a process of its own, by its name, and no other has', () => {
  const files = globSync('**/*.test.ts', { cwd: UNIT }).filter(file => file !== 'project/alone.test.ts')
  const replacing = files.filter(file => REPLACES_MODULES.test(readFileSync(join(UNIT, file), 'utf8')))
  expect(replacing.length).toBeGreaterThan(0)
  expect(files.filter(file => file.endsWith('.alone.test.ts')).sort()).toEqual(replacing.sort())
})
