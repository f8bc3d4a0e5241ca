import type { KubeconfigSource } from '../../shared/domain/cluster.ts'
import type { Silence } from '../../shared/domain/kubernetes.ts'

/** What a runner's volume is on. */
export type RunnerVolume =
  /** Of Ceph, by its CSI driver; `clusterId` as its storage class names the Ceph: of Rook the namespace. Empty: the class names none. */
  | { readonly kind: 'ceph'; readonly claim: string; readonly storageClass: string; readonly clusterId: string }
  /** Of something else: no Ceph stops it. `what`: the driver, or that it is no volume of the cluster. */
  | { readonly kind: 'other'; readonly what: string }
  /** It cannot be told. */
  | (Silence & { readonly kind: 'unknown' })

/** Where a runner runs, as its Kubernetes tells. */
export interface RunnerPlacePort {
  /** What the volume under the pod's data directory is on; asked anew each time. */
  volume(signal?: AbortSignal): Promise<RunnerVolume>
  /** Whether a kubeconfig leads to the very Kubernetes that the runner runs in; null: that cannot be told. */
  isOwnKubernetes(source: KubeconfigSource, signal?: AbortSignal): Promise<boolean | null>
  /** Whether a pod of this name is in the runner's own namespace; null: that cannot be told. */
  isPodThere(name: string, signal?: AbortSignal): Promise<boolean | null>
}
