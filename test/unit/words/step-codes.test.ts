import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const HOUSE = resolve(import.meta.dirname, '../../..')
const CATALOGUES = globSync('shared/words/steps/*.ts', { cwd: HOUSE }).map(file => join(HOUSE, file))
const KINDS = ['FINDINGS', 'FAULTS', 'READS'] as const

/** The codes that a catalogue has itself, without those that it takes from another one. */
function codesIn(source: string, kind: (typeof KINDS)[number]): readonly string[] {
  const tables = source.matchAll(new RegExp(`^export const \\w+_${kind} = \\{\\n(.*?)^\\}`, 'gms'))
  return [...tables].flatMap(([, table = '']) =>
    [...table.matchAll(/^ {2}(\w+): /gm)].flatMap(([, code]) => code ?? []),
  )
}

const ALL = KINDS.map(kind => ({ kind, codes: CATALOGUES.flatMap(file => codesIn(readFileSync(file, 'utf8'), kind)) }))

test.each(ALL)('$kind: a code is in one catalogue, or one text would silently replace another', ({ codes }) => {
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([])
})

test.each(ALL)('$kind: a code names a condition in CamelCase, and a procedure gives it', ({ codes }) => {
  expect(codes.filter(code => !/^[A-Z][A-Za-z]+$/.test(code))).toEqual([])
  const procedures = globSync('main/**/*.ts', { cwd: HOUSE }).map(file => readFileSync(join(HOUSE, file), 'utf8'))
  expect(codes.filter(code => procedures.every(source => !source.includes(`'${code}'`)))).toEqual([])
})
