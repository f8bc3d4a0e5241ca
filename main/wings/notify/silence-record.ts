import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { KeptSilence, SignalEntry } from '../../../shared/domain/signals.ts'
import type { SignalJournal } from '../../journal/signal-journal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'

/** Journals silences: before each request, and its result. */
export interface SilenceRecord {
  /** Call it before the request. False if the journal cannot keep it, so do not request the silence. */
  asked(silence: Omit<KeptSilence, 'id' | 'startsAt'>): boolean
  made(silence: KeptSilence): void
  prolonged(silence: KeptSilence): void
  over(
    silence: KeptSilence,
    how: Extract<SignalEntry, { kind: 'silence-over' }>['how'],
    seen: boolean,
    endedAt: string,
  ): void
  left(silence: KeptSilence): void
  /** The settings no longer name its Alertmanager. */
  letGo(silence: KeptSilence): void
  /** Reported once until it works again. */
  failed(
    key: string,
    place: Pick<KeptSilence, 'runId' | 'cluster' | 'node'>,
    doing: 'make' | 'prolong' | 'end',
    id: string | null,
    why: Failure,
  ): void
  /** Delays the next try without a report. */
  putOff(key: string): void
  /** Returns whether it had failed before. */
  works(key: string): boolean
  /** Whether enough time has passed since it failed. */
  mayTry(key: string): boolean
}

/** The wait after a failure. */
const AGAIN_MS = seconds(30)
/** An Alertmanager that does not answer may have made a silence each time. One entry of the journal covers all requests of this time. */
const ASKED_FOR_MS = minutes(10)

export function createSilenceRecord(parts: {
  readonly journal: SignalJournal
  readonly clock: Clock
  readonly log: Logger
}): SilenceRecord {
  const { journal, clock, log } = parts
  /** Reported failures, and when to try again. */
  const failing = new Map<string, number>()
  /** The time until which the last entry of the journal covers requests without an answer. */
  const askedUntil = new Map<string, number>()

  const keep = (
    place: { readonly runId: string; readonly cluster: string },
    body: SignalEntry,
    claim: string | null = null,
  ): boolean => {
    const kept = journal.record(place, body, claim)
    if (!kept.ok) log.warn('silence not kept', { message: kept.failure.message })
    return kept.ok
  }
  const putOff = (key: string) => {
    failing.set(key, clock.now() + AGAIN_MS)
  }

  return {
    asked: silence => {
      const { host, node, matchers } = silence
      const key = silenceKey(silence)
      const endsAtMs = Date.parse(silence.endsAt)
      if (endsAtMs <= (askedUntil.get(key) ?? 0)) return true
      const overByMs = endsAtMs + ASKED_FOR_MS
      const overBy = new Date(overByMs).toISOString()
      const isKept = keep(silence, { kind: 'silence-asked', host, node, matchers, overBy })
      if (isKept) askedUntil.set(key, overByMs)
      return isKept
    },
    made: silence => {
      const { host, node, id, matchers, startsAt, endsAt } = silence
      askedUntil.delete(silenceKey(silence))
      keep(silence, { kind: 'silence-made', host, node, id, matchers, startsAt, endsAt }, `silence ${id} made`)
    },
    prolonged: silence => {
      keep(silence, { kind: 'silence-prolonged', id: silence.id, endsAt: silence.endsAt })
    },
    over: (silence, how, seen, endedAt) => {
      keep(silence, { kind: 'silence-over', id: silence.id, how, seen, endedAt }, `silence ${silence.id} over`)
    },
    left: silence => {
      keep(silence, { kind: 'silence-left', id: silence.id, endsAt: silence.endsAt })
    },
    letGo: silence => {
      const { id, host } = silence
      keep(silence, { kind: 'silence-let-go', id, host }, `silence ${id} let go`)
    },
    failed: (key, place, doing, id, why) => {
      if (!failing.has(key)) keep(place, silenceFailed(why, { doing, node: place.node, id }))
      putOff(key)
    },
    putOff,
    works: key => failing.delete(key),
    mayTry: key => clock.now() >= (failing.get(key) ?? 0),
  }
}

export function silenceKey({ runId, node, matchers }: Pick<KeptSilence, 'runId' | 'node' | 'matchers'>): string {
  return `${runId} ${node} ${matchers}`
}

function silenceFailed(
  { message, reason, values }: Failure,
  of: Pick<Extract<SignalEntry, { kind: 'silence-failed' }>, 'doing' | 'node' | 'id'>,
): SignalEntry {
  const code = reason === undefined ? {} : { code: reason, values: values ?? {} }
  return { kind: 'silence-failed', ...of, why: message, ...code }
}
