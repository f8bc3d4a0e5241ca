import { type Cluster, cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { AccessQuestion } from '../../../../shared/domain/kubernetes.ts'
import { MAINTENANCE_GROUP } from '../../../../shared/domain/maintenance-api.ts'
import type { RunOptions } from '../../../../shared/domain/plan.ts'

/** All permissions that this console may need on a cluster. Stopping OSDs counts only if the operator chose it. */
export function accessQuestionsOf(
  cluster: Pick<Cluster, 'flavour' | 'leaseNamespace' | 'maintenanceApi' | 'roleMaintenance'>,
  choices: Pick<RunOptions, 'stopOsds'> = { stopOsds: false },
): readonly AccessQuestion[] {
  const { flavour, leaseNamespace, maintenanceApi } = cluster
  const { controllers, cephNamespace } = maintenanceApi
  if (flavour !== 'mosk') {
    const toolbox = cephAccessOf(cluster) === 'toolbox'
    return [
      ...maintenanceAccessQuestions(leaseNamespace),
      ...(toolbox ? cephAccessQuestions(cephNamespace) : []),
      ...(toolbox && choices.stopOsds ? osdAccessQuestions(cephNamespace) : []),
    ]
  }
  return distinct([
    ...maintenanceAccessQuestions(leaseNamespace),
    ...maintenanceApiAccessQuestions(),
    ...(controllers.ceph === 'none' ? [] : cephAccessQuestions(cephNamespace)),
    ...(Object.values(controllers).includes('console') ? controllerAccessQuestions(leaseNamespace) : []),
  ])
}

/** What a plan may need, checked before any cordon (style G27). Only servers without eviction need to delete pods: that is left out. */
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

const REQUESTS = ['clustermaintenancerequests', 'nodemaintenancerequests'] as const
const LOCKS = ['clusterworkloadlocks', 'nodeworkloadlocks'] as const
const NOTES = ['nodedeletionrequests', 'nodedisablenotifications'] as const

/** Read everything, create and delete requests, write no lock (docs/domain.md A.1). */
export function maintenanceApiAccessQuestions(): readonly AccessQuestion[] {
  return [
    ...[...REQUESTS, ...LOCKS, ...NOTES].flatMap(resource =>
      verbs(['get', 'list', 'watch'], { group: MAINTENANCE_GROUP, resource }),
    ),
    ...REQUESTS.flatMap(resource => verbs(['create', 'delete'], { group: MAINTENANCE_GROUP, resource })),
    ...verbs(['list'], { group: MAINTENANCE_GROUP, resource: 'openstackdeploymentstatus' }),
    // To check that these kinds exist in a known form.
    ...verbs(['get'], { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }),
  ]
}

/** Commands in Ceph's toolbox pod; old and new API servers require different verbs. */
export function cephAccessQuestions(namespace: string): readonly AccessQuestion[] {
  return verbs(['get', 'create'], { group: '', resource: 'pods', subresource: 'exec', namespace })
}

/** Stopping and starting OSDs scales Rook's Deployments. */
export function osdAccessQuestions(namespace: string): readonly AccessQuestion[] {
  return verbs(['patch'], { group: 'apps', resource: 'deployments', namespace })
}

/** What controllers in this console need (main/lcm): locks, finalizers of requests, nodes and pods. */
export function controllerAccessQuestions(leaseNamespace: string): readonly AccessQuestion[] {
  return [
    ...verbs(['get', 'list', 'watch'], { group: '', resource: 'nodes' }),
    ...verbs(['get', 'list'], { group: '', resource: 'pods' }),
    ...verbs(['list'], { group: 'apps', resource: 'statefulsets' }),
    ...[...REQUESTS, ...LOCKS, ...NOTES].flatMap(resource =>
      verbs(['get', 'list', 'watch'], { group: MAINTENANCE_GROUP, resource }),
    ),
    ...LOCKS.flatMap(resource => [
      ...verbs(['create', 'patch', 'delete'], { group: MAINTENANCE_GROUP, resource }),
      ...verbs(['patch'], { group: MAINTENANCE_GROUP, resource, subresource: 'status' }),
    ]),
    // A change of finalizers is a patch of the object.
    ...[...REQUESTS, 'nodedeletionrequests'].flatMap(resource =>
      verbs(['patch'], { group: MAINTENANCE_GROUP, resource }),
    ),
    ...verbs(['list'], { group: MAINTENANCE_GROUP, resource: 'openstackdeploymentstatus' }),
    ...verbs(['get', 'create', 'patch'], {
      group: 'coordination.k8s.io',
      resource: 'leases',
      namespace: leaseNamespace,
    }),
  ]
}

function distinct(questions: readonly AccessQuestion[]): readonly AccessQuestion[] {
  return [...new Map(questions.map(question => [JSON.stringify(question), question])).values()]
}

function verbs(list: readonly string[], on: Omit<AccessQuestion, 'verb'>): readonly AccessQuestion[] {
  return list.map(verb => ({ verb, ...on }))
}
