import type { ChainHead } from '../../shared/domain/journal-chain.ts'
import type { LeaseName } from '../../shared/domain/lease-name.ts'
import type { LeaseState } from '../../shared/domain/lease-state.ts'
import type { Result } from '../../shared/domain/result.ts'

/** Leases (style G26) in the cluster's lease namespace. */
export interface LeasePort {
  /** The holder, gone or not; null if there is none (no Lease, or released). */
  holder(name: LeaseName, signal?: AbortSignal): Promise<Result<LeaseState | null>>
  /** All Leases of nodes and of the cluster; an unlisted one does not exist. A list that lacks an existing Lease which this process saw is a failure. */
  all(signal?: AbortSignal): Promise<Result<ReadonlyMap<LeaseName, ListedLease>>>
  /**
   * Takes the Lease if nobody holds it, it is ours (`identity` equal), or its holder is gone: this process saw its record unchanged for its whole duration.
   * `held` names the holder, and when it can be taken. Optimistic concurrency: two consoles never both win.
   */
  acquire(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseAcquired>>
  /** Renews our Lease and writes nothing else. */
  renew(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseRenewed>>
  /** Reads it to check whether we hold it. */
  confirm(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseConfirmed>>
  /** Releases it; a Lease that is no longer ours is left alone. */
  release(request: LeaseRequest, signal?: AbortSignal): Promise<Result<void>>
}

/** A Lease from a list; only repeated reads show whether its holder is alive. */
export interface ListedLease {
  readonly held: boolean
  readonly annotations: Readonly<Record<string, string>>
}

export type LeaseAcquired =
  | { readonly kind: 'acquired' }
  | { readonly kind: 'held'; readonly by: LeaseState }
  /** The previous driver wrote more of this run than our journal has: continuing would repeat finished steps. */
  | { readonly kind: 'journal-lacks'; readonly head: ChainHead }

/** `free`: it is released, taken from us or deleted; `lost`: another process holds it. */
export type LeaseRenewed =
  | { readonly kind: 'renewed' }
  | { readonly kind: 'free' }
  | { readonly kind: 'lost'; readonly by: LeaseState }

type LeaseConfirmed =
  | { readonly kind: 'ours' }
  | { readonly kind: 'free' }
  | { readonly kind: 'lost'; readonly by: LeaseState }

/** The process that takes a Lease. `identity` is unique per claim of a run by a process, so that another's Lease is never taken for ours. */
export interface LeaseRequest {
  readonly name: LeaseName
  readonly identity: string
  readonly runId: string
  readonly operator: string
  readonly machine: string
  readonly durationSeconds: number
  /** Whether an identity belongs to an earlier driver of the same run that is provably gone: its Lease need not expire. */
  readonly isPredecessor?: (identity: string) => boolean
  /** The run's journal: its position goes into the Lease, and must include the Lease's recorded one. Absent if there is no check. */
  readonly journal?: RunHeads
}

export interface RunHeads {
  headOf(runId: string): ChainHead | null
  holds(head: ChainHead): boolean
}
