import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'

const HOUSE = resolve(import.meta.dirname, '../../..')

/** The lines on which a file compares a value by its JSON text, where the order of fields decides. */
function comparedTexts(file: string, source: string): readonly string[] {
  if (!source.includes('JSON.stringify')) return []
  const { program } = parseSync(file, source)
  const found: string[] = []
  const isText = (node: { readonly start: number }) => source.startsWith('JSON.stringify(', node.start)
  new Visitor({
    BinaryExpression({ operator, left, right, start }) {
      if (!/^[=!]==?$/.test(operator) || !(isText(left) || isText(right))) return
      found.push(`${file}:${source.slice(0, start).split('\n').length}`)
    },
  }).visit(program)
  return found
}

test('values are compared by isSameJson, not by their texts', () => {
  const files = globSync('{main,shared,renderer}/**/*.{ts,tsx}', { cwd: HOUSE })
  expect(files.flatMap(file => comparedTexts(file, readFileSync(join(HOUSE, file), 'utf8')))).toEqual([])
})

test.each([
  ['if (JSON.stringify(a) === JSON.stringify(b)) c()', 1],
  ['const changed = kept !== JSON.stringify(b)', 1],
  ['const text = JSON.stringify(a === b)', 0],
  ['const same = isSameJson(a, JSON.stringify(b))', 0],
] as const)('of %s it finds %i', (source, count) => {
  expect(comparedTexts('main/a.ts', source)).toHaveLength(count)
})
