import type { RowName } from '../../../shared/words/reasons/openstack.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { isoTime } from './service-times.ts'

/** Rows whose times are kept; the one that was heard longest ago is forgotten first. */
const REMEMBERED_ROWS = 20_000

/** Times kept of one row: as many as may come while one request is under way and still leave one from before it. */
const REMEMBERED_TIMES = 16

/** Databases keep whole seconds, and whoever writes takes the time of its own machine: by so little a row may go back and be of now. */
const APART_SECONDS = 2

/** So long a row that is not newer than a change of ours may not contradict it; after that somebody else may have changed it within the same second. */
const CHANGE_HOLDS_MS = 60_000

/** A row that went back is believed once it stays so for so long: longer than a run waits before it asks a person. */
const WENT_BACK_HOLDS_MS = 600_000

/** A point in the order of what was heard. */
type Moment = number & { readonly made: 'moment' }

/** One row of a service's database, as an answer tells it. */
export interface Row {
  /** Which one, and no other: `instance/1f2e…`. */
  readonly key: string
  /** What a sentence calls it. */
  readonly is: RowName
  /** When it was changed last, as the service writes it; null or unreadable: nothing is known of its age. */
  readonly changedAt: string | null | undefined
  /** What a change of ours decides of it; absent where nothing does. */
  readonly says?: string
  /** Whether its time may go back while it is of now: then nothing speaks against it but that it is not newer than a change of ours. */
  readonly mayGoBack?: boolean
}

/**
 * When each row was changed last, as a session heard it, so that a body of the past is not taken for one of now, whatever its headers say: a database replica
 * that is behind is asked by a service of now. An answer heard while a request was under way says nothing: two answers may overtake each other.
 */
export interface NewestRows {
  /** Now: taken before a request is sent. */
  moment(): Moment
  /**
   * Why a row of an answer is of the past; null: nothing shows it, and it is remembered. A row that went back and stays so for ten minutes, while nothing newer
   * is heard of it, is of now: a database was restored, or the clock of whoever writes it was set back.
   */
  whyPast(row: Row, askedAt: Moment): Finding | null
  /** A service agreed to a change of ours and told the row as it is since. */
  changed(row: Row): void
}

/** Remembers, for one session, how new the rows were that it heard of. */
export function createNewestRows(clock: Pick<Clock, 'monotonicMs'>): NewestRows {
  const received = new Map<string, readonly { readonly at: number; readonly seconds: number }[]>()
  const changes = new Map<string, { readonly at: number; readonly seconds: number; says: string; receivedMs: number }>()
  /** Rows that were told older than they were heard: how old, and since when by our monotonic clock. Each has an entry in `heard`. */
  const wentBack = new Map<string, { readonly seconds: number; readonly sinceMs: number }>()
  let now = 0

  function receive(key: string, seconds: number): void {
    const before = received.get(key) ?? []
    received.delete(key)
    const doubted = wentBack.get(key)
    if (doubted !== undefined && seconds > doubted.seconds) wentBack.delete(key)
    const newest = before.at(-1)
    if (newest !== undefined && newest.seconds >= seconds) {
      received.set(key, before)
      return
    }
    now += 1
    received.set(key, [...before, { at: now, seconds }].slice(-REMEMBERED_TIMES))
    const [oldest] = received.keys()
    if (received.size > REMEMBERED_ROWS && oldest !== undefined) {
      received.delete(oldest)
      wentBack.delete(oldest)
    }
  }

  /** Whether a row that went back has stayed so, or gone on from there, for long enough; from then on it is what was heard. */
  function staysBack(key: string, seconds: number): boolean {
    const first = wentBack.get(key)
    const continues = first !== undefined && seconds >= first.seconds
    const sinceMs = continues ? first.sinceMs : clock.monotonicMs()
    wentBack.set(key, { seconds, sinceMs })
    if (clock.monotonicMs() - sinceMs < WENT_BACK_HOLDS_MS) return false
    wentBack.delete(key)
    received.delete(key)
    return true
  }

  return {
    moment: () => now as Moment,
    whyPast: ({ key, is: row, changedAt, says, mayGoBack = false }, askedAt) => {
      const seconds = secondsOf(changedAt)
      if (seconds === null) return null
      const newest = received.get(key)?.findLast(({ at }) => at <= askedAt)?.seconds ?? seconds
      if (!mayGoBack && newest - seconds > APART_SECONDS && !staysBack(key, seconds)) {
        return because('RowWentBack', { row, changedAt: timeOf(seconds), receivedAt: timeOf(newest) })
      }
      const change = changes.get(key)
      if (change !== undefined && change.at <= askedAt && clock.monotonicMs() - change.receivedMs < CHANGE_HOLDS_MS) {
        if (says !== change.says && seconds <= change.seconds)
          return because('RowNotAsChanged', { row, changedAt: timeOf(change.seconds) })
      }
      receive(key, seconds)
      return null
    },
    changed: ({ key, changedAt, says }) => {
      const seconds = secondsOf(changedAt)
      if (seconds === null) return
      receive(key, seconds)
      now += 1
      if (says !== undefined) changes.set(key, { at: now, seconds, says, receivedMs: clock.monotonicMs() })
    },
  }
}

function secondsOf(time: string | null | undefined): number | null {
  const iso = isoTime(time)
  return iso === null ? null : Math.floor(Date.parse(iso) / 1_000)
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
}
