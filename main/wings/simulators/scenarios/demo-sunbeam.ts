import type { Scenario } from './demo-plain.ts'
import { demoSunbeamKubernetes, type SunbeamKubernetesVariant } from './demo-sunbeam-kubernetes.ts'
import { STORAGE_ONLY, SUNBEAM_NODES } from './demo-sunbeam-names.ts'
import { demoSunbeamOpenStack, type SunbeamOpenStackVariant } from './demo-sunbeam-openstack.ts'

/** Variants of demo-sunbeam. */
export type SunbeamVariant = SunbeamKubernetesVariant &
  SunbeamOpenStackVariant & {
    readonly storageOnly?: true
  }

/**
 * Three nodes with all roles, and Watcher. Nothing blocks sun-1; sun-2 has an instance that Nova refuses to move and
 * a single-replica pod; sun-3 has a stopped instance.
 */
export function demoSunbeam(variant: SunbeamVariant = {}): Scenario {
  return {
    name: 'demo-sunbeam',
    flavour: 'sunbeam',
    kubernetes: demoSunbeamKubernetes(variant),
    openstack: demoSunbeamOpenStack(variant),
    ceph: {
      hosts: variant.storageOnly === true ? [...SUNBEAM_NODES, STORAGE_ONLY] : SUNBEAM_NODES,
      osdsPerHost: 1,
      monHosts: SUNBEAM_NODES,
      mdsHosts: SUNBEAM_NODES,
      release: 19,
      rook: null,
    },
  }
}
