import type { ChainHead } from '../../shared/domain/journal-chain.ts'
import type { LeaseName } from '../../shared/domain/lease-name.ts'
import type { LeaseState } from '../../shared/domain/lease-state.ts'
import type { Result } from '../../shared/domain/result.ts'

/** Leases (style G26) in the cluster's lease namespace. */
export interface LeasePort {
  /** Who holds it, gone or not; null when nobody does (no Lease, or released). */
  holder(name: LeaseName, signal?: AbortSignal): Promise<Result<LeaseState | null>>
  /**
   * All Leases of nodes and of the cluster. Who is not in it has none: a list that does not show a Lease which this process saw,
   * such as that of its own run, and which is there when it is asked for, is a failure.
   */
  all(signal?: AbortSignal): Promise<Result<ReadonlyMap<LeaseName, ListedLease>>>
  /**
   * Takes the Lease when nobody holds it, it is ours already (`identity` equal), or its holder is gone: this process saw its record unchanged
   * for as long as it lasts. `held` names the holder, and when it may be taken. Uses optimistic concurrency, so two consoles never both win.
   */
  acquire(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseAcquired>>
  /** Renews what is ours and writes nothing else. */
  renew(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseRenewed>>
  /** Reads it afresh: whether it still says that we hold it. */
  confirm(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseConfirmed>>
  /** Gives it back; a Lease that is no longer ours is left alone. */
  release(request: LeaseRequest, signal?: AbortSignal): Promise<Result<void>>
}

/** What a list tells of a Lease; whether its holder lives only looking again and again does. */
export interface ListedLease {
  readonly held: boolean
  readonly annotations: Readonly<Record<string, string>>
}

/** What asking for a Lease came to. */
export type LeaseAcquired =
  | { readonly kind: 'acquired' }
  | { readonly kind: 'held'; readonly by: LeaseState }
  /** The driver before us wrote more of this run than our journal holds: going on would do again what was done. */
  | { readonly kind: 'journal-lacks'; readonly head: ChainHead }

/** `free`: nobody holds it, somebody took it off us or deleted it; `lost`: somebody else holds it now. */
export type LeaseRenewed =
  | { readonly kind: 'renewed' }
  | { readonly kind: 'free' }
  | { readonly kind: 'lost'; readonly by: LeaseState }

type LeaseConfirmed =
  | { readonly kind: 'ours' }
  | { readonly kind: 'free' }
  | { readonly kind: 'lost'; readonly by: LeaseState }

/** Who asks for a Lease. `identity` is unique per claim of a run by a process: what another one wrote is never taken for ours. */
export interface LeaseRequest {
  readonly name: LeaseName
  readonly identity: string
  readonly runId: string
  readonly operator: string
  readonly machine: string
  readonly durationSeconds: number
  /** Whether an identity is of an earlier driver of the same run that is provably no more: its Lease need not run out first. */
  readonly isPredecessor?: (identity: string) => boolean
  /** The journal that tells of the run: how far it goes is written into the Lease, and what a Lease tells has to be in it. Absent: none does. */
  readonly journal?: RunHeads
}

/** What a Lease needs of the journal. */
export interface RunHeads {
  headOf(runId: string): ChainHead | null
  holds(head: ChainHead): boolean
}
