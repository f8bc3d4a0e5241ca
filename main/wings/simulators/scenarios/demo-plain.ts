import type { MaintenanceApiSettings } from '../../../../shared/domain/maintenance-api.ts'
import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import type { OpenStackSeed } from '../openstack/seed.ts'
import { demoPlainKubernetes } from './demo-plain-kubernetes.ts'
import { CONTROL_NODES, STORAGE_NODES } from './demo-plain-names.ts'
import { demoPlainOpenStack } from './demo-plain-openstack.ts'
import { OSDS_PER_HOST, ROOK_NAMESPACE, TOOLBOX_LABELS } from './rook-ceph.ts'

/** The initial state of an embedded cloud; both sides name the same nodes. */
export interface Scenario {
  readonly name: string
  readonly flavour: 'plain' | 'mosk' | 'sunbeam'
  readonly kubernetes: readonly KubernetesObject[]
  readonly openstack: OpenStackSeed
  /** Settings of the node maintenance API; absent means the defaults. */
  readonly maintenanceApi?: MaintenanceApiSettings
  /** The kubectl name of its update plan; absent if there is no plan. */
  readonly updatePlan?: string
  readonly ceph?: CephSeed
  /** How Ceph is asked; absent means as the flavour does. */
  readonly cephAccess?: 'toolbox'
}

interface CephSeed {
  readonly hosts: readonly string[]
  readonly osdsPerHost: number
  readonly monHosts: readonly string[]
  /** Nodes with a metadata server; absent if there is no file system. */
  readonly mdsHosts?: readonly string[]
  readonly release?: number
  /** Where Rook runs it; null if Ceph runs outside Kubernetes (MicroCeph). */
  readonly rook: {
    readonly namespace: string
    /** Labels of the pod that answers `ceph`. */
    readonly toolbox: Readonly<Record<string, string>>
  } | null
}

/** A cloud without maintenance controllers: 3 control, 8 compute (two zones) and 3 storage nodes with a Ceph under Rook, about 60 instances. cmp-01 has nothing that blocks. */
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
    cephAccess: 'toolbox',
    ceph: {
      hosts: STORAGE_NODES,
      osdsPerHost: OSDS_PER_HOST,
      monHosts: CONTROL_NODES,
      rook: { namespace: ROOK_NAMESPACE, toolbox: TOOLBOX_LABELS },
    },
    openstack: masakari ? { ...openstack, masakari: segments } : openstack,
  }
}
