import type { AccessQuestion } from '../../shared/domain/kubernetes.ts'

/**
 * Every verb a plan may need, so that one check can ask for all before anything is cordoned (style G27). Deleting pods is left out:
 * it is only needed on servers without eviction.
 */
export function maintenanceAccessQuestions(leaseNamespace: string): readonly AccessQuestion[] {
  return [
    ...verbs(['get', 'list', 'watch', 'patch'], { group: '', resource: 'nodes' }),
    ...verbs(['get', 'list', 'watch'], { group: '', resource: 'pods' }),
    ...verbs(['create'], { group: '', resource: 'pods', subresource: 'eviction' }),
    ...['daemonsets', 'deployments', 'replicasets', 'statefulsets'].flatMap(resource =>
      verbs(['get', 'list'], { group: 'apps', resource }),
    ),
    ...verbs(['list'], { group: 'policy', resource: 'poddisruptionbudgets' }),
    ...verbs(['get', 'create', 'update', 'patch'], {
      group: 'coordination.k8s.io',
      resource: 'leases',
      namespace: leaseNamespace,
    }),
  ]
}

function verbs(list: readonly string[], on: Omit<AccessQuestion, 'verb'>): readonly AccessQuestion[] {
  return list.map(verb => ({ verb, ...on }))
}
