import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { fileFault, systemCode } from '../platform/files/file-words.ts'
import type { FilePlaces } from './file-places.ts'

/**
 * Where Lockkeeper keeps its data: `given` (--data-dir), else LOCKKEEPER_DATA_DIR, else XDG_DATA_HOME/lockkeeper, else
 * ~/.local/share/lockkeeper (XDG base directory specification: a relative XDG_DATA_HOME does not count).
 */
export function dataDirectoryPath(given: string | null, { environment, home, currentDirectory }: FilePlaces): string {
  const named = given ?? environment.LOCKKEEPER_DATA_DIR ?? ''
  if (named !== '') return resolve(currentDirectory, named)
  const data = environment.XDG_DATA_HOME ?? ''
  return isAbsolute(data) ? join(data, 'lockkeeper') : join(home, '.local', 'share', 'lockkeeper')
}

/**
 * The data directory, made when it is not there yet, for this user only. One that was there keeps its mode: it may be an existing
 * directory that others use, and every file of ours is 0600 anyway.
 */
export function openDataDirectory(given: string | null, places: FilePlaces): Result<string> {
  const path = dataDirectoryPath(given, places)
  try {
    makeFolder(path)
    if (!statSync(path).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
    accessSync(path, constants.R_OK | constants.X_OK)
    // One that only may be read still has its history to show.
    if (!existsSync(join(path, 'journal.db'))) accessSync(path, constants.W_OK)
    return ok(path)
  } catch (error) {
    return failed(
      refusal('bad-input', because('DataDirectoryUnusable', { path, fault: fileFault(error) }), { target: path }),
    )
  }
}

/** One folder after the other: a recursive mkdirSync never ends where no folder can be made, as under /proc (Node 24). */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
