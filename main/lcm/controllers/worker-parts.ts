import type { Result } from '../../../shared/domain/result.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { ApplicationController, Snapshot } from './application-controller.ts'

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
  /** Whether the snapshot is current; only then does it allow a decision. */
  readonly isCurrent: () => boolean
  /** Aborted when the snapshot may be outdated: work based on it starts nothing more. */
  readonly current: () => AbortSignal
  readonly onActivity: () => void
}

/** The delay before a failed write is repeated, unless a change comes first. */
export const AFTER_FAILURE_MS = 2_000

/** The finalizer that keeps a request until our controller has restored the application (docs/domain.md A.3). */
export function finalizerOf(controller: string): string {
  return `lcm.mirantis.com/lockkeeper-${controller}-finalizer`
}

export async function rest(woken: Promise<void>, ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const patience = new AbortController()
  await Promise.race([woken, clock.sleep(ms, AbortSignal.any([signal, patience.signal]))])
  patience.abort()
}

/** Whether a write succeeded; a failure is logged and repeated in the next round. */
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

export interface Wake {
  /** Resolves at the next change. Take it before reading, so that no change between is missed. */
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
