import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { readSource } from './source.ts'

const HOUSE = join(import.meta.dirname, '../../..')

/** Our files and the packages that are loaded with a file before it runs: its imports and theirs, but no types. */
function loadedWith(entry: string): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    const text = readFileSync(join(HOUSE, file), 'utf8')
    const { imports } = readSource(file, text)
    for (const { from, types, place } of imports) {
      if (from === null || types || text.startsWith('import(', place)) continue
      if (!from.startsWith('.')) found.add(from)
      else if (/\.tsx?$/.test(from)) look(relative(HOUSE, join(HOUSE, dirname(file), from)))
    }
  }
  look(entry)
  return found
}

test('the help loads no texts of reasons: they take a fifth of its time', () => {
  const loaded = loadedWith('main/compose/terminal/start.ts')
  expect(loaded).toContain('main/faces/cli/arguments/maintenance-commands.ts')
  expect([...loaded].filter(file => /^shared\/words\/reasons|^main\/(?:adapters|api|journal)\//.test(file))).toEqual([])
})

test('a command that only reads loads no engine, no windows, no live views, no wings', () => {
  const loaded = loadedWith('main/compose/reading-app.ts')
  expect(loaded).toContain('main/api/nodes.ts')
  const acting =
    /^main\/(?:app\.ts|lcm|run-control|reports|runs\/(?:engine\/run-engine|run-service)|clusters\/view\/views?\.ts|wings\/(?!simulators\/))/
  expect([...loaded].filter(file => acting.test(file))).toEqual([])
})
