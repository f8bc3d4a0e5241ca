import { spawn } from 'node:child_process'
import { seconds } from '../../../shared/domain/durations.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { Clock } from '../../clock/clock.ts'
import type { ExecPluginCommand } from './exec-program.ts'
import { rawNumber, rawObject, rawText, rawTextOrNull } from './raw.ts'

/** What a credential plugin answered. Holds secrets: never log it. */
export interface ExecCredential {
  readonly token: string | null
  readonly clientCertificate: string | null
  readonly clientKey: string | null
  /** Milliseconds since the epoch; null when the plugin sets no end. */
  readonly expiresAtMs: number | null
}

/** The versions of the credential protocol that are still in use (client-go, plugin/pkg/client/auth/exec). */
const VERSIONS: ReadonlySet<string> = new Set([
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
])

/** A plugin may open a browser or ask an identity provider; after this it is stopped. */
const EXEC_LIMIT_MS = seconds(60)

/**
 * Runs a credential plugin to which the operator agreed, without a shell and without a terminal (client-go exec.go). Ours and not
 * client-node's: that one sends no KUBERNETES_EXEC_INFO, has no time limit and puts the plugin's stderr into its error.
 */
export async function runExecPlugin(
  plugin: ExecPluginCommand,
  clusterInfo: Readonly<Record<string, unknown>>,
  clock: Clock,
): Promise<Result<ExecCredential>> {
  const { command, args, file } = plugin.described
  const what = `The credential command \`${command}\` of ${file}`
  if (!VERSIONS.has(plugin.apiVersion)) {
    return failed(
      failure(
        'bad-input',
        `${what} speaks "${plugin.apiVersion}", which is not supported. Update the plugin, then write client.authentication.k8s.io/v1.`,
      ),
    )
  }
  if (plugin.interactiveMode === 'Always') {
    return failed(
      failure(
        'bad-input',
        `${what} insists on a terminal (interactiveMode Always), which there is none here. Sign in by hand first and set IfAvailable.`,
      ),
    )
  }
  const info = {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: { interactive: false, ...(plugin.provideClusterInfo ? { cluster: clusterInfo } : {}) },
  }
  const environment = { ...process.env, ...plugin.environment, KUBERNETES_EXEC_INFO: JSON.stringify(info) }
  // The file that was looked at, not whatever PATH leads to by now.
  const done = await run(plugin.program?.path ?? command, args, environment, clock)
  switch (done.kind) {
    case 'not-started':
      return failed(
        failure(
          'bad-input',
          `${what} cannot be started: ${done.code === 'ENOENT' ? 'there is no such command' : done.code}. ${plugin.installHint || 'Install it, or correct the kubeconfig.'}`,
        ),
      )
    case 'too-long':
      return failed(
        failure(
          'timed-out',
          `${what} gave no answer in ${EXEC_LIMIT_MS / 1000} s. Run it by hand to see what it waits for.`,
        ),
      )
    case 'ended':
      return done.exitCode === 0
        ? readCredential(done.output, plugin.apiVersion, what)
        : failed(
            failure(
              'unauthenticated',
              `${what} ended with exit code ${done.exitCode}. Run it by hand to see why; often you have to sign in again.`,
            ),
          )
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
      // stderr is not read: plugins write prompts there, and sometimes tokens.
      const child = spawn(command, [...args], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
      child.on('error', error =>
        resolve({ kind: 'not-started', code: rawText(rawObject(error).code) || 'unknown reason' }),
      )
      child.on('close', exitCode =>
        resolve({ kind: 'ended', exitCode, output: Buffer.concat(chunks).toString('utf8') }),
      )
      void clock.sleep(EXEC_LIMIT_MS, limit.signal).then(() => {
        if (limit.signal.aborted) return
        child.kill('SIGKILL')
        resolve({ kind: 'too-long' })
      })
    } catch (error) {
      resolve({ kind: 'not-started', code: rawText(rawObject(error).code) || 'unknown reason' })
    }
  })
  try {
    return await ended
  } finally {
    limit.abort()
  }
}

function readCredential(output: string, apiVersion: string, what: string): Result<ExecCredential> {
  const unusable = (why: string) =>
    failed(failure('unauthenticated', `${what} answered something unusable: ${why}. Run it by hand to see.`))
  let answer: unknown
  try {
    answer = JSON.parse(output)
  } catch {
    return unusable('not JSON')
  }
  const credential = rawObject(answer)
  if (rawText(credential.kind) !== 'ExecCredential') return unusable('not an ExecCredential')
  if (rawText(credential.apiVersion) !== apiVersion) return unusable('another version than the kubeconfig asks for')
  const status = rawObject(credential.status)
  const token = rawTextOrNull(status.token)
  const clientCertificate = rawTextOrNull(status.clientCertificateData)
  const clientKey = rawTextOrNull(status.clientKeyData)
  if (token === null && (clientCertificate === null || clientKey === null))
    return unusable('neither a token nor a certificate with its key')
  const expires = Date.parse(rawText(status.expirationTimestamp))
  return ok({ token, clientCertificate, clientKey, expiresAtMs: Number.isNaN(expires) ? null : rawNumber(expires) })
}
