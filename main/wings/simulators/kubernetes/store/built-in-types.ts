import { ALL_VERBS, type ApiType, type Subresource } from './api-type.ts'
import type { Release } from './release.ts'

interface Brief {
  readonly short?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced?: boolean
  readonly sub?: readonly Subresource[]
  readonly counted?: boolean
  readonly verbs?: readonly string[]
  readonly plural?: string
}

function type(group: string, version: string, kind: string, brief: Brief = {}): ApiType {
  const singular = kind.toLowerCase()
  return {
    group,
    version,
    kind,
    singular,
    plural: brief.plural ?? `${singular}s`,
    shortNames: brief.short ?? [],
    categories: brief.categories ?? [],
    namespaced: brief.namespaced ?? true,
    verbs: brief.verbs ?? ALL_VERBS,
    subresources: brief.sub ?? [],
    counted: brief.counted ?? false,
    custom: false,
    printerColumns: [],
    schema: null,
  }
}

const WORKLOAD: Brief = { categories: ['all'], sub: ['status', 'scale'], counted: true }
const REVIEW: Brief = { namespaced: false, verbs: ['create'] }

/** Lists the resources that need no CustomResourceDefinition. */
export function builtInTypes({ policy, selfReviews }: Release): readonly ApiType[] {
  return [
    type('', 'v1', 'ConfigMap', { short: ['cm'] }),
    type('', 'v1', 'Event', { short: ['ev'] }),
    type('', 'v1', 'Namespace', { short: ['ns'], namespaced: false, sub: ['status', 'finalize'] }),
    type('', 'v1', 'Node', { short: ['no'], namespaced: false, sub: ['status'] }),
    type('', 'v1', 'PersistentVolume', { short: ['pv'], namespaced: false, sub: ['status'] }),
    type('', 'v1', 'PersistentVolumeClaim', { short: ['pvc'], sub: ['status'] }),
    type('', 'v1', 'Pod', { short: ['po'], categories: ['all'], sub: ['status', 'eviction', 'exec', 'log'] }),
    type('', 'v1', 'Secret'),
    type('', 'v1', 'Service', { short: ['svc'], categories: ['all'], sub: ['status'] }),
    type('', 'v1', 'ServiceAccount', { short: ['sa'] }),
    type('apps', 'v1', 'DaemonSet', { ...WORKLOAD, short: ['ds'], sub: ['status'] }),
    type('apps', 'v1', 'Deployment', { ...WORKLOAD, short: ['deploy'] }),
    type('apps', 'v1', 'ReplicaSet', { ...WORKLOAD, short: ['rs'] }),
    type('apps', 'v1', 'StatefulSet', { ...WORKLOAD, short: ['sts'] }),
    type('batch', 'v1', 'Job', { ...WORKLOAD, sub: ['status'] }),
    type('policy', policy, 'PodDisruptionBudget', {
      short: ['pdb'],
      sub: ['status'],
      counted: true,
    }),
    type('coordination.k8s.io', 'v1', 'Lease'),
    type('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', {
      short: ['crd', 'crds'],
      categories: ['api-extensions'],
      namespaced: false,
      sub: ['status'],
      counted: true,
    }),
    type('authorization.k8s.io', 'v1', 'SelfSubjectAccessReview', REVIEW),
    type('authorization.k8s.io', 'v1', 'SelfSubjectRulesReview', REVIEW),
    ...(selfReviews ? [type('authentication.k8s.io', 'v1', 'SelfSubjectReview', REVIEW)] : []),
  ]
}
