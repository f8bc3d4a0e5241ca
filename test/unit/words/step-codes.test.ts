import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const STEPS = new URL('../../../shared/words/steps/', import.meta.url)

/** The codes of one kind of text, each with the catalogue that has it. */
async function codesOf(kind: string): Promise<readonly (readonly [code: string, catalogue: string])[]> {
  const catalogues = await Promise.all(
    readdirSync(STEPS).map(async file => {
      const texts: Readonly<Record<string, unknown>> = await import(new URL(file, STEPS).href)
      return Object.entries(texts).flatMap(([name, codes]) =>
        name.endsWith(`_${kind}`) && typeof codes === 'object' && codes !== null
          ? Object.keys(codes).map(code => [code, file] as const)
          : [],
      )
    }),
  )
  return catalogues.flat()
}

test.each(['STEPS', 'FINDINGS', 'FAULTS', 'READS'])(
  'a code of %s is in one catalogue: in two, one text would take the place of the other',
  async kind => {
    const codes = await codesOf(kind)
    expect(codes.length).toBeGreaterThan(0)
    const byCode = Map.groupBy(codes, ([code]) => code)
    expect([...byCode].filter(([, those]) => those.length > 1)).toEqual([])
  },
)
