import { expect, test } from 'vitest'
import { groupedWaits } from '../../../renderer/ui/runs/grouped-waits.ts'
import { sampleWaits } from '../../fixtures/cli/sample-waits.ts'

const waits = sampleWaits()
const kept = (pod: string, since: string) => ({ ...waits.EvictionNotCarriedOut, pod, since })

test('waits with one remedy are one, since the first of them', () => {
  const early = '2026-11-21T10:00:00.000Z'
  const groups = groupedWaits([
    kept('openstack/db-0', '2026-11-21T10:00:05.000Z'),
    waits.FinalizerKeepsPod,
    kept('openstack/db-1', early),
  ])
  expect(groups.map(({ first, whats }) => [first.code, whats.length])).toEqual([
    ['EvictionNotCarriedOut', 2],
    ['FinalizerKeepsPod', 1],
  ])
  expect(groups[0]?.since).toBe(early)
})

test('waits of two nodes, and what owners answer, stay apart', () => {
  const away = { ...kept('openstack/db-1', '2026-11-21T10:00:05.000Z'), node: 'cmp-9' }
  expect(groupedWaits([waits.EvictionNotCarriedOut, away])).toHaveLength(2)
  const other = { ...waits.LeftToOwners, instances: [{ id: 'id-9', name: 'db-9' }] }
  expect(groupedWaits([waits.LeftToOwners, other])).toHaveLength(2)
})
