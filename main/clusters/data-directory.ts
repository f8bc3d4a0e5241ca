import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { fileFault } from '../platform/files/file-words.ts'
import { makePrivateFolder } from '../platform/files/private-file.ts'
import { dataDirectoryPath } from './data-directory-path.ts'
import type { FilePlaces } from './file-places.ts'

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
