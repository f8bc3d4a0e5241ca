import type { TaintOfOthers, TaintOwner } from '../domain/node-taints.ts'

const OWNERS: Readonly<Record<TaintOwner, string>> = {
  kubernetes: 'Kubernetes',
  medik8s: 'medik8s',
  'cluster-api': 'Cluster API',
  'cloud-provider': 'the cloud provider',
  'cluster-autoscaler': 'the cluster autoscaler',
  karpenter: 'Karpenter',
  unknown: '',
}

/** `medik8s`, `the cloud provider` */
export function taintOwnerWords(owner: Exclude<TaintOwner, 'unknown'>): string {
  return OWNERS[owner]
}

/** `medik8s.io/drain:NoSchedule (medik8s)`: a taint, and its owner if the key shows it. */
export function taintWords(taint: string, owner: TaintOwner = 'unknown'): string {
  return owner === 'unknown' ? taint : `${taint} (${OWNERS[owner]})`
}

/** `Taints keep pods off: medik8s.io/drain:NoSchedule (medik8s).`; empty without taints of others. */
export function taintsText(taints: readonly TaintOfOthers[] = []): string {
  if (taints.length === 0) return ''
  const named = taints.map(({ taint, owner }) => taintWords(taint, owner)).join(', ')
  return taints.length === 1 ? `A taint keeps pods off: ${named}.` : `Taints keep pods off: ${named}.`
}
