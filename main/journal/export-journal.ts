import { chmodSync, closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { failure } from '../../shared/domain/failure.ts'
import { CHAIN_BEGIN } from '../../shared/domain/journal-chain.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { databaseTrouble, describeDatabaseError } from './database-trouble.ts'
import { linkReader } from './link-reader.ts'

/** A copy of a journal. */
export interface ExportedJournal {
  readonly path: string
  readonly bytes: number
  readonly runs: number
  readonly head: string
}

/**
 * Writes a whole copy of one state of the journal, whoever writes meanwhile, for this user only; on disk when it answers. What is there is
 * never overwritten, and half a copy is never left.
 */
export function exportJournal(database: DatabaseSync, path: string): Result<ExportedJournal> {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return failed(
        failure('conflict', `${path} is there already and was left as it is. Give the copy another name.`, {
          target: path,
        }),
      )
    }
    return failed(cannotWrite(path, error))
  }
  try {
    vacuumInto(database, path)
    chmodSync(path, 0o600)
    const file = openSync(path, 'r')
    fsyncSync(file)
    closeSync(file)
    return ok({
      path,
      bytes: statSync(path).size,
      runs: Number(database.prepare('SELECT COUNT(*) AS runs FROM runs').get()?.runs),
      head: linkReader(database).newest()?.hash ?? CHAIN_BEGIN,
    })
  } catch (error) {
    rmSync(path, { force: true })
    return failed(
      databaseTrouble(error) === 'full'
        ? cannotWrite(path, new Error('the disk is full'))
        : describeDatabaseError(error, path),
    )
  }
}

/** Also of a journal that is open for reading only: the copy is another file. */
function vacuumInto(database: DatabaseSync, path: string): void {
  const readOnly = database.prepare('PRAGMA query_only').get()?.query_only === 1
  if (readOnly) database.exec('PRAGMA query_only = OFF')
  try {
    database.prepare('VACUUM INTO ?').run(path)
  } finally {
    if (readOnly) database.exec('PRAGMA query_only = ON')
  }
}

function cannotWrite(path: string, error: unknown) {
  const why = error instanceof Error ? error.message : String(error)
  return failure(
    'bad-input',
    `The copy ${path} cannot be written: ${why}. Nothing of it was left; choose another folder or make room.`,
    { target: path },
  )
}
