import type { Failure } from '../../shared/domain/failure.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { HeadAnchor } from '../ports/head-anchor.ts'
import type { ReportSource } from '../ports/journal.ts'
import { databaseResult } from './database-trouble.ts'
import { type EditJournal, editJournal } from './edit-journal.ts'
import { type AnchoredDatabase, headKeeper, openAnchored, openAnchoredToLook } from './head-anchor.ts'
import { type JournalCare, journalCare } from './journal-care.ts'
import { type ObservationJournal, observationJournal } from './observation-journal.ts'
import { reportSource } from './report-source.ts'
import { type RunReader, runReader } from './run-reader.ts'
import { type RunWriter, runWriter } from './run-writer.ts'
import { type SignalJournal, signalJournal } from './signal-journal.ts'
import { type StretchSource, stretchSource } from './stretch-source.ts'
import { type WindowJournal, windowJournal } from './window-journal.ts'

/** The record of what happened: append-only events of every run (style G21). Several processes may have it open. */
export interface Journal extends RunReader, RunWriter {
  readonly path: string
  readonly readOnly: Failure | null
  readonly edits: EditJournal
  readonly observations: ObservationJournal
  readonly windows: WindowJournal
  readonly signals: SignalJournal
  readonly report: ReportSource
  readonly stretches: StretchSource
  /** Work on the journal as a whole: checks, copies, retention. */
  readonly care: JournalCare
  close(): void
}

/** Opens the journal of a data directory. `anchor`: its head recorded elsewhere; absent if there is none. */
export function openJournal(options: {
  readonly path: string
  readonly clock: Clock
  readonly anchor?: HeadAnchor
}): Result<Journal> {
  const { path, clock, anchor = null } = options
  const opened = openAnchored(path, anchor)
  return opened.ok ? journalOrClose(opened.value, path, clock, anchor) : opened
}

export type InspectedJournal = Pick<Journal, 'path' | 'rows' | 'events' | 'row' | 'care' | 'close'>

/** Opens the journal of a data directory for inspection, and changes nothing. Null if there never was one. */
export function inspectJournal(options: {
  readonly path: string
  readonly clock: Clock
  readonly anchor: HeadAnchor
}): Result<InspectedJournal | null> {
  const { path, clock, anchor } = options
  const opened = openAnchoredToLook(path, anchor)
  if (!opened.ok) return opened
  return opened.value === null ? ok(null) : journalOrClose(opened.value, path, clock, anchor)
}

function journalOrClose(opened: AnchoredDatabase, path: string, clock: Clock, anchor: HeadAnchor | null) {
  // A damaged page may show only when its table is first read.
  const journal = databaseResult(path, () => journalFrom(opened, path, clock, anchor))
  if (!journal.ok) opened.close()
  return journal
}

export function journalFrom(opened: AnchoredDatabase, path: string, clock: Clock, anchor: HeadAnchor | null): Journal {
  const { database, readOnly, close } = opened
  const heads = headKeeper(opened, anchor, clock)
  heads.keep()
  return {
    path,
    readOnly,
    ...runReader(database, path, clock),
    ...runWriter({ database, path, clock, readOnly, heads }),
    edits: editJournal(database, path, clock),
    observations: observationJournal(database, path, clock),
    windows: windowJournal(database, path, clock),
    signals: signalJournal(database, path, clock),
    report: reportSource(database, path),
    stretches: stretchSource(database, path),
    care: journalCare(opened, path, clock, anchor),
    close: () => {
      heads.keep()
      close()
    },
  }
}
