import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const HOUSE = join(import.meta.dirname, '../../..')

/** Whether a source loads the package when it runs: types are gone by then, and so is `import type`. */
function loads(source: string): boolean {
  return /^(?:import|export) (?!type )[^'"]*['"]@kubernetes\/client-node|(?<!typeof )import\(\s*'@kubernetes\/client-node/m.test(
    source,
  )
}

test('one file loads @kubernetes/client-node, when a kubeconfig needs it: each start would pay for loading it (decision 0002)', () => {
  expect(loads("import { KubeConfig } from '@kubernetes/client-node'")).toBe(true)
  expect(loads("import type { V1Node } from '@kubernetes/client-node'")).toBe(false)
  const files = globSync('{main,shared,renderer}/**/*.{ts,tsx}', { cwd: HOUSE })
  const loading = files.filter(file => loads(readFileSync(join(HOUSE, file), 'utf8')))
  expect(loading).toEqual(['main/adapters/kubernetes/client-node.ts'])
  const [only = ''] = loading
  expect(readFileSync(join(HOUSE, only), 'utf8')).not.toMatch(/^import (?!type )[^'"]*'@kubernetes/m)
})

test('the headers that prove a user come from its KubeConfig: no other file writes one (decision 0002)', () => {
  const writes = /\b(?:Authorization|Impersonate-User)['"]?:|`(?:Bearer|Basic) /
  expect(writes.test("{ 'Impersonate-User': name }")).toBe(true)
  const room = 'main/adapters/kubernetes'
  const files = globSync(`${room}/*.ts`, { cwd: HOUSE })
  const writing = files.filter(file => writes.test(readFileSync(join(HOUSE, file), 'utf8')))
  expect(writing).toEqual([`${room}/client-node.ts`])
})
