import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import * as ours from '../../../renderer/icons/index.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')

/** The icons that these files import, each with one file that imports it. */
function asked(files: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const file of globSync(files, { cwd: HOUSE })) {
    const source = readFileSync(join(HOUSE, file), 'utf8')
    for (const [, list = ''] of source.matchAll(/import \{([^}]*)\} from ["']@blueprintjs\/icons(?:\/next)?["']/g)) {
      for (const name of list.split(',')) if (name.trim() !== '') names.set(name.trim(), file)
    }
  }
  return names
}

const BLUEPRINT = asked('node_modules/@blueprintjs/{core,select}/lib/esm/**/*.js')
const SCREENS = asked('renderer/**/*.{ts,tsx}')

test("our icons have everything that Blueprint's own code imports", () => {
  expect(BLUEPRINT.size).toBeGreaterThan(20)
  expect([...BLUEPRINT].filter(([name]) => !Object.hasOwn(ours, name))).toEqual([])
})

test('every icon is drawn by a screen or by a part of Blueprint', () => {
  const drawn = Object.keys(ours).filter(name => name.endsWith('Icon'))
  expect(drawn.filter(name => !SCREENS.has(name) && !BLUEPRINT.has(name))).toEqual([])
})

test("no other copy of Blueprint's icons is installed", () => {
  const lock = JSON.parse(readFileSync(join(HOUSE, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>
  }
  const copies = Object.entries(lock.packages).filter(([path]) => path.endsWith('node_modules/@blueprintjs/icons'))
  expect(copies).toEqual([['node_modules/@blueprintjs/icons', { resolved: 'renderer/icons', link: true }]])
})
