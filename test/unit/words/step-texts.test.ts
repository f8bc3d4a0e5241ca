import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { named, someNamed } from '../../../shared/words/steps/coded.ts'

const ROOT = join(import.meta.dirname, '../../..')

const FOLDER = 'shared/words/steps'

/** The tables of the catalogues, such as `FAULTS`, with the codes of each and where they are. */
async function codesOf(table: string): Promise<readonly { readonly code: string; readonly file: string }[]> {
  const files = readdirSync(join(ROOT, FOLDER)).filter(file => file !== 'coded.ts')
  const found = await Promise.all(
    files.map(async file => {
      const catalogue: Readonly<Record<string, object>> = await import(join(ROOT, FOLDER, file))
      const tables = Object.entries(catalogue).filter(([name]) => name.endsWith(`_${table}`))
      return tables.flatMap(([, texts]) => Object.keys(texts).map(code => ({ code, file })))
    }),
  )
  return found.flat()
}

function twice(codes: readonly { readonly code: string; readonly file: string }[]): readonly string[] {
  return codes
    .filter(({ code }, at) => codes.findIndex(other => other.code === code) < at)
    .map(({ code, file }) => `${code} in ${file}`)
}

describe('the codes of what steps find', () => {
  it('have one text each: a second one would take the place of the first', async () => {
    expect(twice([...(await codesOf('FINDINGS')), ...(await codesOf('FAULTS'))])).toEqual([])
    expect(twice(await codesOf('READS'))).toEqual([])
    expect(twice(await codesOf('STEPS'))).toEqual([])
  })

  it('are all in the one list of texts', async () => {
    const list = readFileSync(join(ROOT, 'shared/words/step-texts.ts'), 'utf8')
    const files = [...(await codesOf('FINDINGS')), ...(await codesOf('FAULTS'))].map(({ file }) => file)
    expect([...new Set(files)].filter(file => !list.includes(`./steps/${file}'`))).toEqual([])
  })
})

describe('a list as a value', () => {
  const many = Array.from({ length: 60 }, (_, at) => `n${at}`)

  it.each([
    [[], 5, ''],
    [['a', 'b'], 5, 'a, b'],
    [['a', 'b', 'c'], 2, 'a, b and 1 more'],
    [many, 2, 'n0, n1 and 58 more'],
  ])('%#: names the first few, and counts them all', (all, most, text) => {
    expect(someNamed(named(all), most)).toBe(text)
  })

  it('has 50 names at most', () => {
    expect(named(many)).toMatchObject({ total: 60, names: many.slice(0, 50) })
    expect(someNamed(named(many))).toMatch(/n49 and 10 more$/)
  })
})
