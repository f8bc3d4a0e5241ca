import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fileFault, systemCode } from './file-words.ts'

const FOLDER = 'exports'

/** The path for a file that a page writes: its name only, in a folder that only this user can enter. Callers must create it (O_EXCL): existing files are never overwritten. A whole path is accepted only if it is the same place. */
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
    // A link instead of the folder would lead out of the data directory.
    if (!(await lstat(folder)).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    return ok(join(folder, name))
  } catch (error) {
    const unusable = because('PathUnusable', { path: folder, fault: fileFault(error) })
    return failed(refusal('bad-input', unusable, { target: folder }))
  }
}
