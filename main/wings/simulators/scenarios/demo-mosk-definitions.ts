import { MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../../../shared/domain/maintenance-api.ts'
import { DEFINITIONS } from '../../../adapters/kubernetes/definition-manifests.ts'
import { FOREIGN_KINDS, type ForeignKind } from '../../../adapters/kubernetes/foreign-kinds.ts'
import type { Json, JsonObject } from '../kubernetes/store/json.ts'
import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'

/** The API group of the management cluster's objects (docs/domain.md A.8). */
export const KAAS_GROUP = 'kaas.mirantis.com'

/** The namespace of the ClusterUpdatePlan; on a real MOSK it is the project's namespace in the management cluster. */
export const PROJECT_NAMESPACE = 'default'

/** The release of demo-mosk, and the target of its update plan. */
export const MOSK_RELEASE = 'mosk-17-4-0-25-1'
export const NEXT_MOSK_RELEASE = 'mosk-17-5-0-25-2'

/** The update plan of demo-mosk (docs/domain.md A.8: cluster and target release). */
export const UPDATE_PLAN_NAME = `demo-mosk-${NEXT_MOSK_RELEASE}`

/** The definitions of a MOSK cluster: the node maintenance API, Rockoon's deployment status, and update plans. */
export function moskDefinitions(): readonly KubernetesObject[] {
  return [
    ...Object.values(DEFINITIONS).map(plain),
    definition({
      ...FOREIGN_KINDS.OpenStackDeploymentStatus,
      short: 'osdplst',
      columns: [
        ['OPENSTACK VERSION', '.status.osdpl.openstack_version'],
        ['CONTROLLER VERSION', '.status.osdpl.controller_version'],
        ['STATE', '.status.osdpl.state'],
        ['HEALTH', '.status.osdpl.health'],
        ['MOSK RELEASE', '.status.osdpl.release'],
      ],
      properties: {
        spec: open(),
        status: { type: 'object', properties: { osdpl: open(), services: open(), health: open() } },
      },
    }),
    definition({
      // Only declared updates read and write them, and they use the resource name (docs/domain.md A.8).
      apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`,
      kind: 'HelmBundle',
      plural: 'helmbundles',
      namespaced: true,
      short: 'hb',
      columns: [['VERSION', '.spec.releases[0].version']],
      properties: { spec: open(), status: open() },
    }),
    definition({
      ...FOREIGN_KINDS.ClusterUpdatePlan,
      short: 'cup',
      columns: [
        ['Cluster', '.spec.cluster'],
        ['Target', '.spec.target'],
        ['Status', '.status.status'],
      ],
      properties: { spec: UPDATE_PLAN_SPEC, status: UPDATE_PLAN_STATUS },
    }),
    definition({
      ...FOREIGN_KINDS.Machine,
      short: 'mach',
      columns: [['Node', '.status.nodeRef.name']],
      properties: { spec: open(), status: open() },
    }),
  ]
}

/** The definition of medik8s' NodeMaintenance, for clusters with its operator. */
export function nodeMaintenanceDefinition(): KubernetesObject {
  return definition({
    ...FOREIGN_KINDS.NodeMaintenance,
    short: 'nm',
    columns: [['Node', '.spec.nodeName']],
    properties: { spec: open(), status: open() },
  })
}

/** The update plan of a new release: no step has started, and every step waits for its `commence`. */
export function moskUpdatePlan(workerGroups: readonly string[]): KubernetesObject {
  const step = (id: string, name: string, workloads: 'none' | 'minor' | 'major', minutes: number): Json => ({
    id,
    name,
    description: [`Updates ${name.toLowerCase()}.`],
    constraints: [],
    impact: { users: 'minor', workloads, info: [] },
    duration: { estimated: `${minutes}m`, info: [] },
    granularity: id.startsWith('k8s-') ? 'machine' : 'cluster',
    commence: false,
  })
  const spec: JsonObject = {
    cluster: 'demo-mosk',
    source: MOSK_RELEASE,
    target: NEXT_MOSK_RELEASE,
    releaseNotes: 'https://docs.example.org/mosk/25-2',
    steps: [
      step('openstack', 'OpenStack', 'minor', 60),
      step('ceph', 'Ceph', 'none', 50),
      step('k8s-controllers', 'Kubernetes control plane', 'none', 45),
      ...workerGroups.map(group => step(`k8s-workers-${group}`, `Workers of ${group}`, 'major', 120)),
      step('mcc-components', 'Other components', 'none', 30),
    ],
  }
  return {
    apiVersion: `${KAAS_GROUP}/v1alpha1`,
    kind: 'ClusterUpdatePlan',
    metadata: {
      name: UPDATE_PLAN_NAME,
      namespace: PROJECT_NAMESPACE,
      labels: { 'cluster.sigs.k8s.io/cluster-name': 'demo-mosk' },
    },
    spec,
  }
}

/** The HelmBundle of an application, with the deployed version of its chart. */
export function moskBundle(name: string): KubernetesObject {
  return {
    apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`,
    kind: 'HelmBundle',
    metadata: { name, namespace: PROJECT_NAMESPACE },
    spec: { releases: [moskChart(name, MOSK_RELEASE)] },
    status: { releaseStatuses: { [name]: { status: 'DEPLOYED', success: true, version: MOSK_RELEASE } } },
  }
}

/** The one chart of an application's bundle. */
export function moskChart(name: string, version: string): JsonObject {
  return { name, chart: `binary/${name}`, version }
}

/** The Machine of a node, with its update group; null for the control plane. */
export function moskMachine(node: string, group: string | null): KubernetesObject {
  return {
    apiVersion: 'cluster.k8s.io/v1alpha1',
    kind: 'Machine',
    metadata: {
      name: node,
      namespace: PROJECT_NAMESPACE,
      labels: {
        'cluster.sigs.k8s.io/cluster-name': 'demo-mosk',
        ...(group === null
          ? { 'cluster.sigs.k8s.io/control-plane': 'true' }
          : { 'kaas.mirantis.com/update-group': group }),
      },
    },
    status: { nodeRef: { kind: 'Node', name: node } },
  }
}

const TEXT: JsonObject = { type: 'string' }
const TEXTS: JsonObject = { type: 'array', items: TEXT }
const IMPACT: JsonObject = { type: 'string', enum: ['none', 'minor', 'major'] }

const UPDATE_PLAN_SPEC: JsonObject = {
  type: 'object',
  required: ['cluster', 'source', 'target', 'steps'],
  properties: {
    cluster: TEXT,
    source: TEXT,
    target: TEXT,
    releaseNotes: TEXT,
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: TEXT,
          name: TEXT,
          description: TEXTS,
          constraints: TEXTS,
          impact: { type: 'object', properties: { users: IMPACT, workloads: IMPACT, info: TEXTS } },
          duration: { type: 'object', properties: { estimated: TEXT, info: TEXTS } },
          granularity: { type: 'string', enum: ['cluster', 'machine'] },
          commence: { type: 'boolean' },
        },
      },
    },
  },
}

const STATUS: JsonObject = { type: 'string', enum: ['NotStarted', 'InProgress', 'Completed', 'Failed'] }

const UPDATE_PLAN_STATUS: JsonObject = {
  type: 'object',
  properties: {
    status: STATUS,
    startedAt: TEXT,
    completedAt: TEXT,
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: TEXT, status: STATUS, message: TEXT, startedAt: TEXT, completedAt: TEXT },
      },
    },
  },
}

interface Shape extends Pick<ForeignKind, 'apiVersion' | 'kind' | 'plural' | 'namespaced'> {
  readonly short: string
  readonly columns: readonly (readonly [name: string, path: string])[]
  readonly properties: JsonObject
}

function definition(shape: Shape): KubernetesObject {
  const { apiVersion, kind, plural, namespaced, short, columns, properties } = shape
  const [group = '', version = ''] = apiVersion.split('/')
  const own = { apiVersion: TEXT, kind: TEXT, metadata: { type: 'object' } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames: [short] },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { ...own, ...properties } } },
          subresources: { status: {} },
          additionalPrinterColumns: columns.map(([name, jsonPath]) => ({ name, type: 'string', jsonPath })),
        },
      ],
    },
  }
}

function open(): JsonObject {
  return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
}

function plain(manifest: object): KubernetesObject {
  return JSON.parse(JSON.stringify(manifest))
}
