import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { fileTrouble } from './file-words.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Where Lockkeeper keeps its data: `given` (--data-dir), else LOCKKEEPER_DATA_DIR, else XDG_DATA_HOME/lockkeeper, else
 * ~/.local/share/lockkeeper (XDG base directory specification: a relative XDG_DATA_HOME does not count).
 */
export function dataDirectoryPath(given: string | null, { environment, home, currentDirectory }: Surroundings): string {
  const named = given ?? environment.LOCKKEEPER_DATA_DIR ?? ''
  if (named !== '') return resolve(currentDirectory, named)
  const data = environment.XDG_DATA_HOME ?? ''
  return isAbsolute(data) ? join(data, 'lockkeeper') : join(home, '.local', 'share', 'lockkeeper')
}

/**
 * The data directory, made when it is not there yet, for this user only. One that was there keeps its mode: it may be an existing
 * directory that others use, and every file of ours is 0600 anyway.
 */
export function openDataDirectory(given: string | null, surroundings: Surroundings): Result<string> {
  const path = dataDirectoryPath(given, surroundings)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (!statSync(path).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok(path)
  } catch (error) {
    return failed(
      failure(
        'bad-input',
        `Cannot use ${path} as data directory: ${fileTrouble(error)}. Give another one with --data-dir or LOCKKEEPER_DATA_DIR.`,
        { target: path },
      ),
    )
  }
}
