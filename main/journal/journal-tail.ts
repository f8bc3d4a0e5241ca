import type { Edit } from '../../shared/domain/edit.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { EditJournal } from './edit-journal.ts'
import type { Journal } from './journal.ts'
import type { WindowChange, WindowJournal } from './window-journal.ts'

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

interface JournalTailOptions {
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
}

/** The numbers of the newest entries that listeners know. */
interface TailState {
  event: number
  edit: number
  window: number
  /** A reading failed: its events are still missing. */
  behind: boolean
}

/**
 * Starts after the events that existed when the journal was opened. Events of this process are reported as soon as they are written, after earlier
 * ones of others: SQLite serializes commits, so no smaller number can appear later.
 */
export function createJournalTail(options: JournalTailOptions): JournalTail {
  const { journal, clock } = options
  const state: TailState = {
    event: journal.seqWhenOpened,
    edit: journal.edits.seqWhenOpened,
    window: journal.windows.seqWhenOpened,
    behind: false,
  }
  return {
    wrote: event => {
      if (event.seq > state.event + 1) reportEvents(options, state, event.seq - 1)
      // Already reported; or others' earlier events are missing, and the next reading reports it with them, in order.
      if (event.seq <= state.event || state.behind) return
      state.event = event.seq
      callListener(options, () => options.onEvent(event))
    },
    follow: async signal => {
      for (let seen: number | null = null; !signal.aborted; ) {
        // Read before the events: entries written in between are read once more.
        const now = writesOfOthers(options)
        if (now === null || now !== seen || state.behind) {
          state.behind = false
          reportEvents(options, state, Number.POSITIVE_INFINITY)
          reportEdits(options, state)
          reportWindows(options, state)
        }
        seen = now
        await clock.sleep(LOOK_EVERY_MS, signal)
      }
    },
  }
}

function reportEvents(options: JournalTailOptions, state: TailState, until: number): void {
  const { journal, log } = options
  try {
    for (;;) {
      const found = journal.eventsAfter(state.event, EVENTS_AT_ONCE)
      for (const { seq, event } of found) {
        if (seq > until) return
        // A listener of the previous event may have written, and so reported, this one.
        if (seq <= state.event) continue
        state.event = seq
        if (event === null) log.warn('journal-event-unreadable', { seq })
        else callListener(options, () => options.onEvent(event))
      }
      if (found.length < EVENTS_AT_ONCE) return
    }
  } catch (error) {
    state.behind = true
    log.warn('journal-events-unread', { error })
  }
}

function reportEdits(options: JournalTailOptions, state: TailState): void {
  try {
    for (const edit of options.journal.edits.after(state.edit)) {
      state.edit = edit.seq
      callListener(options, () => options.onEdit(edit))
    }
  } catch (error) {
    state.behind = true
    options.log.warn('journal-edits-unread', { error })
  }
}

/** Reports a window that several events changed once. */
function reportWindows(options: JournalTailOptions, state: TailState): void {
  try {
    const changed = new Map<string, string>()
    for (const { seq, id, cluster } of options.journal.windows.after(state.window)) {
      state.window = seq
      changed.set(id, cluster)
    }
    for (const [id, cluster] of changed) callListener(options, () => options.onWindow({ id, cluster }))
  } catch (error) {
    state.behind = true
    options.log.warn('journal-windows-unread', { error })
  }
}

/** A failing listener must not affect others: the writing run continues, and later events are reported. */
function callListener({ log }: JournalTailOptions, report: () => void): void {
  try {
    report()
  } catch (error) {
    log.error('journal-listener-failed', { error })
  }
}

/** Null: unknown, so the next reading decides. */
function writesOfOthers({ journal }: JournalTailOptions): number | null {
  try {
    return journal.writesOfOthers()
  } catch {
    return null
  }
}
