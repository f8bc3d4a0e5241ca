import type { Logger } from '../../platform/log/logger.ts'
import type { Refusal } from './sender.ts'

/** At most one line per reason and second, so that many requests do not fill the disk. */
const EVERY_MS = 1000

/** Logs refused requests by reason, with the number of repetitions, and nothing that they sent. */
export function createRefusalLog(log: Logger, now: () => number): (refusal: Refusal) => void {
  const seen = new Map<Refusal, { at: number; since: number }>()
  return refusal => {
    const last = seen.get(refusal)
    if (last !== undefined && now() - last.at < EVERY_MS) {
      last.since += 1
      return
    }
    log.warn('a request was refused', { reason: refusal, alsoRefusedSince: last?.since ?? 0 })
    seen.set(refusal, { at: now(), since: 0 })
  }
}
