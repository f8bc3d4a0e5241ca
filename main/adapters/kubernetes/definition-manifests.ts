import { MAINTENANCE_GROUP, MAINTENANCE_VERSION, type MaintenanceKind } from '../../../shared/domain/maintenance-api.ts'
import { DEFINITION_FIELDS } from '../../../shared/words/definition-fields.ts'
import { PLURALS } from './resource-types.ts'

/** A CustomResourceDefinition as sent to the API server and stored in resources/crds/ (a test keeps them equal). */
export interface DefinitionManifest {
  readonly apiVersion: 'apiextensions.k8s.io/v1'
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: { readonly name: string }
  readonly spec: Readonly<Record<string, unknown>>
}

type Schema = Readonly<Record<string, unknown>>

const text = (description: string): Schema => ({ type: 'string', description })

const SCOPE: Schema = {
  type: 'string',
  enum: ['drain', 'os'],
  description: DEFINITION_FIELDS.scope,
}
const RELEASE = text(DEFINITION_FIELDS.release)
const CONTROLLER = text(DEFINITION_FIELDS.controller)
const NODE = text(DEFINITION_FIELDS.node)

const LOCK_STATUS: Schema = {
  type: 'object',
  required: ['state'],
  properties: {
    state: {
      type: 'string',
      enum: ['inactive', 'active', 'failed'],
      description: DEFINITION_FIELDS.state,
    },
    errorMessage: text(DEFINITION_FIELDS.errorMessage),
    release: text(DEFINITION_FIELDS.controllerRelease),
    inactivationProgress: {
      type: 'object',
      properties: { percentage: { type: 'integer', maximum: 100 }, description: { type: 'string' } },
    },
    statusObjectReference: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: Object.fromEntries(
        ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'].map(name => [
          name,
          { type: 'string' },
        ]),
      ),
    },
  },
}

interface Brief {
  readonly shortNames: readonly string[]
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Schema>>
  readonly status: Schema | null
  readonly columns: readonly (readonly [name: string, path: string])[]
}

const LOCK_COLUMNS = [
  ['Controller', '.spec.controllerName'],
  ['State', '.status.state'],
  ['Release', '.status.release'],
  ['Message', '.status.errorMessage'],
] as const

/** One entry a kind (docs/domain.md A.1), structured as on deployed clusters, so that only real differences are reported. An object without spec is shown with its fault. */
const BRIEFS: Readonly<Record<MaintenanceKind, Brief>> = {
  ClusterMaintenanceRequest: {
    shortNames: ['cmr'],
    required: [],
    properties: { scope: SCOPE, release: RELEASE },
    status: null,
    columns: [['Scope', '.spec.scope']],
  },
  NodeMaintenanceRequest: {
    shortNames: ['nmr'],
    required: ['nodeName'],
    properties: { nodeName: NODE, scope: SCOPE, release: RELEASE },
    status: null,
    columns: [
      ['Node', '.spec.nodeName'],
      ['Scope', '.spec.scope'],
    ],
  },
  ClusterWorkloadLock: {
    shortNames: ['cwl'],
    required: ['controllerName'],
    properties: { controllerName: CONTROLLER },
    status: LOCK_STATUS,
    columns: LOCK_COLUMNS,
  },
  NodeWorkloadLock: {
    shortNames: ['nwl'],
    required: ['controllerName', 'nodeName'],
    properties: {
      controllerName: CONTROLLER,
      nodeName: NODE,
      nodeDeletionRequestSupported: { type: 'boolean', description: DEFINITION_FIELDS.deletionSupported },
    },
    status: LOCK_STATUS,
    columns: [['Node', '.spec.nodeName'], ...LOCK_COLUMNS],
  },
  NodeDisableNotification: {
    shortNames: ['ndn'],
    required: ['nodeName'],
    properties: { nodeName: NODE },
    status: null,
    columns: [['Node', '.spec.nodeName']],
  },
  NodeDeletionRequest: {
    shortNames: ['ndr'],
    required: ['nodeName'],
    properties: { nodeName: NODE },
    status: null,
    columns: [['Node', '.spec.nodeName']],
  },
}

export const DEFINITIONS: Readonly<Record<MaintenanceKind, DefinitionManifest>> = {
  ClusterMaintenanceRequest: manifestOf('ClusterMaintenanceRequest'),
  NodeMaintenanceRequest: manifestOf('NodeMaintenanceRequest'),
  ClusterWorkloadLock: manifestOf('ClusterWorkloadLock'),
  NodeWorkloadLock: manifestOf('NodeWorkloadLock'),
  NodeDisableNotification: manifestOf('NodeDisableNotification'),
  NodeDeletionRequest: manifestOf('NodeDeletionRequest'),
}

function manifestOf(kind: MaintenanceKind): DefinitionManifest {
  const { shortNames, required, properties, status, columns } = BRIEFS[kind]
  const plural = PLURALS[kind]
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${MAINTENANCE_GROUP}` },
    spec: {
      group: MAINTENANCE_GROUP,
      scope: 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames: [...shortNames] },
      versions: [
        {
          name: MAINTENANCE_VERSION,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: { type: 'object', ...(required.length === 0 ? {} : { required: [...required] }), properties },
                ...(status === null ? {} : { status }),
              },
            },
          },
          ...(status === null ? {} : { subresources: { status: {} } }),
          additionalPrinterColumns: [
            ...columns.map(([name, jsonPath]) => ({ name, type: 'string', jsonPath })),
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      ],
    },
  }
}
