import type { DatabaseSync } from 'node:sqlite'
import { jsonOf } from '../../shared/domain/json.ts'
import type { Result } from '../../shared/domain/result.ts'
import { type KeptSignal, SignalEntry } from '../../shared/domain/signals.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { databaseResult } from './database-trouble.ts'

/** Signals to other systems: append-only, like events. */
export interface SignalJournal {
  /** Stores an entry; `runId` empty: no run. Of entries with one claim only the first is stored, and the others get `claimed`. */
  record(
    place: { readonly runId: string; readonly cluster: string },
    body: SignalEntry,
    claim: string | null,
  ): Result<'kept' | 'claimed'>
  of(runId: string): Result<readonly KeptSignal[]>
  /** The entries of all runs since a time (ISO), in order. Imported entries are missing, because they have no claim. */
  since(at: string): Result<readonly KeptSignal[]>
}

export function signalJournal(database: DatabaseSync, path: string, clock: Clock): SignalJournal {
  const insert = database.prepare(
    'INSERT INTO signals (run_id, cluster, at, claim, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING seq',
  )
  const selectOf = database.prepare('SELECT seq, run_id, cluster, at, body FROM signals WHERE run_id = ? ORDER BY seq')
  const selectSince = database.prepare(
    'SELECT seq, run_id, cluster, at, body FROM signals WHERE at >= ? AND claim IS NOT NULL ORDER BY seq',
  )
  return {
    record: ({ runId, cluster }, body, claim) =>
      databaseResult(path, () => {
        // `all` steps to the end, where SQLite commits; `get` would stop at the first row and hide a full disk.
        const [inserted] = insert.all(runId, cluster, isoNow(clock), claim, JSON.stringify(body))
        return inserted === undefined ? 'claimed' : 'kept'
      }),
    of: runId => databaseResult(path, () => selectOf.all(runId).flatMap(row => signalFrom(row) ?? [])),
    since: at => databaseResult(path, () => selectSince.all(at).flatMap(row => signalFrom(row) ?? [])),
  }
}

function signalFrom({ seq, run_id: runId, cluster, at, body }: Record<string, unknown>): KeptSignal | null {
  const parsed = SignalEntry.safeParse(jsonOf(String(body)))
  if (!parsed.success) return null
  return { seq: Number(seq), runId: String(runId), cluster: String(cluster), at: String(at), body: parsed.data }
}
