import { hours } from '../../../shared/domain/durations.ts'
import type { Clock } from './clock.ts'

/** A map of what was received lately, without a limit that a big cloud exceeds. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined
  put(key: string, value: Value): void
  forget(key: string): void
}

/** As many are kept however long ago they were put. */
const FEW = 20_000
const KEPT_MS = hours(1)

/** Keeps what was put within the last hour, and everything while there is little. Forgets the older of two generations as a whole: each put takes the same time. */
export function createRecentMap<Value>(clock: Pick<Clock, 'monotonicMs'>): RecentMap<Value> {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()
  let sinceMs = clock.monotonicMs()
  return {
    get: key => recent.get(key) ?? older.get(key),
    put: (key, value) => {
      if (recent.size >= FEW && clock.monotonicMs() - sinceMs >= KEPT_MS) {
        older = recent
        recent = new Map()
        sinceMs = clock.monotonicMs()
      }
      recent.set(key, value)
    },
    forget: key => {
      recent.delete(key)
      older.delete(key)
    },
  }
}
