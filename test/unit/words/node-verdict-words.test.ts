import { expect, test } from 'vitest'
import { verdictSentence } from '../../../shared/words/node-verdict.ts'

test.each([
  ['bad DIMM', 'nova-compute stays disabled, by someone else: bad DIMM.'],
  ['Masakari detected host failed.', 'nova-compute stays disabled, by Masakari: Masakari detected host failed.'],
  [null, 'nova-compute stays disabled, by someone else: no reason given.'],
  [
    'AUTO: Connection to libvirt lost: 1',
    'nova-compute disabled itself (AUTO: Connection to libvirt lost: 1) and enables itself as soon as libvirt answers.',
  ],
])('a node that takes no work for nova-compute with the reason %j', (reason, words) => {
  const by = [{ code: 'ComputeDisabled' as const, reason }]
  const said = verdictSentence('cmp-1', { kind: 'HeldBack', at: '', looked: [], by })
  expect(said).toBe(`cmp-1 takes no work yet: ${words}`)
})
