import { expect, test } from 'vitest'
import { maintenancesOf } from '../../../shared/domain/foreign-maintenance.ts'

const NODES = [{ name: 'cmp-1' }, { name: 'cmp-10' }, { name: 'cmp-2.b.example' }]

test.each([
  ['its name', 'cmp-1', true],
  ['its FQDN', 'cmp-1.a.example', true],
  ['a longer name', 'cmp-10', false],
  ['the name of another node', 'cmp-2.b.example', false],
])('a maintenance that names the node by %s', (_, named, isOf) => {
  const all = [{ node: named, code: 'NodeMaintenance', object: 'fix', reason: '' } as const]
  expect(maintenancesOf({ name: 'cmp-1', labels: {} }, all, NODES)).toHaveLength(isOf ? 1 : 0)
})
