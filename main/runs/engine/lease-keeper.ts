import type { Plan } from '../../../shared/domain/plan.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { Fence } from '../../../shared/domain/run.ts'

/** By which claim a process drives a run, and which earlier drivers of the same run are provably no more. */
export interface LeaseClaim {
  readonly runId: string
  readonly fence: Fence
  readonly isDriverGone: (driverId: string) => boolean
}

/** Keeps two runs off one node (style G26). The procedures give the real one; the engine knows no Lease of any cluster. */
export interface LeaseKeeper<World> {
  identityOf(claim: Pick<LeaseClaim, 'runId' | 'fence'>): string
  /** The Lease that a plan needs, as this claim asks for it. */
  of(plan: Plan, claim: LeaseClaim, world: World): LeaseHandle
  /** The world as a run may use it: whatever changes anything passes the gate first, so that no step can forget it. */
  fenced(world: World, gate: LeaseGate): World
}

/**
 * Makes an effect under the Lease: the Lease is looked at right before, and the requests of the effect are sent only while it lasts. A failure: nothing
 * was sent by the effect from then on, and the run stops (the signal of its steps is aborted).
 */
export type LeaseGate = <T>(effect: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>

/** One Lease as one holder asks for it: each call asks the API server afresh, once. */
export interface LeaseHandle {
  readonly durationMs: number
  acquire(signal: AbortSignal): Promise<Result<{ readonly kind: 'acquired' } | LeaseHeld>>
  /** `free`: nobody holds it any more, though nobody of ours gave it back. */
  renew(signal: AbortSignal): Promise<Result<{ readonly kind: 'renewed' } | { readonly kind: 'free' } | LeaseLost>>
  confirm(signal: AbortSignal): Promise<Result<{ readonly kind: 'ours' } | { readonly kind: 'free' } | LeaseLost>>
  release(signal: AbortSignal): Promise<Result<void>>
}

/** Somebody else holds it. */
export interface LeaseHeld {
  readonly kind: 'held'
  /** The holder, since when, where; a sentence. */
  readonly message: string
  /** When it may be taken if its holder is gone; null when the holder was seen to live. */
  readonly freeInMs: number | null
}

/** Somebody else holds what was ours. */
interface LeaseLost {
  readonly kind: 'lost'
  readonly message: string
}
