import { describe, expect, test } from 'vitest'
import type { NodeSummary } from '../../../shared/domain/node-summary.ts'
import { claimsOnNode, othersOnNode, othersOnNodes, urgentOthersOnNode } from '../../../shared/words/others-on-node.ts'

type Others = Pick<NodeSummary, 'maintainedBy' | 'taints'>

const MEDIK8S: Others = {
  maintainedBy: [{ node: 'cmp-1', code: 'NodeMaintenance', object: 'fix-disk', reason: 'broken disk' }],
  taints: [{ taint: 'medik8s.io/drain:NoSchedule', owner: 'medik8s' }],
}
const GPU: Others = { taints: [{ taint: 'gpu=a100:NoSchedule', owner: 'unknown' }] }

describe('what others do to a node', () => {
  test.each<[string, Others, readonly string[]]>([
    ['nothing that is known', {}, []],
    ['nothing', { maintainedBy: [], taints: [] }, []],
    ['a maintenance and a taint', MEDIK8S, ['medik8s: maintenance', 'taint of medik8s']],
    ['a taint with an unknown owner', GPU, ['taint gpu=a100:NoSchedule']],
    [
      'two taints of one owner, once',
      {
        taints: [
          { taint: 'karpenter.sh/disrupted:NoSchedule', owner: 'karpenter' },
          { taint: 'karpenter.sh/disruption=x:NoSchedule', owner: 'karpenter' },
        ],
      },
      ['taint of Karpenter'],
    ],
    [
      'annotations of Cluster API and Metal3',
      {
        maintainedBy: [
          { node: 'cmp-1', code: 'MachineMarkedForRemediation', object: 'm/1', reason: '' },
          { node: 'cmp-1', code: 'HostRebootAsked', object: 'h/1', reason: '' },
        ],
      },
      ['Cluster API: remediation', 'Metal3: reboot'],
    ],
  ])('has a few words: %s', (_, node, words) => {
    expect(othersOnNode(node)).toEqual(words)
  })

  test('is urgent except for a taint with an unknown owner, which usually says what the node is for', () => {
    expect(urgentOthersOnNode({ ...MEDIK8S, taints: [...(MEDIK8S.taints ?? []), ...(GPU.taints ?? [])] })).toEqual([
      'medik8s: maintenance',
      'taint of medik8s',
    ])
    expect(urgentOthersOnNode(GPU)).toEqual([])
  })

  test('is shown for dragged nodes, each with its name; the third is counted', () => {
    const free = { name: 'cmp-0' }
    const held = ['cmp-1', 'cmp-2', 'cmp-3'].map(name => ({ name, ...GPU }))
    expect(othersOnNodes([free])).toBe('')
    expect(othersOnNodes([free, { name: 'cmp-1', ...MEDIK8S }])).toBe(
      'Others act on cmp-1 (medik8s: maintenance, taint of medik8s).',
    )
    expect(othersOnNodes(held)).toBe(
      'Others act on cmp-1 (taint gpu=a100:NoSchedule), cmp-2 (taint gpu=a100:NoSchedule) and 1 more.',
    )
  })
})

test('two live records of a node are on its tile, a leftover is not', () => {
  const record = (code: string) => ({ code, values: {}, message: '' })
  expect(claimsOnNode({})).toEqual([])
  expect(claimsOnNode({ records: [record('ComputeRecordLeftOver'), record('NetworkAgentsLeftOver')] })).toEqual([])
  const several = ['SeveralComputeRecords', 'SeveralHypervisors', 'SeveralNetworkAgents'].map(record)
  expect(claimsOnNode({ records: several })).toEqual(['several records in Nova', 'several records in Neutron'])
})
