import type { Scenario } from './demo-plain.ts'
import { demoSunbeamKubernetes, type SunbeamKubernetesVariant } from './demo-sunbeam-kubernetes.ts'
import { STORAGE_ONLY, SUNBEAM_NODES } from './demo-sunbeam-names.ts'
import { demoSunbeamOpenStack, type SunbeamOpenStackVariant } from './demo-sunbeam-openstack.ts'

/** Variants of demo-sunbeam. */
export type SunbeamVariant = SunbeamKubernetesVariant &
  SunbeamOpenStackVariant & {
    /** Adds a storage-only machine, sun-5, outside Kubernetes. */
    readonly storageOnly?: true
  }

/**
 * A Sunbeam cloud of three nodes with all roles: control plane, compute, OVN gateway and MicroCeph, with Watcher.
 * sun-1 can be taken out of service without further steps; sun-2 has an instance that Watcher would move in a way
 * Nova refuses, and a single-replica pod; sun-3 has a stopped instance and one with an ephemeral disk.
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
