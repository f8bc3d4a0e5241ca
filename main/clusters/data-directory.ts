import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { fileFault, systemCode } from '../platform/files/file-words.ts'
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
    makeFolder(path)
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

/** Creates one folder after another: a recursive mkdirSync never ends where no folder can be created, as under /proc (Node 24). */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
