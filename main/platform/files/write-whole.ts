import { randomUUID } from 'node:crypto'
import { constants, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes and syncs a new file for this user only, because its data concerns nobody else on this machine. Never follows or changes an existing file or link (EEXIST), and never leaves half a file. Throws system errors. */
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

/** Replaces a file: a link is replaced, not followed; at any time the old or the new file is complete. Refuses a folder (EISDIR), a device or a pipe (EFTYPE). Throws system errors. */
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
