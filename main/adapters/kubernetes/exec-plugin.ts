import { createHash } from 'node:crypto'
import { isAbsolute, sep } from 'node:path'
import { type KubeconfigEntry, pathBesides } from './kubeconfig.ts'
import { rawList, rawObject, rawText } from './raw.ts'

/** A command that a kubeconfig asks to run for credentials, as an operator must see it before agreeing. Holds no values of its environment. */
export interface ExecPluginDescription {
  /** Identifies exactly this command with these arguments and environment from this file and user, and the program that is run for it. */
  readonly fingerprint: string
  readonly file: string
  readonly user: string
  readonly command: string
  readonly args: readonly string[]
  readonly envNames: readonly string[]
}

/** The file that is run for a command, and what is in it. */
export interface ExecProgram {
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
  /** The file that is run for it; null: there is none, or it was not looked for yet (exec-program.ts). */
  readonly program: ExecProgram | null
}

/** The exec plugin of a user, described and not run; null when the user has none. A change of any part of it changes the fingerprint. */
export function execPluginOf(user: KubeconfigEntry | null): ExecPluginCommand | null {
  if (user === null || user.fields.exec === undefined || user.fields.exec === null) return null
  const exec = rawObject(user.fields.exec)
  const args = rawList(exec.args).map(String)
  const env = rawList(exec.env)
    .map(rawObject)
    .map(pair => [rawText(pair.name), rawText(pair.value)] as const)
  const written = rawText(exec.command)
  // A command with a separator is relative to its kubeconfig, a bare one is looked up in PATH (client-go clientcmd/loader.go).
  const command = written.includes(sep) && !isAbsolute(written) ? pathBesides(user, written) : written
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

/** A name of a variable, as POSIX allows them. What is none may be a value that slipped into its place, and values are never shown. */
function shownName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : 'a variable whose name is none'
}
