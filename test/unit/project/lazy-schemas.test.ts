import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { lazySchemas } from '../../../packaging/lazy-schemas.ts'
import * as source from '../../fixtures/packaging/shared/schemas.ts'

const FILE = join(import.meta.dirname, '../../fixtures/packaging/shared/schemas.ts')

async function bundled(): Promise<{ readonly code: string; readonly module: typeof source }> {
  const bundle = await rolldown({ input: FILE, plugins: [lazySchemas()], platform: 'node', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'es' })
  const { code } = output[0]
  return { code, module: await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`) }
}

const VALUES = [
  { kind: 'one', thing: { name: 'a', colour: 'red' } },
  { kind: 'two', things: [{ name: 'b', id: 3 }] },
  { kind: 'two', things: [{ name: '', id: 'x', more: 1 }] },
  { kind: 'three' },
  null,
]

test('schemas of a bundle are built at their first use, and answer as before', async () => {
  const { code, module } = await bundled()
  // Six statements: two are of a table, and one is in a function, which is left as it is.
  expect(code.match(/__lazySchema\(\(\) =>|lazySchema\(\(\) =>/g)).toHaveLength(5)
  expect(module.colours).toEqual(['red', 'blue'])
  expect(module.later().safeParse({ at: 'x' }).success).toBe(true)
  for (const value of VALUES) {
    for (const part of ['input', 'output'] as const) {
      const [lazy, plain] = [module, source].map(each => each.requests['thing.get'][part].safeParse(value))
      expect(JSON.parse(JSON.stringify(lazy))).toEqual(JSON.parse(JSON.stringify(plain)))
    }
  }
})
