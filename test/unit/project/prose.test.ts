import { expect, test } from 'vitest'
import { filesOver, shrunk } from '../../prose/baseline.ts'
import { findingsOf, matchesIn } from '../../prose/find.ts'
import { PROSE } from '../../prose/pattern.ts'
import { PATTERNS } from '../../prose/patterns.ts'
import { piecesOf } from '../../prose/pieces.ts'

test.each(PATTERNS)('prose: "$bad" is found, "$fine" is not', pattern => {
  const kinds = pattern.kinds ?? PROSE
  for (const kind of kinds) {
    expect(matchesIn({ kind, start: 0, text: pattern.bad }, pattern)).not.toEqual([])
    expect(matchesIn({ kind, start: 0, text: pattern.fine }, pattern)).toEqual([])
  }
})

test.each([
  ['main/a.ts', '/** A plan\n * that is none. */', [2]],
  ['main/a.ts', '// The run goes\n// on without it.', [1]],
  ['main/a.ts', "const a = 'It is drawn anew.'", [1]],
  ['main/a.ts', `const a = \`It \${b ? 'is drawn anew' : ''}\nis drawn \${c} anew\``, [1, 2]],
  ['main/a.tsx', 'const a = <p>\n  It is drawn\n  anew.\n</p>', [3]],
  ['main/a.ts', 'interface RunnerStanding {}\nconst b: RunnerStanding = c', [1]],
  ['main/a.ts', 'interface A {\n  readonly nodeTales: B\n}', [2]],
  ['main/cloud-book.ts', 'const a = 1', [1]],
  ['docs/a.md', 'Drawn anew.\n\n    drawn anew\n\n`drawn anew`\n\n```\nanew\n```\nAfresh.', [1, 10]],
  ['resources/a.yaml', '# Drawn\n# anew.\ndescription: drawn afresh', [2, 3]],
  ['packaging/a.sh', '#!/bin/sh\n# Drawn anew.\nx="$#"', [2]],
  ['main/a.css', 'a {}\n/* Drawn\n * anew. */', [3]],
] as const)('prose: %s: %j has findings on these lines', (file, source, lines) => {
  expect(findingsOf(file, source).map(({ line }) => line)).toEqual(lines)
})

test.each([
  ['code in a comment', 'main/a.ts', '// See `is none`.'],
  ['a code', 'main/a.ts', "const a = 'anew'"],
  ['an import', 'main/a.ts', "import { a } from './told.ts'"],
  ['a regular expression', 'main/a.ts', 'const a = /it is told/'],
  ['a quotation', 'main/a.ts', "// prose-ignore: Nova's own words\nconst a = 'it is told'"],
])('prose: %s is no prose', (_, file, source) => {
  expect(findingsOf(file, source)).toEqual([])
})

test('prose: a text of a test is not a message', () => {
  expect(piecesOf('test/a.ts', "test('a rule', b)").map(({ kind }) => kind)).toEqual(['name', 'test text'])
})

test('prose: a file that cannot be parsed is an error', () => {
  expect(() => findingsOf('main/a.ts', 'const = 1')).toThrow('main/a.ts cannot be read')
})

test.each([
  ['fewer findings than allowed', { 'a.ts': 2 }, { 'a.ts': 1 }, []],
  ['as many as allowed', { 'a.ts': 2 }, { 'a.ts': 2 }, []],
  ['more than allowed', { 'a.ts': 2 }, { 'a.ts': 3 }, ['a.ts']],
  ['a file that is not listed', {}, { 'a.ts': 1 }, ['a.ts']],
  ['a moved file', { 'x/a.ts': 2 }, { 'y/a.ts': 2 }, []],
  ['a moved file with more', { 'x/a.ts': 2 }, { 'y/a.ts': 3 }, ['y/a.ts']],
  ['a file beside one of the same name', { 'x/a.ts': 2 }, { 'x/a.ts': 2, 'y/a.ts': 1 }, ['y/a.ts']],
])('prose: %s', (_, baseline, counts, over) => {
  expect(filesOver(baseline, new Map(Object.entries(counts)))).toEqual(over)
})

test('prose: a rewrite of the baseline lists files with findings, and never raises the total', () => {
  const counts = new Map([
    ['b.ts', 1],
    ['a.ts', 1],
    ['c.ts', 0],
  ])
  expect(JSON.stringify(shrunk({ 'old.ts': 2 }, counts))).toBe('{"a.ts":1,"b.ts":1}')
  expect(shrunk({ 'old.ts': 1 }, counts)).toBeNull()
})
