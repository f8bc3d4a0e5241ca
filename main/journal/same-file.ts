import { type BigIntStats, statSync } from 'node:fs'
import type { Failure } from '../../shared/domain/failure.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'

/** Why the file at a journal's path is not the one that was opened; null: it is. */
export type OtherFile = () => Failure | null

/**
 * Remembers which file lies at a path now. A process keeps a removed file open and could write on into it: nobody would ever read that, and what it keeps beside the
 * journal would be about another one.
 */
export function otherFileAt(path: string): OtherFile {
  const opened = fileAt(path)
  return () => {
    const now = fileAt(path)
    if (opened === null || (now !== null && now.dev === opened.dev && now.ino === opened.ino)) return null
    return refusal('damaged', because(now === null ? 'JournalAway' : 'JournalReplaced', { path }), { target: path })
  }
}

function fileAt(path: string): BigIntStats | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
}
