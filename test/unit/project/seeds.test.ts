import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const HOUSE = resolve(import.meta.dirname, '../../..')
const page = readFileSync(resolve(HOUSE, 'docs/seeds.md'), 'utf8')
const PATH = '(?:main|shared|renderer|test|docs|resources)/[^`]+'
const at = (path: string) => resolve(HOUSE, path)

describe('docs/seeds.md', () => {
  test('names only paths that exist', () => {
    const named = [...page.matchAll(new RegExp(`\`(${PATH})\``, 'g'))].map(([, path]) => path ?? '')
    expect(named.length).toBeGreaterThan(100)
    expect([...new Set(named)].filter(path => !existsSync(at(path)))).toEqual([])
  })

  test('names only rules that exist in the test next to them', () => {
    const named = [...page.matchAll(new RegExp(`\`(test/${'[^`]+'})\` "([^"]+)"`, 'g'))]
    expect(named.length).toBeGreaterThan(50)
    const lost = named.filter(([, path = '', rule = '']) => {
      const file = at(path)
      return !(existsSync(file) && statSync(file).isFile() && readFileSync(file, 'utf8').includes(rule))
    })
    expect(lost.map(([, path, rule]) => `${path} "${rule}"`)).toEqual([])
  })

  test('has only complete rows, and each number once', () => {
    const rows = page.split('\n').filter(line => /^\| \d{3}-/.test(line))
    expect(rows.filter(row => row.split('|').length !== 8)).toEqual([])
    const numbers = rows.map(row => row.split('|')[1]?.trim())
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(rows.filter(row => !['demo', 'lab', 'both', 'unit', '-'].includes(row.split('|')[5]?.trim() ?? ''))).toEqual(
      [],
    )
  })
})
