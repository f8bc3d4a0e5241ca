import { describe, expect, test } from 'vitest'
import {
  type DaemonSetAnswer,
  type DrainFilter,
  decideDrain,
  decidePod,
  drainFilters,
  groupedBlockers,
} from '../../../../main/adapters/kubernetes/drain-filters.ts'
import { readPod } from '../../../../main/adapters/kubernetes/read-pod.ts'
import { PODS } from '../../../../main/adapters/kubernetes/resource-types.ts'
import type { DrainOptions } from '../../../../shared/domain/kubernetes.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { parsed } from '../../../fixtures/kubernetes/like-a-server.ts'
import { type PodSpec, rawPod } from '../../../fixtures/kubernetes/small-cluster.ts'

const podOf = (raw: ReturnType<typeof rawPod>) => readPod(parsed(PODS, raw))

const NOW = Date.parse('2026-01-01T00:10:00Z')
const STRICT: DrainOptions = {
  force: false,
  ignoreDaemonSets: false,
  deleteEmptyDirData: false,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 0,
}
const DAEMON_SET = { kind: 'DaemonSet', name: 'ds' }
const DAEMON_SETS: ReadonlyMap<string, DaemonSetAnswer> = new Map<string, DaemonSetAnswer>([
  ['default/ds', { kind: 'exists' }],
  ['default/gone', { kind: 'missing', why: because('DaemonSetMissing', { daemonSet: 'gone' }) }],
  [
    'default/secret',
    {
      kind: 'unknown',
      why: { code: 'CredentialsMayNot', values: {}, message: 'These credentials may not get daemonsets' },
    },
  ],
])

function decide(spec: Omit<PodSpec, 'name'>, options: Partial<DrainOptions> = {}) {
  const pod = podOf(rawPod({ name: 'p', ...spec }))
  return decidePod(pod, drainFilters({ options: { ...STRICT, ...options }, now: NOW, daemonSets: DAEMON_SETS }))
}

const LOCAL = 'Pods with local storage (use --delete-emptydir-data to override)'
const NAKED = 'Pods that declare no controller (use --force to override)'
const MANAGED = 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)'

interface Row {
  readonly rule: string
  readonly pod: Omit<PodSpec, 'name'>
  readonly options?: Partial<DrainOptions>
  readonly fate: 'leave' | 'keep' | 'block'
  readonly reason?: string
  readonly warnings?: readonly string[]
}

const TABLE: readonly Row[] = [
  {
    rule: 'RC-managed pod',
    pod: { owner: { apiVersion: 'v1', kind: 'ReplicationController', name: 'rc' } },
    fate: 'leave',
  },
  { rule: 'RS-managed pod', pod: {}, fate: 'leave' },
  {
    rule: 'Job-managed pod with local storage',
    pod: { owner: { apiVersion: 'batch/v1', kind: 'Job', name: 'j' }, emptyDir: true },
    options: { force: true, deleteEmptyDirData: true },
    fate: 'leave',
    warnings: ['deleting Pods with local storage'],
  },
  {
    rule: 'Job-managed terminated pod',
    pod: { owner: { apiVersion: 'batch/v1', kind: 'Job', name: 'j' }, phase: 'Succeeded' },
    fate: 'leave',
  },
  { rule: 'naked pod', pod: { owner: null }, fate: 'block', reason: NAKED },
  {
    rule: 'naked pod with --force',
    pod: { owner: null },
    options: { force: true },
    fate: 'leave',
    warnings: ['deleting Pods that declare no controller'],
  },
  { rule: 'naked finished pod', pod: { owner: null, phase: 'Failed' }, fate: 'leave' },
  { rule: 'empty dir', pod: { emptyDir: true }, fate: 'block', reason: LOCAL },
  {
    rule: 'empty dir with the flag',
    pod: { emptyDir: true },
    options: { deleteEmptyDirData: true },
    fate: 'leave',
    warnings: ['deleting Pods with local storage'],
  },
  { rule: 'terminated pods with emptyDir', pod: { emptyDir: true, phase: 'Failed' }, fate: 'leave' },
  { rule: 'DS-managed pod', pod: { owner: DAEMON_SET }, fate: 'block', reason: MANAGED },
  {
    rule: 'DS-managed pod with --ignore-daemonsets',
    pod: { owner: DAEMON_SET },
    options: { ignoreDaemonSets: true },
    fate: 'keep',
    reason: 'DaemonSet default/ds keeps a pod on every node',
    warnings: ['ignoring DaemonSet-managed Pods'],
  },
  {
    rule: 'DS-managed pod with emptyDir with --ignore-daemonsets',
    pod: { owner: DAEMON_SET, emptyDir: true },
    options: { ignoreDaemonSets: true },
    fate: 'keep',
    reason: 'DaemonSet default/ds keeps a pod on every node',
    warnings: ['ignoring DaemonSet-managed Pods'],
  },
  { rule: 'DS-managed terminated pod', pod: { owner: DAEMON_SET, phase: 'Failed' }, fate: 'leave' },
  {
    rule: 'orphaned DS-managed pod (a true orphan: its DaemonSet answers 404)',
    pod: { owner: { kind: 'DaemonSet', name: 'gone' } },
    fate: 'block',
    reason: 'daemonsets.apps "gone" not found',
  },
  {
    rule: 'orphaned DS-managed pod, ignoring DaemonSets does not help',
    pod: { owner: { kind: 'DaemonSet', name: 'gone' } },
    options: { ignoreDaemonSets: true },
    fate: 'block',
    reason: 'daemonsets.apps "gone" not found',
  },
  {
    rule: 'orphaned DS-managed pod with --force',
    pod: { owner: { kind: 'DaemonSet', name: 'gone' } },
    options: { force: true },
    fate: 'leave',
    warnings: ['daemonsets.apps "gone" not found'],
  },
  {
    rule: 'a DaemonSet that cannot be read blocks, even with --force',
    pod: { owner: { kind: 'DaemonSet', name: 'secret' } },
    options: { force: true, ignoreDaemonSets: true },
    fate: 'block',
    reason: 'These credentials may not get daemonsets',
  },
  {
    rule: 'a DaemonSet of another group is a look-alike and leaves',
    pod: { owner: { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet', name: 'ds' } },
    fate: 'leave',
  },
  {
    rule: 'mirror pod, in every phase',
    pod: { owner: { apiVersion: 'v1', kind: 'Node', name: 'n' }, mirror: true, phase: 'Failed' },
    fate: 'keep',
    reason: 'the kubelet runs it from a file on the node (mirror pod)',
  },
  {
    rule: 'mirror pod without controller is not naked',
    pod: { owner: null, mirror: true },
    fate: 'keep',
    reason: 'the kubelet runs it from a file on the node (mirror pod)',
  },
  { rule: 'a terminating pod is not filtered out', pod: { deletionTimestamp: '2026-01-01T00:00:00Z' }, fate: 'leave' },
  {
    rule: 'Skip Deleted Pod: deleted longer ago than asked',
    pod: { deletionTimestamp: '2026-01-01T00:09:29Z', owner: null },
    options: { skipWaitForDeleteSeconds: 30 },
    fate: 'keep',
    reason: 'its deletion started more than 30 s ago',
  },
  {
    rule: 'Skip Deleted Pod: not yet, whole seconds count',
    pod: { deletionTimestamp: '2026-01-01T00:09:30Z' },
    options: { skipWaitForDeleteSeconds: 30 },
    fate: 'leave',
  },
  {
    rule: 'V4 every warning is kept, in filter order',
    pod: { owner: { kind: 'DaemonSet', name: 'gone' }, emptyDir: true },
    options: { force: true, deleteEmptyDirData: true },
    fate: 'leave',
    warnings: ['daemonsets.apps "gone" not found', 'deleting Pods with local storage'],
  },
  {
    rule: 'V4 both warnings of a naked pod with emptyDir',
    pod: { owner: null, emptyDir: true },
    options: { force: true, deleteEmptyDirData: true },
    fate: 'leave',
    warnings: ['deleting Pods with local storage', 'deleting Pods that declare no controller'],
  },
]

describe('5.2 which pods', () => {
  test.each(TABLE)('$rule', ({ pod, options, fate, reason = '', warnings = [] }) => {
    expect(decide(pod, options)).toMatchObject({ fate, reason, warnings })
  })

  test('a controller is the ownerReference with controller: true; other owners do not count', () => {
    const raw = rawPod({ name: 'p', owner: null })
    raw.metadata.ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'u' }]
    const filters = drainFilters({ options: STRICT, now: NOW, daemonSets: DAEMON_SETS })
    expect(decidePod(podOf(raw), filters).reason).toBe(NAKED)
  })

  test('messages are grouped as kubectl groups them', () => {
    const pods = [
      podOf(rawPod({ name: 'a', owner: null })),
      podOf(rawPod({ name: 'b', emptyDir: true })),
      podOf(rawPod({ name: 'c', namespace: 'other', owner: null })),
      podOf(rawPod({ name: 'd' })),
    ]
    const setting = { options: STRICT, now: NOW, daemonSets: DAEMON_SETS, leaveBy: 'evict', budgets: [] } as const
    expect(groupedBlockers(decideDrain(pods, setting))).toEqual([
      `cannot delete ${NAKED}: default/a, other/c`,
      `cannot delete ${LOCAL}: default/b`,
    ])
  })

  test('the way out is by eviction, or by delete where there is none', () => {
    const pods = [podOf(rawPod({ name: 'a' }))]
    const setting = { options: STRICT, now: NOW, daemonSets: DAEMON_SETS, budgets: [] }
    expect(decideDrain(pods, { ...setting, leaveBy: 'evict' })[0]?.fate).toBe('evict')
    expect(decideDrain(pods, { ...setting, leaveBy: 'delete' })[0]?.fate).toBe('delete')
  })
})

describe('5.2 rule 6, the chain', () => {
  const pod = podOf(rawPod({ name: 'p' }))
  const skip: DrainFilter = () => ({ kind: 'stays', why: because('PodFromFile'), warning: null })
  const okay: DrainFilter = () => ({ kind: 'leaves', warning: 'seen' })
  const chain = drainFilters({ options: STRICT, now: NOW, daemonSets: DAEMON_SETS })

  test('AdditionalFilter skip all', () => {
    expect(decidePod(pod, [...chain, skip]).fate).toBe('keep')
  })

  test('AdditionalFilter okay all', () => {
    expect(decidePod(pod, [...chain, okay])).toEqual({ fate: 'leave', reason: '', warnings: ['seen'], obstacles: [] })
  })

  test('AdditionalFilter Skip after Okay', () => {
    expect(decidePod(pod, [...chain, okay, skip])).toMatchObject({
      fate: 'keep',
      code: 'PodFromFile',
      warnings: ['seen'],
      obstacles: [],
    })
  })

  test('the first that does not let go ends the chain', () => {
    const never: DrainFilter = () => {
      throw new Error('asked although the chain had ended')
    }
    expect(decidePod(pod, [skip, never]).fate).toBe('keep')
  })
})
