import type { Edit } from '../../shared/domain/edit.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { EditJournal } from './edits.ts'
import type { Journal } from './journal.ts'
import type { WindowChange, WindowJournal } from './windows.ts'

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
 * Begins after what was there when the journal was opened. Entries of this process are told as soon as it is written, after what others wrote before it: commits
 * of SQLite follow one another, so that nothing with a smaller number can appear later.
 */
export function createJournalTail(options: {
  readonly journal: Pick<Journal, 'eventsAfter' | 'seqWhenOpened' | 'writesOfOthers'> & {
    readonly edits: Pick<EditJournal, 'after' | 'seqWhenOpened'>
    readonly windows: Pick<WindowJournal, 'after' | 'seqWhenOpened'>
  }
  readonly clock: Clock
  readonly log: Logger
  readonly onEvent: (event: RunEvent) => void
  /** Others changed something by hand; may name edits of this process too. */
  readonly onEdit: (edit: Edit) => void
  /** Others wrote of a window; may name changes of this process too. */
  readonly onWindow: (window: Pick<WindowChange, 'id' | 'cluster'>) => void
}): JournalTail {
  const { journal, clock, log } = options
  let reportedEdit = journal.edits.seqWhenOpened
  let reportedWindow = journal.windows.seqWhenOpened
  let reported = journal.seqWhenOpened
  /** A look failed: what it should have found is still to be told. */
  let behind = false

  /** A listener that fails is its own trouble: a run that just wrote goes on, and the next events are told. */
  const safely = (report: () => void) => {
    try {
      report()
    } catch (error) {
      log.error('journal-listener-failed', { error })
    }
  }

  /** Tells everything up to this number. */
  const catchUp = (until: number) => {
    try {
      for (;;) {
        const found = journal.eventsAfter(reported, EVENTS_AT_ONCE)
        for (const { seq, event } of found) {
          if (seq > until) return
          // Whoever was told of the one before may have written, and so told, this one.
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
      // A window that several events changed is told of once.
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

  /** Null when it cannot be told: then it is looked for. */
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
      // Told meanwhile; or others' events before it are not, and then the next look tells it with them, in order.
      if (event.seq <= reported || behind) return
      reported = event.seq
      safely(() => options.onEvent(event))
    },
    follow: async signal => {
      for (let seen: number | null = null; !signal.aborted; ) {
        // Asked for before looking: what is written in between is looked for once more.
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
