import type { RunEvent } from '../../shared/domain/run.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import type { Journal } from './journal.ts'

/** The events of all runs as they reach the journal: each once, in the journal's order, whichever process wrote them. */
export interface JournalTail {
  /** To be told of what this process wrote, at once. */
  wrote(event: RunEvent): void
  /** Looks for what other processes wrote, until stopped. */
  follow(signal: AbortSignal): Promise<void>
}

/** Others' events are told within two seconds: one look a second leaves room for a slow one. */
const LOOK_EVERY_MS = 1_000
/** Read at once; after a laptop slept there may be many more. */
const EVENTS_AT_ONCE = 500

/**
 * Begins after what was there when the journal was opened. What this process writes is told as soon as it is written, after what others wrote before it: commits
 * of SQLite follow one another, so that nothing with a smaller number can appear later.
 */
export function createJournalTail(options: {
  readonly journal: Pick<Journal, 'eventsAfter' | 'seqWhenOpened'>
  readonly clock: Clock
  readonly log: Logger
  readonly onEvent: (event: RunEvent) => void
}): JournalTail {
  const { journal, clock, log, onEvent } = options
  let told = journal.seqWhenOpened

  /** Tells everything up to this number; a look that fails is made up for by the next one. */
  const catchUp = (until: number) => {
    try {
      for (;;) {
        const found = journal.eventsAfter(told, EVENTS_AT_ONCE)
        for (const { seq, event } of found) {
          if (seq > until) return
          // Whoever was told of the one before may have written, and so told, this one.
          if (seq <= told) continue
          told = seq
          if (event === null) log.warn('an event of the journal cannot be read', { seq })
          else onEvent(event)
        }
        if (found.length < EVENTS_AT_ONCE) return
      }
    } catch (error) {
      log.warn('the journal cannot be read for events of other processes', { error })
    }
  }

  return {
    wrote: event => {
      if (event.seq <= told) return
      if (event.seq > told + 1) catchUp(event.seq - 1)
      if (event.seq <= told) return
      told = event.seq
      onEvent(event)
    },
    follow: async signal => {
      while (!signal.aborted) {
        catchUp(Number.POSITIVE_INFINITY)
        await clock.sleep(LOOK_EVERY_MS, signal)
      }
    },
  }
}
