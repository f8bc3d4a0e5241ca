import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MUTANTS } from '../../mutants/all.ts'
import { changed, tableProblems } from '../../mutants/check-table.ts'
import type { Mutant } from '../../mutants/mutant.ts'
import { outcomeOf } from '../../mutants/play.ts'
import { projectOf, type VitestRun } from '../../mutants/vitest-run.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('each line that a mutant breaks exists exactly once, and the file of the test that must catch it exists', () => {
  expect(tableProblems(MUTANTS, ROOT)).toEqual([])
})

test('every file of the table is part of it', () => {
  const all = readFileSync(join(ROOT, 'test/mutants/all.ts'), 'utf8')
  for (const file of readdirSync(join(ROOT, 'test/mutants/table'))) expect(all).toContain(`'./table/${file}'`)
})

const SOUND: Mutant = {
  name: 'sound',
  harm: 'Nothing is lost.',
  changes: [{ file: 'package.json', from: '"name": "lockkeeper"', to: '"name": "other"' }],
  caughtBy: { kind: 'test', file: 'test/unit/project/mutants.test.ts', title: 'each line' },
}

test.each<[string, Partial<Mutant>]>([
  ['its name is not kebab-case', { name: 'Not Kebab' }],
  ['its harm is not a sentence', { harm: 'nothing' }],
  ['it changes nothing', { changes: [] }],
  ['there is no file main/gone.ts', { changes: [{ file: 'main/gone.ts', from: 'a', to: 'b' }] }],
  ['package.json has 0 times: "no such line"', { changes: [{ file: 'package.json', from: 'no such line', to: '' }] }],
  [
    'the change of package.json changes nothing: "\\"private\\": true"',
    { changes: [{ file: 'package.json', from: '"private": true', to: '"private": true' }] },
  ],
  [
    'test/e2e/x.test.ts is in no project of vitest.config.ts',
    { caughtBy: { kind: 'test', file: 'test/e2e/x.test.ts', title: 'x' } },
  ],
  ['there is no file test/unit/x.test.ts', { caughtBy: { kind: 'test', file: 'test/unit/x.test.ts', title: 'x' } }],
  ['it names no test', { caughtBy: { kind: 'test', file: 'test/unit/project/mutants.test.ts', title: '' } }],
  ['it gives the simulation no schedule', { caughtBy: { kind: 'simulation', schedules: 0 } }],
])('a table with a fault is refused: %s', (problem, fault) => {
  expect(tableProblems([SOUND], ROOT)).toEqual([])
  const name = fault.name ?? SOUND.name
  expect(tableProblems([{ ...SOUND, ...fault }], ROOT)).toEqual([`${name}: ${problem}`])
})

test('a line that occurs twice, and a name that two mutants have, are refused', () => {
  expect(() => changed('a b a', { file: 'f', from: 'a', to: 'c' })).toThrow('f has 2 times: "a"')
  expect(tableProblems([SOUND, SOUND], ROOT)).toEqual(['sound: another mutant has its name'])
})

test('a change keeps text that looks like a replacement pattern', () => {
  expect(changed('a b', { file: 'f', from: 'b', to: '$&$1' })).toBe('a $&$1')
})

const NAMED = { kind: 'test', file: 'test/unit/a.test.ts', title: 'keeps its promise' } as const
const ran = (status: string, why = '', fullName = 'a thing keeps its promise'): VitestRun => ({
  kind: 'reported',
  played: [{ file: NAMED.file, fullName, status, why, tookMs: 1 }],
  broken: [],
})

test.each<[string, VitestRun, boolean]>([
  ['the named test failed by an assertion', ran('failed', 'AssertionError: expected 1 to be 2'), true],
  ['the named test failed by an unrelated error', ran('failed', 'TypeError: cannot read a of null'), true],
  ['the named test passed', ran('passed'), false],
  ['another test failed', ran('failed', 'AssertionError', 'something else'), false],
  ['the named test was skipped', ran('skipped'), false],
  ['the change does not compile', ran('failed', 'SyntaxError: Unexpected token'), false],
  ['the change uses an undeclared name', ran('failed', 'ReferenceError: x is not defined'), false],
  ['the file could not be loaded', { kind: 'reported', played: [], broken: ['a.test.ts: Failed to load'] }, false],
  ['it hung without a report', { kind: 'hung' }, false],
  ['Vitest ended without a report', { kind: 'no-report', said: 'out of memory' }, false],
])('a mutant is caught only by the named test itself: %s', (_, run, caught) => {
  expect(outcomeOf(run, NAMED).caught).toBe(caught)
})

test('a test runs in the project of vitest.config.ts that has its file', () => {
  const files = [
    'unit/renderer/a.test.ts',
    'unit/renderer/a.alone.test.ts',
    'contract/a.test.ts',
    'integration/a.test.ts',
  ]
  expect(files.map(file => projectOf(`test/${file}`))).toEqual(['renderer', 'alone', 'rules', 'consoles'])
})
