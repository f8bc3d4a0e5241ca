import type { KubeconfigSource } from '../../../../shared/domain/cluster.ts'
import type { Silence } from '../../../../shared/domain/kubernetes.ts'

export type RunnerVolume =
  /** Ceph, by its CSI driver; `clusterId` as the storage class names it, for Rook the namespace. Empty if the class has none. */
  | { readonly kind: 'ceph'; readonly claim: string; readonly storageClass: string; readonly clusterId: string }
  /** Other storage, which no Ceph stops. `what`: the driver, or that it is not a volume of the cluster. */
  | { readonly kind: 'other'; readonly what: string }
  | (Silence & { readonly kind: 'unknown' })

export interface RunnerPlacePort {
  /** The storage under the pod's data directory; read again each time. */
  volume(signal?: AbortSignal): Promise<RunnerVolume>
  /** Whether a kubeconfig leads to the runner's own Kubernetes; null if unknown. */
  isOwnKubernetes(source: KubeconfigSource, signal?: AbortSignal): Promise<boolean | null>
  /** Whether a pod of this name is in the runner's namespace; null if unknown. */
  isPodThere(name: string, signal?: AbortSignal): Promise<boolean | null>
}
