import { type BigIntStats, statSync } from 'node:fs'
import type { Failure } from '../../shared/domain/failure.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'

/** Why the file at a journal's path is not the opened one; null if it is. */
export type OtherFile = () => Failure | null

/** Remembers the file at a path: a process could otherwise continue to write into a removed file, and those entries would be lost. */
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
