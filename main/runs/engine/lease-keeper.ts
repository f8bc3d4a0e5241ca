import type { Plan } from '../../../shared/domain/plan.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { Fence } from '../../../shared/domain/run.ts'

/** The claim by which a process drives a run, and which earlier drivers of the run have provably ended. */
export interface LeaseClaim {
  readonly runId: string
  readonly fence: Fence
  readonly isDriverGone: (driverId: string) => boolean
}

/** Keeps two runs off one node (style G26). The procedures provide the implementation; the engine knows no cluster's Lease. */
export interface LeaseKeeper<World> {
  identityOf(claim: Pick<LeaseClaim, 'runId' | 'fence'>): string
  of(plan: Plan, claim: LeaseClaim, world: World): LeaseHandle
  /** The world as a run may use it: every change passes the gate first, so that no step can forget it. */
  fenced(world: World, gate: LeaseGate): World
}

/** Makes an effect under the Lease: checks it immediately before, and sends requests only while it lasts. After a failure the run stops. */
export type LeaseGate = <T>(effect: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>

/** One Lease for one holder; each call makes one request to the API server. */
export interface LeaseHandle {
  readonly durationMs: number
  acquire(signal: AbortSignal): Promise<Result<{ readonly kind: 'acquired' } | LeaseHeld>>
  /** `free`: nobody holds it, although none of our processes released it. */
  renew(signal: AbortSignal): Promise<Result<{ readonly kind: 'renewed' } | { readonly kind: 'free' } | LeaseLost>>
  confirm(signal: AbortSignal): Promise<Result<{ readonly kind: 'ours' } | { readonly kind: 'free' } | LeaseLost>>
  release(signal: AbortSignal): Promise<Result<void>>
}

export interface LeaseHeld {
  readonly kind: 'held'
  /** The holder, since when, and where, as a sentence. */
  readonly message: string
  /** When it may be taken if its holder is gone; null when the holder was seen alive. */
  readonly freeInMs: number | null
}

interface LeaseLost {
  readonly kind: 'lost'
  readonly message: string
}
