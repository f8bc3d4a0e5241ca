import { describe, expect, test } from 'vitest'
import { importsOf, tokenize } from './lexer.ts'

describe('imports are read from', () => {
  test.each([
    ["import { a } from 'x'", 'x', false],
    ["import a from 'x'", 'x', false],
    ["import * as a from 'x'", 'x', false],
    ["import a, { b as c } from 'x'", 'x', false],
    ["import 'x'", 'x', false],
    ["import type { A } from 'x'", 'x', true],
    ["import type A from 'x'", 'x', true],
    ["import type * as A from 'x'", 'x', true],
    ["import type from 'x'", 'x', false],
    ["import { type A } from 'x'", 'x', false],
    ["import {\n  a,\n  b,\n} from 'x'", 'x', false],
    ["import data from 'x' with { type: 'json' }", 'x', false],
    ["export { a } from 'x'", 'x', false],
    ["export * from 'x'", 'x', false],
    ["export type { A } from 'x'", 'x', true],
    ["export type * from 'x'", 'x', true],
    ["const a = await import('x')", 'x', false],
    ["type A = typeof import('x')", 'x', false],
    ["const a = require('x')", 'x', false],
    ["const a = process.getBuiltinModule('x')", 'x', false],
    ["const a = import('x' + name)", '(computed)', false],
    ['const a = import(name)', '(computed)', false],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test is a template
    ["const a = `${await import('x')}`", 'x', false],
  ])('%s', (source, from, types) => {
    expect(importsOf(source)).toEqual([{ from, types, line: 1 }])
  })
})

describe('no import is seen in', () => {
  test.each([
    "// import 'x'",
    "/* import 'x' */",
    '"import \'x\'"',
    "`import 'x'`",
    "const re = /import 'x'/",
    "if (a) return /[/]'/.test(b) && \"import 'x'\"",
    'export const a = 1',
    'export function f(): void {}',
    "export type A = { readonly from: 'x' }",
    "export { a }\nconst from = 'x'",
    'const url = import.meta.url',
    "loader.require('x')",
  ])('%s', source => {
    expect(importsOf(source)).toEqual([])
  })
})

test('an import after a template, a division and an apostrophe on a screen is still seen, on its line', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test is a template
  const source = "const a = `x${ {b: '}'} }y`\nconst c = 4 / 2 / 1\nconst d = <p>don't</p>\nimport('z')"
  expect(importsOf(source)).toEqual([{ from: 'z', types: false, line: 4 }])
})

test('signs and words are told apart from texts', () => {
  expect(tokenize("Date.now('a')").map(token => `${token.kind} ${token.value}`)).toEqual([
    'word Date',
    'sign .',
    'word now',
    'sign (',
    'text a',
    'sign )',
  ])
})
