import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { fileFault } from '../platform/files/file-words.ts'
import { makePrivateFolder } from '../platform/files/private-file.ts'
import type { FilePlaces } from './file-places.ts'

/**
 * Lockkeeper's data directory: `given` (--data-dir), else LOCKKEEPER_DATA_DIR, else XDG_DATA_HOME/lockkeeper, else ~/.local/share/lockkeeper (XDG
 * base directory specification: a relative XDG_DATA_HOME is ignored).
 */
export function dataDirectoryPath(given: string | null, { environment, home, currentDirectory }: FilePlaces): string {
  const named = given ?? environment.LOCKKEEPER_DATA_DIR ?? ''
  if (named !== '') return resolve(currentDirectory, named)
  const data = environment.XDG_DATA_HOME ?? ''
  return isAbsolute(data) ? join(data, 'lockkeeper') : join(home, '.local', 'share', 'lockkeeper')
}

/** Opens the data directory, creating it for this user only. An existing one keeps its mode: every Lockkeeper file is 0600 anyway. */
export function openDataDirectory(given: string | null, places: FilePlaces): Result<string> {
  const path = dataDirectoryPath(given, places)
  try {
    makePrivateFolder(path)
    if (!statSync(path).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
    accessSync(path, constants.R_OK | constants.X_OK)
    // A read-only one can still show its history.
    if (!existsSync(join(path, 'journal.db'))) accessSync(path, constants.W_OK)
    return ok(path)
  } catch (error) {
    return failed(
      refusal('bad-input', because('DataDirectoryUnusable', { path, fault: fileFault(error) }), { target: path }),
    )
  }
}
