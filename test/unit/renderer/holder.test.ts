import { expect, test } from 'vitest'
import { withoutNode } from '../../../renderer/features/topology/holder.tsx'

test.each([
  ['Move instances off cmp-1', 'Move instances'],
  ['Disable nova-compute of cmp-1', 'Disable nova-compute'],
  ['Cordon cmp-1', 'Cordon'],
  ['Cordon cmp-10', 'Cordon cmp-10'],
  ['Waits: web-1 is still on cmp-1, left to its owner.', 'Waits: web-1 is still on cmp-1, left to its owner.'],
  ['Checking.', 'Checking.'],
])('%s', (words, shorter) => {
  expect(withoutNode(words, 'cmp-1')).toBe(shorter)
})
