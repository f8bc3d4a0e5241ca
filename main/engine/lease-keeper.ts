import type { Plan } from '../../shared/domain/plan.ts'
import type { Result } from '../../shared/domain/result.ts'

/** Who else holds what the run needs, in words. */
export interface HeldBy {
  readonly message: string
}

/** Keeps two runs off one node (style G26). The procedures give the real one; the engine only knows acquire, renew, release. */
export interface LeaseKeeper<World> {
  readonly durationMs: number
  identityOf(runId: string): string
  acquire(
    plan: Plan,
    runId: string,
    world: World,
  ): Promise<Result<{ readonly kind: 'acquired' } | ({ readonly kind: 'held' } & HeldBy)>>
  renew(
    plan: Plan,
    runId: string,
    world: World,
  ): Promise<Result<{ readonly kind: 'renewed' } | ({ readonly kind: 'lost' } & HeldBy)>>
  release(plan: Plan, runId: string, world: World): Promise<Result<void>>
}
