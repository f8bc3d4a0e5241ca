import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fileFault, systemCode } from './file-words.ts'

/** The folder inside the data directory into which pages have files written, and no other. */
const FOLDER = 'exports'

/**
 * Where a file that a page asks for is to be written: by its name alone, in a folder of its own that only this user can enter. Who opens it
 * there has to make it anew (O_EXCL): what is there already is never written to. A whole path is taken only when it names that same place.
 */
export async function placeForPage(dataDirectory: string, asked: string): Promise<Result<string>> {
  const folder = join(dataDirectory, FOLDER)
  const name = asked.startsWith(`${folder}/`) ? asked.slice(folder.length + 1) : asked
  if (!/^[A-Za-z0-9][\w.+ -]{0,119}$/.test(name) || name.includes('..')) {
    return failed(refusal('bad-input', because('PageFileElsewhere', { folder })))
  }
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error
    })
    // A link in its place would lead out of the data directory.
    if (!(await lstat(folder)).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    return ok(join(folder, name))
  } catch (error) {
    const unusable = because('PathUnusable', { path: folder, fault: fileFault(error) })
    return failed(refusal('bad-input', unusable, { target: folder }))
  }
}
