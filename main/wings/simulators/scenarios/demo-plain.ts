import type { MaintenanceApiSettings } from '../../../../shared/domain/maintenance-api.ts'
import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import type { OpenStackSeed } from '../openstack/seed.ts'
import { demoPlainKubernetes } from './demo-plain-kubernetes.ts'
import { demoPlainOpenStack } from './demo-plain-openstack.ts'

/** What an embedded cloud starts from: the two sides name the same nodes. */
export interface Scenario {
  readonly name: string
  readonly flavour: 'plain' | 'mosk' | 'sunbeam'
  readonly kubernetes: readonly KubernetesObject[]
  readonly openstack: OpenStackSeed
  /** Who answers maintenance requests; the defaults when absent. */
  readonly maintenanceApi?: MaintenanceApiSettings
  /** How kubectl names its update plan; absent: there is none. */
  readonly updatePlan?: string
  /** Absent: the scenario has none. */
  readonly ceph?: CephSeed
}

/** The Ceph of a scenario. */
interface CephSeed {
  /** Storage nodes. */
  readonly hosts: readonly string[]
  readonly osdsPerHost: number
  readonly monHosts: readonly string[]
  /** Nodes with a metadata server; absent: no file system. */
  readonly mdsHosts?: readonly string[]
  /** Ceph's major release; 17 when absent. */
  readonly release?: number
  /** Where Rook runs it; null: it runs beside Kubernetes (MicroCeph). */
  readonly rook: {
    readonly namespace: string
    /** Labels of the pod that answers `ceph`. */
    readonly toolbox: Readonly<Record<string, string>>
  } | null
}

/**
 * A cloud of Kubernetes and OpenStack without maintenance controllers of its own: 3 control, 8 compute (two zones) and 3 storage
 * nodes, about 60 instances. cmp-01 can be entered as it is.
 */
export function demoPlain({ masakari = false }: { readonly masakari?: boolean } = {}): Scenario {
  const openstack = demoPlainOpenStack()
  const segments = ['az1', 'az2'].map(zone => ({
    name: zone,
    hosts: openstack.hosts.filter(host => host.zone === zone).map(({ name }) => name),
  }))
  return {
    name: 'demo-plain',
    flavour: 'plain',
    kubernetes: demoPlainKubernetes(),
    openstack: masakari ? { ...openstack, masakari: segments } : openstack,
  }
}
