import { expect, test } from 'vitest'
import { taintsOfOthers } from '../../../shared/domain/node-taints.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'

const NO_SCHEDULE = 'NoSchedule'

test.each<[what: string, key: string, value: string, effect: string, reported: readonly object[]]>([
  [
    'a maintenance of medik8s',
    'medik8s.io/drain',
    '',
    NO_SCHEDULE,
    [{ taint: 'medik8s.io/drain:NoSchedule', owner: 'medik8s' }],
  ],
  [
    'a node that Cluster API does not know yet',
    'node.cluster.x-k8s.io/uninitialized',
    '',
    NO_SCHEDULE,
    [{ owner: 'cluster-api' }],
  ],
  [
    'a machine that the cloud provider shut down',
    'node.cloudprovider.kubernetes.io/shutdown',
    '',
    NO_SCHEDULE,
    [{ owner: 'cloud-provider' }],
  ],
  ['a full disk', 'node.kubernetes.io/disk-pressure', '', NO_SCHEDULE, [{ owner: 'kubernetes' }]],
  [
    "an operator's own",
    'example.org/firmware',
    'pending',
    'NoExecute',
    [{ taint: 'example.org/firmware=pending:NoExecute', owner: 'unknown' }],
  ],
  ['one that only prefers other nodes', 'example.org/slow', '', 'PreferNoSchedule', []],
  ["Kubernetes' own role", 'node-role.kubernetes.io/control-plane', '', NO_SCHEDULE, []],
  ['the key of a role of this cluster', 'openstack-compute-node', 'enabled', NO_SCHEDULE, []],
  ['what the cordon says already', 'node.kubernetes.io/unschedulable', '', NO_SCHEDULE, []],
  ["what the kubelet's silence says already", 'node.kubernetes.io/unreachable', '', 'NoExecute', []],
])('%s: whether it is shown as a taint of others', (_, key, value, effect, reported) => {
  expect(taintsOfOthers([{ key, value, effect }], DEFAULT_ROLE_LABELS)).toMatchObject(reported)
})
