import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { HeadAnchor, KnownHead } from '../ports/head-anchor.ts'
import { linkReader } from './entry-reader.ts'
import { isThere } from './journal-file.ts'
import { type OpenedDatabase, onlyLooked, openDatabase, openDatabaseToLook } from './open-journal.ts'
import { upgradedInMemory } from './schema.ts'

/** A journal's database, and what of it is gone. */
export interface AnchoredDatabase extends OpenedDatabase {
  /** What was known of the journal and is not in it any more, in words; null: nothing is missing. */
  readonly lost: string | null
  /** Whether somebody may go on with it as it is: what is gone is all that keeps it from being written. */
  readonly mayAccept: boolean
  /** The number of the head that is known outside of it; 0: none. */
  readonly knownSeq: number
}

/**
 * Opens a journal as {@link openDatabase} does, and holds it against what is known of it outside. One that was emptied, exchanged, cut at its end or put
 * back from an older copy opens for reading only, until somebody accepts that; it never silently goes on as if all were there.
 */
export function openAnchored(path: string, anchor: HeadAnchor | null): Result<AnchoredDatabase> {
  const known = anchor?.load() ?? ok(null)
  const expected = !known.ok || (known.value !== null && known.value.seq > 0)
  const opened = expected && isNothing(path) ? ok(nothing()) : openDatabase(path)
  if (!opened.ok) return expected ? failed(notWhatItWas(opened.failure, path, known)) : opened
  const lost = lostOf(opened.value, path, known)
  // The reason why it cannot be written is told; a check says whether something is gone all the same.
  if (opened.value.readOnly !== null) return ok({ ...opened.value, lost, mayAccept: false, knownSeq: 0 })
  if (lost !== null) return ok(readOnly(opened.value, path, lost))
  return ok({ ...opened.value, lost, mayAccept: false, knownSeq: known.ok ? (known.value?.seq ?? 0) : 0 })
}

/** The same for whoever only looks: nothing is made or changed. Null: there never was a journal here. */
export function openAnchoredToLook(path: string, anchor: HeadAnchor): Result<AnchoredDatabase | null> {
  const known = anchor.load()
  const expected = !known.ok || (known.value !== null && known.value.seq > 0)
  if (isNothing(path) && !expected) return ok(null)
  const opened = isNothing(path) ? ok({ ...nothing(), readOnly: onlyLooked(path) }) : openDatabaseToLook(path)
  if (!opened.ok) return expected ? failed(notWhatItWas(opened.failure, path, known)) : opened
  return ok({ ...opened.value, lost: lostOf(opened.value, path, known), mayAccept: false, knownSeq: 0 })
}

/** A file that cannot be opened where a journal was is that journal, spoilt: nobody is told to move it away. */
function notWhatItWas(why: Failure, path: string, known: Result<KnownHead | null>): Failure {
  if (why.code !== 'damaged' || !known.ok || known.value === null) return why
  const { seq, at } = known.value
  const { reason, values, message } = refusal(why.code, because('JournalUnreadableNow', { path, entries: seq, at }))
  return {
    ...why,
    ...(reason === undefined ? {} : { reason }),
    ...(values === undefined ? {} : { values }),
    message,
    detail: why.message,
  }
}

/** What was known of a journal and is not in it, in words; null: nothing is missing. */
function lostOf(
  { database, readOnly: refused }: OpenedDatabase,
  path: string,
  known: Result<KnownHead | null>,
): string | null {
  if (!known.ok) return because('JournalNotComparable', { path, cause: known.failure.message }).message
  if (known.value === null) return null
  const { seq, hash, at } = known.value
  try {
    const why = whyLacking(database, known.value)
    return why === null ? null : because('JournalLostEntries', { path, why, entries: seq, at, head: hash }).message
  } catch (error) {
    // A damaged page; of one that is open for reading only a check says so.
    if (refused === null) throw error
    return null
  }
}

/** What is shown where a journal should be: nothing is made in its place. */
function nothing(): OpenedDatabase {
  const database = upgradedInMemory(new DatabaseSync(':memory:'))
  return { database, readOnly: null, otherFile: () => null, close: () => database.close() }
}

function isNothing(path: string): boolean {
  return (!existsSync(path) || statSync(path).size === 0) && !isThere(`${path}-wal`)
}

/** Why a journal is not the one that was known, or not all of it; null: it holds what was known. */
function whyLacking(database: DatabaseSync, known: KnownHead): Finding | null {
  if (known.seq === 0) return null
  const links = linkReader(database)
  if (links.at(known.seq)?.hash === known.hash) return null
  const newest = links.newest()
  if (newest === null) return because('JournalWasEmptied')
  if (links.at(1)?.hash !== known.first) return because('OtherJournal')
  return newest.seq < known.seq
    ? because('EndCutOff', { last: newest.seq })
    : because('EntryRewritten', { seq: known.seq })
}

function readOnly(opened: OpenedDatabase, path: string, lost: string): AnchoredDatabase {
  opened.database.exec('PRAGMA query_only = ON')
  return { ...opened, lost, mayAccept: true, knownSeq: 0, readOnly: notWritten(lost, path) }
}

function notWritten(lost: string, path: string): Failure {
  return refusal('damaged', because('JournalNotAccepted', { lost }), { target: path })
}

/** Keeps the head of an open journal known outside of it; what cannot be kept now is kept later: an older head only says less. */
interface HeadKeeper {
  /** An entry was written; `now`: one after which somebody may rely on it. */
  wrote(now: boolean): void
  keep(): void
}

const KEPT_EVERY = 50

/** Goes on with a journal as it is, whatever was known of it: from now on this is what was there. */
export function keepHead(database: DatabaseSync, anchor: HeadAnchor, clock: Clock): Result<void> {
  const links = linkReader(database)
  const [first, newest] = [links.at(1), links.newest()]
  if (first === null || newest === null) return ok(undefined)
  return anchor.keep({ seq: newest.seq, hash: newest.hash, first: first.hash, at: isoNow(clock) })
}

/** Nothing is known outside of a journal without an anchor, and nothing is said of one that lacks something. */
export function headKeeper(
  { database, readOnly: refused, knownSeq, otherFile }: AnchoredDatabase,
  anchor: HeadAnchor | null,
  clock: Clock,
): HeadKeeper {
  if (anchor === null || refused !== null) return { wrote: () => {}, keep: () => {} }
  const links = linkReader(database)
  let kept = knownSeq
  let since = 0
  const keep = () => {
    try {
      since = 0
      const seq = links.newest()?.seq ?? kept
      // Of another journal that lies there by now it would be said that all its entries are gone.
      if (seq !== kept && otherFile() === null && keepHead(database, anchor, clock).ok) kept = seq
    } catch {
      // The journal cannot be read just now; whoever writes to it says so.
    }
  }
  return {
    keep,
    wrote: now => {
      since += 1
      if (now || since >= KEPT_EVERY) keep()
    },
  }
}
