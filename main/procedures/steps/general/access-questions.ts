import { type Cluster, cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { AccessQuestion } from '../../../../shared/domain/kubernetes.ts'
import { MAINTENANCE_GROUP } from '../../../../shared/domain/maintenance-api.ts'
import type { RunOptions } from '../../../../shared/domain/plan.ts'

/**
 * Every verb that this console may need on a cluster: what any maintenance needs, Ceph's toolbox where it is asked there, on flavour mosk the
 * node maintenance API, and where controllers run in this console what those write. OSDs are stopped only when the operator chose so.
 */
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

const REQUESTS = ['clustermaintenancerequests', 'nodemaintenancerequests'] as const
const LOCKS = ['clusterworkloadlocks', 'nodeworkloadlocks'] as const
const NOTES = ['nodedeletionrequests', 'nodedisablenotifications'] as const

/** What LCM and onlookers do with the node maintenance API (docs/domain.md A.1): read everything, create and remove requests, write no lock. */
export function maintenanceApiAccessQuestions(): readonly AccessQuestion[] {
  return [
    ...[...REQUESTS, ...LOCKS, ...NOTES].flatMap(resource =>
      verbs(['get', 'list', 'watch'], { group: MAINTENANCE_GROUP, resource }),
    ),
    ...REQUESTS.flatMap(resource => verbs(['create', 'delete'], { group: MAINTENANCE_GROUP, resource })),
    ...verbs(['list'], { group: MAINTENANCE_GROUP, resource: 'openstackdeploymentstatus' }),
    // Whether those kinds are there, and are what we know.
    ...verbs(['get'], { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }),
  ]
}

/** Asking Ceph in its toolbox pod; API servers ask for one verb or the other, by their age. */
export function cephAccessQuestions(namespace: string): readonly AccessQuestion[] {
  return verbs(['get', 'create'], { group: '', resource: 'pods', subresource: 'exec', namespace })
}

/** Stopping and starting OSDs: Rook's Deployments are scaled. */
export function osdAccessQuestions(namespace: string): readonly AccessQuestion[] {
  return verbs(['patch'], { group: 'apps', resource: 'deployments', namespace })
}

/** What application controllers that run in this console do (main/lcm): keep locks, hold requests by finalizers, look at nodes and pods. */
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
    // Finalizers are part of the object, and nothing less than patch changes them.
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
