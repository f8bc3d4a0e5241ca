import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, open } from 'node:fs/promises'
import { delimiter, join, sep } from 'node:path'
import { because } from '../../../shared/words/reasons.ts'
import type { KubeconfigUser } from './kubeconfig-entries.ts'
import { rawList, rawObject, rawText } from './raw.ts'

/** Adds the path and content of the plugin's program to its fingerprint, so that a replaced program needs a new agreement. */
export async function withProgram(plugin: ExecPluginCommand): Promise<ExecPluginCommand> {
  const program = await programOf(plugin)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([plugin.described.fingerprint, program]))
    .digest('hex')
  return { ...plugin, described: { ...plugin.described, fingerprint }, program }
}

/** Finds the program as the system does: by path if it contains a separator, else in the command's PATH. */
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

/** Digests by file identity, so that a client of 100 MB is not read again for every session. */
const known = new Map<string, string>()
const MOST_KNOWN = 100

/** Null if it is not a regular file, or is unreadable. */
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

/** A credential command of a kubeconfig as shown for approval. Contains no values of its environment. */
export interface ExecPluginDescription {
  readonly fingerprint: string
  readonly file: string
  readonly user: string
  readonly command: string
  readonly args: readonly string[]
  readonly envNames: readonly string[]
}

interface ExecProgram {
  readonly path: string
  readonly sha256: string
}

/** The same command with everything needed to run it. Holds secrets: never log it. */
export interface ExecPluginCommand {
  readonly described: ExecPluginDescription
  readonly apiVersion: string
  readonly environment: Readonly<Record<string, string>>
  readonly interactiveMode: string
  readonly provideClusterInfo: boolean
  readonly installHint: string
  /** The file that runs; null if not found, or not resolved yet (exec-program.ts). */
  readonly program: ExecProgram | null
}

/** The exec plugin of a user, without running it; null if none is needed. Any change changes the fingerprint. */
export function execPluginOf(user: KubeconfigUser | null): ExecPluginCommand | null {
  if (user?.credentials !== 'exec') return null
  const exec = rawObject(user.settings.exec)
  const args = rawList(exec.args).map(String)
  const env = rawList(exec.env)
    .map(rawObject)
    .map(pair => [rawText(pair.name), rawText(pair.value)] as const)
  const command = rawText(exec.command)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([user.file, user.name, command, args, env]))
    .digest('hex')
  return {
    described: {
      fingerprint,
      file: user.file,
      user: user.name,
      command,
      args,
      envNames: env.map(([name]) => shownName(name)),
    },
    apiVersion: rawText(exec.apiVersion),
    environment: Object.fromEntries(env),
    interactiveMode: rawText(exec.interactiveMode),
    provideClusterInfo: exec.provideClusterInfo === true,
    installHint: rawText(exec.installHint),
    program: null,
  }
}

/** A variable name that POSIX allows. Anything else may be a misplaced value, and values are never shown. */
function shownName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : because('VariableNameUnusable').message
}
