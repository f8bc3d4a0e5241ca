import { MAINTENANCE_GROUP } from '../../../../shared/domain/maintenance-api.ts'
import { RUNNER_GROUP } from '../../../../shared/domain/maintenance-run.ts'
import type { Manifest } from './manifest.ts'
import { admissionNames } from './runner-admission.ts'
import { LABELS, LEASE_NAMESPACE, RUNNER, type RunnerInstall } from './runner-install.ts'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** The group of users who submit, read and control runs and attach a console; a binding may also name other users. */
const SUBMITTERS = 'lockkeeper-submitters'

const LOOK = ['get', 'list', 'watch'] as const
const KINDS = ['maintenanceruns', 'maintenancecampaigns', 'maintenanceruncontrols'] as const

/** What the engine needs on the cluster that it runs in: a test keeps it equal to resources/rbac/lockkeeper-operator.yaml. */
const ENGINE: readonly Rule[] = [
  rule('', ['nodes'], [...LOOK, 'patch']),
  rule('', ['pods'], LOOK),
  rule('', ['pods/eviction'], ['create']),
  rule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], ['get', 'list']),
  rule('policy', ['poddisruptionbudgets'], ['list']),
  rule('', ['persistentvolumes'], ['list']),
  rule('', ['events'], ['list']),
  rule('nodemaintenance.medik8s.io', ['nodemaintenances'], ['list']),
  rule('cluster.x-k8s.io', ['machines'], ['list']),
  rule('metal3.io', ['baremetalhosts'], ['list']),
  rule(
    MAINTENANCE_GROUP,
    [
      'clustermaintenancerequests',
      'nodemaintenancerequests',
      'clusterworkloadlocks',
      'nodeworkloadlocks',
      'nodedeletionrequests',
      'nodedisablenotifications',
    ],
    LOOK,
  ),
  rule(MAINTENANCE_GROUP, ['openstackdeploymentstatus'], ['list']),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get']),
  rule(MAINTENANCE_GROUP, ['clustermaintenancerequests', 'nodemaintenancerequests'], ['create', 'delete']),
]

/** To read the admission policies, the identity of the cluster, and the storage class of the runner's volume. */
const OF_THE_RUNNER: readonly Rule[] = [
  {
    ...rule(
      'admissionregistration.k8s.io',
      ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
      ['get'],
    ),
    resourceNames: admissionNames(),
  },
  { ...rule('', ['namespaces'], ['get']), resourceNames: ['kube-system'] },
  rule('storage.k8s.io', ['storageclasses'], ['get']),
]

const LEASES = rule('coordination.k8s.io', ['leases'], [...LOOK, 'create', 'update', 'patch'])

/** The runner's rights in its namespace; it reads no Secret elsewhere. */
const IN_NAMESPACE: readonly Rule[] = [
  rule(RUNNER_GROUP, KINDS, LOOK),
  rule(
    RUNNER_GROUP,
    KINDS.map(kind => `${kind}/status`),
    ['get', 'patch'],
  ),
  LEASES,
  rule('', ['secrets'], LOOK),
  rule('', ['persistentvolumeclaims'], ['get']),
]

/** Roles of people, each separate, so that a person may have one without the others. */
function rolesOfPeople(replicas: number): readonly { readonly name: string; readonly rules: readonly Rule[] }[] {
  const pods = Array.from({ length: replicas }, (_, index) => `${RUNNER}-${index}`)
  return [
    {
      name: 'lockkeeper-submitter',
      rules: [rule(RUNNER_GROUP, ['maintenanceruns', 'maintenancecampaigns'], ['create'])],
    },
    { name: 'lockkeeper-reader', rules: [rule(RUNNER_GROUP, KINDS, LOOK)] },
    { name: 'lockkeeper-steerer', rules: [rule(RUNNER_GROUP, ['maintenanceruncontrols'], ['create'])] },
    {
      name: 'lockkeeper-attach',
      // Older and newer API servers require different ones.
      rules: [
        { ...rule('', ['pods'], ['get']), resourceNames: pods },
        { ...rule('', ['pods/portforward'], ['get', 'create']), resourceNames: pods },
      ],
    },
  ]
}

/** The ServiceAccount, its rights, and the roles of people. */
export function rightsManifests({ namespace, replicas }: RunnerInstall): readonly Manifest[] {
  const account = { kind: 'ServiceAccount', name: RUNNER, namespace } as const
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: RUNNER, namespace, labels: LABELS },
      // Only a pod that asks for a token gets one.
      automountServiceAccountToken: false,
    },
    ...bound({ kind: 'ClusterRole', name: RUNNER, namespace: null, rules: [...ENGINE, ...OF_THE_RUNNER] }, account),
    // Consoles keep their Leases of nodes there: a runner and a laptop have to see each other's.
    ...bound({ kind: 'Role', name: RUNNER, namespace: LEASE_NAMESPACE, rules: [LEASES] }, account),
    ...bound({ kind: 'Role', name: `${RUNNER}-own`, namespace, rules: IN_NAMESPACE }, account),
    ...rolesOfPeople(replicas).flatMap(({ name, rules }) =>
      bound({ kind: 'Role', name, namespace, rules }, { kind: 'Group', name: SUBMITTERS }),
    ),
  ]
}

function bound(
  role: {
    readonly kind: 'ClusterRole' | 'Role'
    readonly name: string
    readonly namespace: string | null
    readonly rules: readonly Rule[]
  },
  subject: { readonly kind: 'ServiceAccount' | 'Group'; readonly name: string; readonly namespace?: string },
): readonly Manifest[] {
  const { kind, name, namespace, rules } = role
  const metadata = { name, ...(namespace === null ? {} : { namespace }), labels: LABELS }
  return [
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, rules },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: [subject.kind === 'Group' ? { apiGroup: 'rbac.authorization.k8s.io', ...subject } : subject],
    },
  ]
}

function rule(group: string, resources: readonly string[], verbs: readonly string[]): Rule {
  return { apiGroups: [group], resources, verbs }
}
