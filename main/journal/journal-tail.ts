import type { Edit } from '../../shared/domain/edit.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { EditJournal } from './edits.ts'
import type { Journal } from './journal.ts'
import type { WindowChange, WindowJournal } from './windows.ts'

/** The events of all runs as they reach the journal: each once, in the journal's order, from any process. */
export interface JournalTail {
  wrote(event: RunEvent): void
  /** Reads events of other processes, until stopped. */
  follow(signal: AbortSignal): Promise<void>
}

/** Others' events appear within two seconds: one reading a second leaves room for a slow one. */
const LOOK_EVERY_MS = 1_000
/** Maximum per reading; after a laptop slept there may be many more. */
const EVENTS_AT_ONCE = 500

/**
 * Starts after the events that existed when the journal was opened. Events of this process are reported as soon as they are written, after earlier
 * ones of others: SQLite serializes commits, so no smaller number can appear later.
 */
export function createJournalTail(options: {
  readonly journal: Pick<Journal, 'eventsAfter' | 'seqWhenOpened' | 'writesOfOthers'> & {
    readonly edits: Pick<EditJournal, 'after' | 'seqWhenOpened'>
    readonly windows: Pick<WindowJournal, 'after' | 'seqWhenOpened'>
  }
  readonly clock: Clock
  readonly log: Logger
  readonly onEvent: (event: RunEvent) => void
  /** Others changed something by hand; may include edits of this process. */
  readonly onEdit: (edit: Edit) => void
  /** Others wrote about a window; may include changes of this process. */
  readonly onWindow: (window: Pick<WindowChange, 'id' | 'cluster'>) => void
}): JournalTail {
  const { journal, clock, log } = options
  let reportedEdit = journal.edits.seqWhenOpened
  let reportedWindow = journal.windows.seqWhenOpened
  let reported = journal.seqWhenOpened
  /** A reading failed: its events are still missing. */
  let behind = false

  /** A failing listener must not affect others: the writing run continues, and later events are reported. */
  const safely = (report: () => void) => {
    try {
      report()
    } catch (error) {
      log.error('journal-listener-failed', { error })
    }
  }

  const catchUp = (until: number) => {
    try {
      for (;;) {
        const found = journal.eventsAfter(reported, EVENTS_AT_ONCE)
        for (const { seq, event } of found) {
          if (seq > until) return
          // A listener of the previous event may have written, and so reported, this one.
          if (seq <= reported) continue
          reported = seq
          if (event === null) log.warn('journal-event-unreadable', { seq })
          else safely(() => options.onEvent(event))
        }
        if (found.length < EVENTS_AT_ONCE) return
      }
    } catch (error) {
      behind = true
      log.warn('journal-events-unread', { error })
    }
  }

  const catchUpEdits = () => {
    try {
      for (const edit of journal.edits.after(reportedEdit)) {
        reportedEdit = edit.seq
        safely(() => options.onEdit(edit))
      }
    } catch (error) {
      behind = true
      log.warn('journal-edits-unread', { error })
    }
  }

  const catchUpWindows = () => {
    try {
      // A window that several events changed is reported once.
      const changed = new Map<string, string>()
      for (const { seq, id, cluster } of journal.windows.after(reportedWindow)) {
        reportedWindow = seq
        changed.set(id, cluster)
      }
      for (const [id, cluster] of changed) safely(() => options.onWindow({ id, cluster }))
    } catch (error) {
      behind = true
      log.warn('journal-windows-unread', { error })
    }
  }

  /** Null: unknown, so the next reading decides. */
  const writesOfOthers = () => {
    try {
      return journal.writesOfOthers()
    } catch {
      return null
    }
  }

  return {
    wrote: event => {
      if (event.seq > reported + 1) catchUp(event.seq - 1)
      // Already reported; or others' earlier events are missing, and the next reading reports it with them, in order.
      if (event.seq <= reported || behind) return
      reported = event.seq
      safely(() => options.onEvent(event))
    },
    follow: async signal => {
      for (let seen: number | null = null; !signal.aborted; ) {
        // Read before the events: entries written in between are read once more.
        const now = writesOfOthers()
        if (now === null || now !== seen || behind) {
          behind = false
          catchUp(Number.POSITIVE_INFINITY)
          catchUpEdits()
          catchUpWindows()
        }
        seen = now
        await clock.sleep(LOOK_EVERY_MS, signal)
      }
    },
  }
}
