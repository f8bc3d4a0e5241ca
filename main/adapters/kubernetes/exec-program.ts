import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, open } from 'node:fs/promises'
import { delimiter, join, sep } from 'node:path'
import type { ExecPluginCommand, ExecProgram } from './exec-plugin.ts'

/**
 * A plugin with the program that would be run for it now: its fingerprint holds the program's place and content too, so that one that was
 * exchanged is not the one that somebody agreed to. Without such a program the command alone counts; running it tells what is missing.
 */
export async function withProgram(plugin: ExecPluginCommand): Promise<ExecPluginCommand> {
  const program = await programOf(plugin)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([plugin.described.fingerprint, program]))
    .digest('hex')
  return { ...plugin, described: { ...plugin.described, fingerprint }, program }
}

/** As the system looks for it: with a separator by its path, else in the PATH that the command itself gets. */
async function programOf({ described: { command }, environment }: ExecPluginCommand): Promise<ExecProgram | null> {
  if (command === '') return null
  const path = environment.PATH ?? process.env.PATH ?? ''
  const places = command.includes(sep) ? [command] : path.split(delimiter).map(folder => join(folder || '.', command))
  for (const place of places) {
    const runnable = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    const sha256 = runnable ? await digestOf(place) : null
    if (sha256 !== null) return { path: place, sha256 }
  }
  return null
}

/** Digests by what tells one state of a file from another; a client of 100 MB is not read again for every session. */
const known = new Map<string, string>()
const MOST_KNOWN = 100

/** Null: it is no regular file, or cannot be read. */
async function digestOf(path: string): Promise<string | null> {
  let file: FileHandle | null = null
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const is = await file.stat({ bigint: true })
    if (!is.isFile()) return null
    const state = [is.dev, is.ino, is.size, is.mtimeNs, is.ctimeNs].join(':')
    const before = known.get(state)
    if (before !== undefined) return before
    const hash = createHash('sha256')
    for await (const part of file.createReadStream({ autoClose: false })) hash.update(part)
    const digest = hash.digest('hex')
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(state, digest)
    return digest
  } catch {
    return null
  } finally {
    await file?.close().catch(() => {})
  }
}
