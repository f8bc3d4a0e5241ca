import type { Result } from '../../../shared/domain/result.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { ApplicationController, Snapshot } from './application-controller.ts'

/** What the workers of one controller on one cluster share. */
export interface WorkerParts {
  readonly controller: ApplicationController
  readonly world: ControllerWorld
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  readonly snapshot: () => Snapshot
  readonly wake: Wake
  readonly lookAgainMs: number
  readonly mayAct: () => boolean
  /** Whether the snapshot is how the cluster is now: else nothing is decided by it. */
  readonly isCurrent: () => boolean
  /** Aborted as soon as the snapshot may be of the past: work that rests on it begins nothing more. */
  readonly current: () => AbortSignal
  readonly onActivity: () => void
}

/** A failed write is tried again after this, or at the next change. */
export const AFTER_FAILURE_MS = 2_000

/** The finalizer by which a controller of ours holds a request until the application is back (docs/domain.md A.3). */
export function finalizerOf(controller: string): string {
  return `lcm.mirantis.com/lockkeeper-${controller}-finalizer`
}

/** Waits for the next change, a short while, or the end of the signal: whichever comes first. */
export async function rest(woken: Promise<void>, ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const patience = new AbortController()
  await Promise.race([woken, clock.sleep(ms, AbortSignal.any([signal, patience.signal]))])
  patience.abort()
}

/** Whether a write went well; one that did not is logged, and tried again at the next look. */
export async function isWritten(answer: Promise<Result<unknown>>, of: string, log: Logger): Promise<boolean> {
  const result = await answer
  if (!result.ok && result.failure.code !== 'aborted') {
    log.warn('maintenance-object-unwritten', {
      of,
      code: result.failure.code,
      why: result.failure.message,
    })
  }
  return result.ok
}

/** Wakes everybody who waits for a change of what is watched. */
interface Wake {
  /** Resolves at the next change. Take it before looking, so that no change is missed between looking and waiting. */
  next(): Promise<void>
  all(): void
}

export function createWake(): Wake {
  let report: () => void = () => {}
  let coming = new Promise<void>(resolve => {
    report = resolve
  })
  return {
    next: () => coming,
    all: () => {
      report()
      coming = new Promise<void>(resolve => {
        report = resolve
      })
    },
  }
}
