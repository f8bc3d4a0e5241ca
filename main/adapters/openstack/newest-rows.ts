import type { RowName } from '../../../shared/words/reasons/openstack.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { createRecentMap } from '../../platform/clock/recent-map.ts'
import { isoTime } from './service-times.ts'

/** Times kept per row: enough for those arriving during one request, plus one from before it. */
const REMEMBERED_TIMES = 16

/** Databases store whole seconds by the writer's clock, so a current row may go back by this much. */
const CLOCK_TOLERANCE_SECONDS = 2

/** How long an equally old row must agree with our change; after that another client may have changed it in the same second. */
const OWN_CHANGE_COUNTS_MS = 60_000

/** A row that stays older for this long is accepted: longer than a run waits before it asks the operator. */
const ACCEPT_OLDER_AFTER_MS = 600_000

type Moment = number & { readonly made: 'moment' }

export interface Row {
  readonly key: string
  readonly is: RowName
  /** The service's time of the last change; null or unreadable: its age is unknown. */
  readonly changedAt: string | null | undefined
  /** The part of the row that our change sets; absent without a change. */
  readonly says?: string
  /** Whether its time may go back although the row is current: then only our own change counts against it. */
  readonly mayGoBack?: boolean
}

/** When each row last changed, as this session received it: a service may read a database replica that lags. Answers received during a request do not count. */
export interface NewestRows {
  moment(): Moment
  /** Why a row is outdated; null if there is no evidence. An older row that stays so for ten minutes is accepted: a database was restored, or a clock was set back. */
  whyPast(row: Row, askedAt: Moment): Finding | null
  /** Records a row after our change, as the service returned it. */
  changed(row: Row): void
}

export function createNewestRows(clock: Pick<Clock, 'monotonicMs'>): NewestRows {
  const received = createRecentMap<readonly { readonly at: number; readonly seconds: number }[]>(clock)
  const changes = new Map<string, { readonly at: number; readonly seconds: number; says: string; receivedMs: number }>()
  /** Rows that became older: their time, and since when by our monotonic clock. */
  const wentBack = createRecentMap<{ readonly seconds: number; readonly sinceMs: number }>(clock)
  let now = 0

  function receive(key: string, seconds: number): void {
    const before = received.get(key) ?? []
    const doubted = wentBack.get(key)
    if (doubted !== undefined && seconds > doubted.seconds) wentBack.forget(key)
    const newest = before.at(-1)
    if (newest !== undefined && newest.seconds >= seconds) {
      received.put(key, before)
      return
    }
    now += 1
    received.put(key, [...before, { at: now, seconds }].slice(-REMEMBERED_TIMES))
  }

  /** Whether a row stayed older, or continued from there, long enough; from then on it is the recorded one. */
  function isOlderForLong(key: string, seconds: number): boolean {
    const first = wentBack.get(key)
    const continues = first !== undefined && seconds >= first.seconds
    const sinceMs = continues ? first.sinceMs : clock.monotonicMs()
    wentBack.put(key, { seconds, sinceMs })
    if (clock.monotonicMs() - sinceMs < ACCEPT_OLDER_AFTER_MS) return false
    wentBack.forget(key)
    received.forget(key)
    return true
  }

  return {
    moment: () => now as Moment,
    whyPast: ({ key, is: row, changedAt, says, mayGoBack = false }, askedAt) => {
      const seconds = secondsOf(changedAt)
      if (seconds === null) return null
      const newest = received.get(key)?.findLast(({ at }) => at <= askedAt)?.seconds ?? seconds
      if (!mayGoBack && newest - seconds > CLOCK_TOLERANCE_SECONDS && !isOlderForLong(key, seconds)) {
        return because('RowWentBack', { row, changedAt: timeOf(seconds), receivedAt: timeOf(newest) })
      }
      const change = changes.get(key)
      if (
        change !== undefined &&
        change.at <= askedAt &&
        clock.monotonicMs() - change.receivedMs < OWN_CHANGE_COUNTS_MS
      ) {
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
