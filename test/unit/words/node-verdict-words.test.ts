import { expect, test } from 'vitest'
import type { NodeVerdict, StayReason } from '../../../shared/domain/node-verdict.ts'
import { verdictBadge, verdictSentence } from '../../../shared/words/node-verdict.ts'

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

const left = (name: string, code: StayReason) => ({ id: name, name, code, status: 'ACTIVE', decided: null })
const notEmpty = (more: Partial<Extract<NodeVerdict, { kind: 'NotEmpty' }>>): NodeVerdict => ({
  kind: 'NotEmpty',
  at: '',
  looked: [],
  instances: [],
  pods: [],
  unread: [],
  declined: [],
  ...more,
})

test.each([
  [
    'runs',
    notEmpty({ instances: [left('web-01', 'StillRuns')] }),
    'Not empty: 1',
    'cmp-1 is not empty: web-01 still runs on it. Do not power it off.',
  ],
  [
    'is forced down, with an instance',
    notEmpty({ forcedDown: true, instances: [left('web-01', 'NotRescued')] }),
    '1 not rescued',
    '1 instance of cmp-1 is not rescued: web-01 is still on it in Nova.',
  ],
  [
    'is forced down, with an instance that somebody left',
    notEmpty({ forcedDown: true, instances: [left('cache-01', 'LeftHere')] }),
    '1 not rescued',
    '1 instance of cmp-1 is not rescued: cache-01 is still on it in Nova.',
  ],
  [
    'is forced down, with an instance that left and may be reverted',
    notEmpty({ forcedDown: true, instances: [left('web-01', 'AwaitsConfirmation')] }),
    'Not empty: 1',
    'cmp-1 is not empty: web-01 left it, but can still be reverted to it.',
  ],
  [
    'is forced down, with pods only',
    notEmpty({ forcedDown: true, pods: ['default/a'] }),
    'Not empty: 1',
    'cmp-1 still has pods in Kubernetes: 1 pod that had to leave: default/a.',
  ],
])('the words about a node that %s', (_, verdict, badge, sentence) => {
  expect(verdictBadge(verdict)).toBe(badge)
  expect(verdictSentence('cmp-1', verdict)).toBe(sentence)
})
