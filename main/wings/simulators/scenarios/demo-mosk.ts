import { DEFAULT_MAINTENANCE_API } from '../../../../shared/domain/maintenance-api.ts'
import { UPDATE_PLAN_NAME } from './demo-mosk-definitions.ts'
import { demoMoskKubernetes } from './demo-mosk-kubernetes.ts'
import { MOSK_CONTROL_NODES, MOSK_STORAGE_NODES } from './demo-mosk-names.ts'
import { demoMoskOpenStack } from './demo-mosk-openstack.ts'
import type { Scenario } from './demo-plain.ts'
import { OSDS_PER_HOST, ROOK_NAMESPACE, TOOLBOX_LABELS } from './rook-ceph.ts'

/** A MOSK cloud: two zones of four computes, control, gateway and storage nodes, and an update plan. `tungstenFabric` replaces Neutron's agents with vRouters. */
export function demoMosk({ tungstenFabric }: { readonly tungstenFabric: boolean }): Scenario {
  return {
    name: 'demo-mosk',
    flavour: 'mosk',
    kubernetes: demoMoskKubernetes(tungstenFabric),
    openstack: demoMoskOpenStack(tungstenFabric),
    maintenanceApi: {
      ...DEFAULT_MAINTENANCE_API,
      controllers: {
        openstack: 'cluster',
        ceph: 'cluster',
        tungstenfabric: tungstenFabric ? 'cluster' : 'none',
        stacklight: 'cluster',
      },
    },
    updatePlan: `clusterupdateplan/${UPDATE_PLAN_NAME}`,
    ceph: {
      hosts: MOSK_STORAGE_NODES,
      osdsPerHost: OSDS_PER_HOST,
      monHosts: MOSK_CONTROL_NODES,
      rook: { namespace: ROOK_NAMESPACE, toolbox: TOOLBOX_LABELS },
    },
  }
}
