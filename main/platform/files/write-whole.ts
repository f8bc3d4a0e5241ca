import { randomUUID } from 'node:crypto'
import { constants, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes a new file for this user only, on disk when it answers: who is touched by a maintenance is nobody else's business on this machine. What is
 * there already, a link too, is neither followed nor changed (EEXIST), and half a file is never left. Throws the system's errors.
 */
export async function writeFresh(path: string, bytes: Buffer): Promise<void> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
    await file.close()
  } catch (error) {
    await file.close().catch(() => {})
    await rm(path, { force: true })
    throw error
  }
}

/**
 * Puts a new file in the place of what is there: a link is replaced, not followed; at any instant the old one or the new one is there, whole.
 * A folder (EISDIR), a device or a pipe (EFTYPE) is not replaced. Throws the system's errors.
 */
export async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const there = await lstat(path).catch(() => null)
  if (there !== null && !there.isFile() && !there.isSymbolicLink()) {
    throw Object.assign(new Error('not a file'), { code: there.isDirectory() ? 'EISDIR' : 'EFTYPE' })
  }
  const fresh = join(dirname(path), `.lockkeeper-${randomUUID()}.new`)
  await writeFresh(fresh, bytes)
  try {
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
