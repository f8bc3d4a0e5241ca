import { z } from 'zod'
import type { NodeTaint } from './kubernetes.ts'
import type { RoleLabelRules } from './roles.ts'

/** The owner by the published key. `unknown` means an operator's own, or a program outside the table. */
export const TaintOwner = z.enum([
  'kubernetes',
  'medik8s',
  'cluster-api',
  'cloud-provider',
  'cluster-autoscaler',
  'karpenter',
  'unknown',
])
export type TaintOwner = z.infer<typeof TaintOwner>

export const TaintOfOthers = z.strictObject({
  /** `key=value:effect`, or `key:effect` without a value. */
  taint: z.string(),
  owner: TaintOwner,
})
export type TaintOfOthers = z.infer<typeof TaintOfOthers>

/** Keys by their owners' documentation: Kubernetes, medik8s, Cluster API, cloud providers, Cluster Autoscaler, Karpenter. */
const OWNERS: Readonly<Record<string, TaintOwner>> = {
  'node.kubernetes.io/out-of-service': 'kubernetes',
  'node.kubernetes.io/memory-pressure': 'kubernetes',
  'node.kubernetes.io/disk-pressure': 'kubernetes',
  'node.kubernetes.io/pid-pressure': 'kubernetes',
  'node.kubernetes.io/network-unavailable': 'kubernetes',
  'medik8s.io/drain': 'medik8s',
  'medik8s.io/remediation': 'medik8s',
  'node.cluster.x-k8s.io/uninitialized': 'cluster-api',
  'node.cloudprovider.kubernetes.io/uninitialized': 'cloud-provider',
  'node.cloudprovider.kubernetes.io/shutdown': 'cloud-provider',
  ToBeDeletedByClusterAutoscaler: 'cluster-autoscaler',
  'karpenter.sh/disrupted': 'karpenter',
  'karpenter.sh/disruption': 'karpenter',
}

/** Taints that repeat the cordon or the kubelet's reports: Kubernetes adds and removes them. */
const REPORTED_OTHERWISE: ReadonlySet<string> = new Set([
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
])

/** Taints that name a node's purpose are not shown: `node-role.kubernetes.io/control-plane`. */
const ROLE_PREFIX = 'node-role.kubernetes.io/'

/** Others' taints are shown and never removed. Taints that name the node's purpose, or that only prefer other nodes, do not count. */
export function taintsOfOthers(taints: readonly NodeTaint[], roleLabels: RoleLabelRules): readonly TaintOfOthers[] {
  const roleKeys = new Set(
    Object.values(roleLabels)
      .flat()
      .map(rule => rule.split('=')[0] ?? rule),
  )
  return taints.flatMap(({ key, value, effect }) =>
    effect === 'PreferNoSchedule' || REPORTED_OTHERWISE.has(key) || key.startsWith(ROLE_PREFIX) || roleKeys.has(key)
      ? []
      : [{ taint: `${key}${value === '' ? '' : `=${value}`}:${effect}`, owner: OWNERS[key] ?? 'unknown' }],
  )
}
