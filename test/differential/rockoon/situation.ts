type Fields = Readonly<Record<string, unknown>>

/** An object of Kubernetes as its API server has it. */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
    readonly deletionTimestamp?: string
    readonly ownerReferences?: readonly object[]
  }
  readonly spec: Fields
  readonly status?: Fields
}

/** A state of a cluster in which a maintenance request reaches the OpenStack Controller. */
export interface Situation {
  readonly name: string
  /** The handler of Rockoon that answers it. */
  readonly handler:
    | 'cluster_maintenance_request_change_handler'
    | 'node_maintenance_request_change_handler'
    | 'node_maintenance_request_delete_handler'
  readonly request: KubeObject
  /** The lock that tells the answer: kind and name. */
  readonly lock: readonly ['ClusterWorkloadLock' | 'NodeWorkloadLock', string]
  readonly objects: readonly KubeObject[]
  /** The release that the controller is of; empty: none is set. */
  readonly release: string
  /** What differs from the defaults of its configuration file. */
  readonly conf: Readonly<Record<string, number | boolean>>
  /** The availability zone of each compute node, by its name. */
  readonly zones: Readonly<Record<string, string>>
}

/** What a controller did: the lock's state afterwards, and by which of Rockoon's conditions it holds it. */
export interface Answer {
  readonly lock: string | null
  readonly ended: string
  readonly why: string | null
  readonly untouched: boolean
}

type Meta = Partial<KubeObject['metadata']>

/** Fills in what every object of a server has. */
export function object(
  kind: string,
  name: string,
  { meta = {}, ...rest }: { readonly meta?: Meta; readonly spec?: Fields; readonly status?: Fields } = {},
): KubeObject {
  const isCore = kind === 'Node' || kind === 'Pod'
  const metadata = {
    name,
    uid: `uid-${kind}-${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...meta,
  }
  return { apiVersion: isCore ? 'v1' : 'lcm.mirantis.com/v1alpha1', kind, metadata, spec: {}, ...rest }
}

/** The deployment with these services of OpenStack. */
export const deployment = (services: readonly string[]): KubeObject =>
  object('OpenStackDeployment', 'osh', {
    meta: { namespace: 'openstack' },
    spec: { openstack_version: 'caracal', features: { services } },
  })

/** Rockoon's own version, where the collector runs it. */
export const ITS_VERSION = '1.0'
