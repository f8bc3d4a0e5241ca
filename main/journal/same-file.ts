import { type BigIntStats, statSync } from 'node:fs'
import { type Failure, failure } from '../../shared/domain/failure.ts'

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
    const what = now === null ? 'is not there any more' : 'is another file than the one that this process opened'
    return failure(
      'damaged',
      `The journal ${path} ${what}: it or its folder was removed, moved or replaced meanwhile. What this process wrote now would be lost, so it writes nothing more. Put the file back that was there, with its -wal file, or start Lockkeeper again: it goes on with what is there.`,
      { target: path },
    )
  }
}

function fileAt(path: string): BigIntStats | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
}
