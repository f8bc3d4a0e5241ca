import { expect, test } from 'vitest'
import type { BatchBreach } from '../../../shared/domain/batch-findings.ts'
import { breachWords, wordedCapacity, wordedLeft } from '../../../shared/words/batch-findings.ts'

const SEVEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

test.each<[BatchBreach, string]>([
  [
    { code: 'NodesNotReady', values: { nodes: ['a'] } },
    'a is not Ready: maintenance starts only with nodes that report.',
  ],
  [
    {
      code: 'TooManyOfRole',
      values: {
        role: 'compute',
        nodes: SEVEN,
        limit: { most: 6, by: 'asked', beyond: { most: 5, by: 'cluster-setting' } },
      },
    },
    '7 compute nodes at a time (a, b, c, d, e and 2 more), but the limit is 6 (as requested; more than the 5 of cloud setting).',
  ],
  [
    { code: 'OsdsDownTogether', values: { nodes: ['a', 'b'], away: ['b'], because: { is: 'unclear', nodes: ['b'] } } },
    'OSDs of a, b could be down together (b is already out). Cannot tell which OSDs b has, so one host at a time.',
  ],
  [
    {
      code: 'QuorumLost',
      values: { what: 'etcd', total: 3, staying: 1, needed: 2, nodes: ['a'], goes: ['etcd-a'], out: ['etcd-b'] },
    },
    'Only 1 of 3 members of etcd would stay, but 2 are needed (on a: etcd-a; not serving or already out: etcd-b).',
  ],
  [
    {
      code: 'InstancesWithoutPlace',
      values: { moving: 9, total: 7, instances: SEVEN.map(name => ({ name, host: 'cmp-1' })) },
    },
    '7 of 9 instances that must move find no room: a on cmp-1, b on cmp-1, c on cmp-1, d on cmp-1, e on cmp-1 and 2 more.',
  ],
])('what a batch breaks is one sentence or two: $0.code', (breach, words) => {
  expect(breachWords(breach)).toBe(words)
})

test('every doubt has one sentence beside its code', () => {
  const capacity = wordedCapacity({
    kind: 'cannot-tell',
    moving: 4,
    doubts: [
      { code: 'GroupsNotRead', values: {} },
      { code: 'FlavorNotTold', values: { instances: ['vm-1', 'vm-2', 'vm-3', 'vm-4'], total: 60 } },
    ],
  })
  expect(capacity).toMatchObject({
    doubts: [{ code: 'GroupsNotRead' }, { code: 'FlavorNotTold', values: { total: 60 } }],
    why: 'server groups could not be read; Nova does not show the flavor of vm-1, vm-2, vm-3 and 57 more.',
  })
})

test('a node that is left out has each reason with its code', () => {
  const needs = { vcpus: 4, ramMib: 8192 }
  expect(
    wordedLeft({
      node: 'cmp-1',
      reasons: [
        { code: 'OnlyBeforeOthers', values: {} },
        { code: 'NoRoomLeft', values: { zone: 'az1', hosts: 1, needs } },
      ],
    }),
  ).toEqual({
    node: 'cmp-1',
    reasons: [
      { code: 'OnlyBeforeOthers', values: {} },
      { code: 'NoRoomLeft', values: { zone: 'az1', hosts: 1, needs } },
    ],
    why: 'It could go before the others, but not after them. The 1 host of zone az1 it may go to has no room (4 vCPUs, 8 GiB of memory) left for it beside the other moves.',
  })
})
