import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const HOUSE = join(import.meta.dirname, '../../..')
const read = (name: string) => readFileSync(join(HOUSE, name), 'utf8')

test('the changelog begins with the version of package.json and the day on which it was made', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string }
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  expect(headings[0]).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')}, \\d{4}-\\d\\d-\\d\\d$`))
  expect(new Set(headings).size).toBe(headings.length)
})
