import { spawn } from 'node:child_process'
import { seconds } from '../../../shared/domain/durations.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { ExecPluginCommand } from './exec-program.ts'
import { rawNumber, rawObject, rawText, rawTextOrNull } from './raw.ts'

/** The answer of a credential plugin. Holds secrets: never log it. */
interface ExecCredential {
  readonly token: string | null
  readonly certificate: { readonly cert: string; readonly key: string } | null
  /** Milliseconds since the epoch; null if the plugin sets no expiry. */
  readonly expiresAtMs: number | null
}

/** The credential protocol versions in use (client-go, plugin/pkg/client/auth/exec). */
const VERSIONS: ReadonlySet<string> = new Set([
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
])

/** A plugin may open a browser or ask an identity provider; after this time it is stopped. */
const EXEC_LIMIT_MS = seconds(60)

/** Runs a credential plugin that the operator approved, without shell or terminal. client-node's version has no time limit and puts stderr into its error. */
export async function runExecPlugin(
  plugin: ExecPluginCommand,
  clusterInfo: Readonly<Record<string, unknown>>,
  clock: Clock,
): Promise<Result<ExecCredential>> {
  const { command, args, file } = plugin.described
  const named = { command, file }
  if (!VERSIONS.has(plugin.apiVersion)) {
    return failed(refusal('bad-input', because('PluginVersionUnsupported', { ...named, version: plugin.apiVersion })))
  }
  if (plugin.interactiveMode === 'Always') {
    return failed(refusal('bad-input', because('PluginNeedsTerminal', named)))
  }
  const info = {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: { interactive: false, ...(plugin.provideClusterInfo ? { cluster: clusterInfo } : {}) },
  }
  const environment = { ...process.env, ...plugin.environment, KUBERNETES_EXEC_INFO: JSON.stringify(info) }
  // The file that was checked, not the one that PATH finds now.
  const done = await run(plugin.program?.path ?? command, args, environment, clock)
  switch (done.kind) {
    case 'not-started':
      return failed(
        refusal(
          'bad-input',
          done.code === 'ENOENT'
            ? because('PluginMissing', { ...named, hint: plugin.installHint })
            : because('PluginNotStarted', { ...named, cause: done.code, hint: plugin.installHint }),
        ),
      )
    case 'too-long':
      return failed(refusal('timed-out', because('PluginSilent', { ...named, seconds: EXEC_LIMIT_MS / 1000 })))
    case 'ended':
      return done.exitCode === 0
        ? readCredential(done.output, plugin.apiVersion, named)
        : failed(refusal('unauthenticated', because('PluginFailed', { ...named, exitCode: done.exitCode })))
  }
}

type Ended =
  | { readonly kind: 'not-started'; readonly code: string }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly output: string }

async function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<Ended> {
  const limit = new AbortController()
  const ended = new Promise<Ended>(resolve => {
    const chunks: Buffer[] = []
    try {
      // stderr is ignored: plugins write prompts and sometimes tokens there.
      const child = spawn(command, [...args], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
      child.on('error', error => resolve({ kind: 'not-started', code: rawText(rawObject(error).code) }))
      child.on('close', exitCode =>
        resolve({ kind: 'ended', exitCode, output: Buffer.concat(chunks).toString('utf8') }),
      )
      void clock.sleep(EXEC_LIMIT_MS, limit.signal).then(() => {
        if (limit.signal.aborted) return
        child.kill('SIGKILL')
        resolve({ kind: 'too-long' })
      })
    } catch (error) {
      resolve({ kind: 'not-started', code: rawText(rawObject(error).code) })
    }
  })
  try {
    return await ended
  } finally {
    limit.abort()
  }
}

function readCredential(
  output: string,
  apiVersion: string,
  named: { readonly command: string; readonly file: string },
): Result<ExecCredential> {
  const unusable = (
    fault:
      | 'not-json'
      | 'not-exec-credential'
      | 'other-version'
      | 'no-credential'
      | 'half-a-pair'
      | 'no-time'
      | 'token-unusable',
  ) => failed(refusal('unauthenticated', because('PluginAnswerUnusable', { ...named, fault })))
  let answer: unknown
  try {
    answer = JSON.parse(output)
  } catch {
    return unusable('not-json')
  }
  const credential = rawObject(answer)
  if (rawText(credential.kind) !== 'ExecCredential') return unusable('not-exec-credential')
  if (rawText(credential.apiVersion) !== apiVersion) return unusable('other-version')
  const status = rawObject(credential.status)
  const token = rawTextOrNull(status.token)
  const cert = rawTextOrNull(status.clientCertificateData)
  const key = rawTextOrNull(status.clientKeyData)
  const certificate = cert === null || key === null ? null : { cert, key }
  if (token === null && certificate === null) return unusable('no-credential')
  if ((cert === null) !== (key === null)) return unusable('half-a-pair')
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) return unusable('token-unusable')
  const expires = Date.parse(rawText(status.expirationTimestamp))
  if (Number.isNaN(expires) && (status.expirationTimestamp ?? null) !== null) return unusable('no-time')
  return ok({ token, certificate, expiresAtMs: Number.isNaN(expires) ? null : rawNumber(expires) })
}
