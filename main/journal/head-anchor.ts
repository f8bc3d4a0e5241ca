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

export interface AnchoredDatabase extends OpenedDatabase {
  /** Known entries that are no longer in the journal, in words; null if nothing is missing. */
  readonly lost: string | null
  /** Whether an operator may accept it as it is: the missing part is the only reason why it is read-only. */
  readonly mayAccept: boolean
  /** The number of the head recorded outside of it; 0 means none. */
  readonly knownSeq: number
}

/** Opens a journal read-only if it lacks entries of the head recorded outside of it, until an operator accepts that. */
export function openAnchored(path: string, anchor: HeadAnchor | null): Result<AnchoredDatabase> {
  const known = anchor?.load() ?? ok(null)
  const expected = !known.ok || (known.value !== null && known.value.seq > 0)
  const opened = expected && isNothing(path) ? ok(nothing()) : openDatabase(path)
  if (!opened.ok) return expected ? failed(notWhatItWas(opened.failure, path, known)) : opened
  const lost = lostOf(opened.value, path, known)
  // The reason for read-only is reported; a check also says whether entries are missing.
  if (opened.value.readOnly !== null) return ok({ ...opened.value, lost, mayAccept: false, knownSeq: 0 })
  if (lost !== null) return ok(readOnly(opened.value, path, lost))
  return ok({ ...opened.value, lost, mayAccept: false, knownSeq: known.ok ? (known.value?.seq ?? 0) : 0 })
}

/** The same for inspection: creates and changes nothing. Null if there never was a journal here. */
export function openAnchoredToLook(path: string, anchor: HeadAnchor): Result<AnchoredDatabase | null> {
  const known = anchor.load()
  const expected = !known.ok || (known.value !== null && known.value.seq > 0)
  if (isNothing(path) && !expected) return ok(null)
  const opened = isNothing(path) ? ok({ ...nothing(), readOnly: onlyLooked(path) }) : openDatabaseToLook(path)
  if (!opened.ok) return expected ? failed(notWhatItWas(opened.failure, path, known)) : opened
  return ok({ ...opened.value, lost: lostOf(opened.value, path, known), mayAccept: false, knownSeq: 0 })
}

/** An unopenable file in place of a known journal is that journal, damaged: the operator is not asked to move it away. */
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
    // A damaged page; in a read-only journal only a check reports it.
    if (refused === null) throw error
    return null
  }
}

function nothing(): OpenedDatabase {
  const database = upgradedInMemory(new DatabaseSync(':memory:'))
  return { database, readOnly: null, otherFile: () => null, close: () => database.close() }
}

function isNothing(path: string): boolean {
  return (!existsSync(path) || statSync(path).size === 0) && !isThere(`${path}-wal`)
}

/** Why a journal is not the known one, or incomplete; null if it contains everything known. */
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

/** Records the head of an open journal outside of it. A failed record is repeated later: an older head only proves less. */
export interface HeadKeeper {
  /** An entry was written; `now`: somebody may rely on it afterwards. */
  wrote(now: boolean): void
  keep(): void
}

const KEPT_EVERY = 50

/** Accepts a journal as it is: its current head becomes the recorded one. */
export function keepHead(database: DatabaseSync, anchor: HeadAnchor, clock: Clock): Result<void> {
  const links = linkReader(database)
  const [first, newest] = [links.at(1), links.newest()]
  if (first === null || newest === null) return ok(undefined)
  return anchor.keep({ seq: newest.seq, hash: newest.hash, first: first.hash, at: isoNow(clock) })
}

/** Without an anchor nothing is recorded; nor for an incomplete journal. */
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
      // If another journal is at the path now, this head would make it look incomplete.
      if (seq !== kept && otherFile() === null && keepHead(database, anchor, clock).ok) kept = seq
    } catch {
      // The journal is temporarily unreadable; its next writer reports it.
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
