import type { WorkloadLockLamp } from '../../shared/domain/cluster-view.ts'
import type { ClusterNode, LeaseHolder, Pod, WatchState } from '../../shared/domain/kubernetes.ts'

/** What a watch tells: first everything there is, then changes; and how fresh it is. */
export interface FeedListener<T> {
  readonly onChange: (upserts: readonly T[], removedUids: readonly string[]) => void
  readonly onState: (state: WatchState | { readonly kind: 'absent'; readonly why: string }) => void
}

/** Who holds a node, as its Lease says; `uid` is the Lease's. Expired or not is the reader's question. */
export interface NodeLease {
  readonly uid: string
  readonly node: string
  readonly holder: LeaseHolder | null
}

/** A NodeWorkloadLock (docs/domain.md A.1), known by what its spec names, never by its own name. */
export interface NodeWorkloadLock {
  readonly uid: string
  readonly node: string
  readonly lamp: WorkloadLockLamp
}

/** Kubernetes' side of a live view: each runs until the signal aborts. main/kubernetes implements it. */
export interface KubernetesFeeds {
  nodes(listener: FeedListener<ClusterNode>, signal: AbortSignal): Promise<void>
  pods(listener: FeedListener<Pod>, signal: AbortSignal): Promise<void>
  leases(listener: FeedListener<NodeLease>, signal: AbortSignal): Promise<void>
  workloadLocks(listener: FeedListener<NodeWorkloadLock>, signal: AbortSignal): Promise<void>
}
