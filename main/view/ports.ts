import type { ClusterNode, LeaseHolder, Pod, WatchState } from '../../shared/domain/kubernetes.ts'
import type { LeaseSeen } from '../../shared/domain/lease-standing.ts'
import type { MaintenanceObjects } from '../../shared/domain/maintenance-api.ts'

/** What a watch tells: first everything there is, then changes; and how fresh it is. */
export interface FeedListener<T> {
  readonly onChange: (upserts: readonly T[], removedUids: readonly string[]) => void
  readonly onState: (state: FeedState) => void
}

/** How fresh a feed is; `absent`: the cluster has no such thing. */
export type FeedState = WatchState | { readonly kind: 'absent'; readonly why: string }

/** Hears all objects of the node maintenance API, as they are after each change. */
export interface MaintenanceListener {
  readonly onObjects: (objects: MaintenanceObjects) => void
  readonly onState: (state: FeedState) => void
}

/** Who holds a node, as its Lease says, and since when it was seen to say so; `uid` is the Lease's. Whether the holder is gone is the reader's question. */
export interface NodeLease {
  readonly uid: string
  readonly node: string
  readonly holder: LeaseHolder | null
  readonly seen: LeaseSeen
}

/** Kubernetes' side of a live view: each runs until the signal aborts. main/kubernetes implements it. */
export interface KubernetesFeeds {
  nodes(listener: FeedListener<ClusterNode>, signal: AbortSignal): Promise<void>
  pods(listener: FeedListener<Pod>, signal: AbortSignal): Promise<void>
  leases(listener: FeedListener<NodeLease>, signal: AbortSignal): Promise<void>
  maintenance(listener: MaintenanceListener, signal: AbortSignal): Promise<void>
}
