import { expect, test } from 'vitest'
import { hostPart } from '../../../renderer/features/topology/node-name.tsx'

test.each([
  ['cmp-01', 'cmp-01'],
  ['compute-01.rack-17.example.net', 'compute-01'],
  ['10.0.4.17', '10.0.4.17'],
])('of the node %s the tile keeps %s longest', (name, host) => {
  expect(hostPart(name)).toBe(host)
})
