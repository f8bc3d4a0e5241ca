import { expect, test } from 'vitest'
import { maintenancesOf } from '../../../shared/domain/foreign-maintenance.ts'
import { foreignMaintenanceWords } from '../../../shared/words/foreign-maintenances.ts'

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

test('of a program that wrote thousands of objects few are named, and the others counted', () => {
  const of = (code: 'NodeMaintenance' | 'HostToBeOff', at: number) =>
    ({ node: 'cmp-1', code, object: `o-${String(at).padStart(6, '0')}`, reason: '' }) as const
  const all = [
    ...Array.from({ length: 100_000 }, (_, at) => of('NodeMaintenance', 99_999 - at)),
    ...[2, 0, 1].map(at => of('HostToBeOff', at)),
  ]
  const reported = maintenancesOf({ name: 'cmp-1', labels: {} }, all, NODES)
  expect(reported.map(({ code, object, more }) => [code, object, more])).toEqual([
    ['NodeMaintenance', 'o-000000', undefined],
    ['NodeMaintenance', 'o-000001', undefined],
    ['NodeMaintenance', 'o-000002', 99_997],
    ['HostToBeOff', 'o-000000', undefined],
    ['HostToBeOff', 'o-000001', undefined],
    ['HostToBeOff', 'o-000002', undefined],
  ])
  expect(reported.map(foreignMaintenanceWords)[2]).toBe(
    'The NodeMaintenance o-000002 of medik8s takes cmp-1 out of service. 99,997 more objects ask for the same.',
  )
})
