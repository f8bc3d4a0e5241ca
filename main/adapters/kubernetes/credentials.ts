import { createPrivateKey, X509Certificate } from 'node:crypto'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { readNamedFile } from '../../platform/files/named-file.ts'
import { isContents } from '../../platform/files/pasted-contents.ts'
import { oidcProofs, type Proof, userProof } from './client-node.ts'
import { type ConnectionSettings, hasCertificate, textOrFile } from './connection.ts'
import { type ExecPluginCommand, type ExecPluginDescription, execPluginOf, withProgram } from './exec-program.ts'
import type { KubeconfigContext, KubeconfigUser } from './kubeconfig-entries.ts'
import { runExecPlugin } from './run-exec-plugin.ts'

export interface Credentials {
  proof(): Promise<Result<Proof>>
  /** The server refused this proof: fetch a new one unless that has happened. False if there is nothing to fetch. */
  renew(refused: Proof): boolean
}

/** Token files rotate; the same period as client-go's (transport/token_source.go). */
const TOKEN_FILE_FRESH_MS = seconds(60)

/** Prepares the credentials of a context; runs a command from a file only if the operator agreed to exactly this one. */
export async function openCredentials(options: {
  readonly context: KubeconfigContext
  readonly connection: ConnectionSettings
  readonly consent: (plugin: ExecPluginDescription) => boolean
  readonly clock: Clock
}): Promise<Result<Credentials>> {
  const { context, connection, consent, clock } = options
  const { user } = context
  if (user === null) return ok(constantCredentials({ headers: {}, certificate: null }))
  const { name, file, fault, settings } = user
  if (fault !== null) return failed(refusal('bad-input', because('UserUnusable', { user: name, file, fault })))
  const isPlain = connection.server.protocol === 'http:'
  const read = await clientCertificate(user, isPlain)
  if (!read.ok) return read
  const certificate = read.value
  const kind = user.credentials
  // Plain http sends no credentials, so no command runs and nobody signs in.
  const isFetched = kind === 'exec' || kind === 'oidc' || kind === 'other provider'
  if (isPlain && isFetched) return ok(constantCredentials(await userProof(connection, user, { certificate })))
  switch (kind) {
    case 'exec': {
      const written = execPluginOf(user)
      if (written === null) return ok(constantCredentials(await userProof(connection, user, { certificate })))
      const agreed = await withProgram(written)
      if (!consent(agreed.described)) return failed(notConsented(agreed, false))
      const clusterInfo = {
        server: connection.server.href,
        ...(connection.serverName === null ? {} : { 'tls-server-name': connection.serverName }),
        ...(connection.verify ? {} : { 'insecure-skip-tls-verify': true }),
        ...(connection.ca === null
          ? {}
          : { 'certificate-authority-data': Buffer.from(connection.ca).toString('base64') }),
      }
      // A session lasts for hours and runs the program again.
      const run = async (): Promise<Result<PluginProof>> => {
        const now = await withProgram(written)
        const answer =
          now.described.fingerprint === agreed.described.fingerprint || consent(now.described)
            ? await runExecPlugin(now, clusterInfo, clock)
            : failed(notConsented(now, true))
        if (!answer.ok) return answer
        const { token, certificate: given, expiresAtMs } = answer.value
        return ok({
          proof: await userProof(connection, user, {
            ...(token === null ? {} : { token }),
            certificate: given ?? certificate,
          }),
          expiresAtMs,
        })
      }
      return ok(execCredentials(run, clock))
    }
    case 'oidc':
    case 'other provider': {
      const proofs = await oidcProofs(connection, user, certificate)
      return proofs.ok ? ok({ proof: proofs.value, renew: () => false }) : proofs
    }
    case 'token':
      return ok(await tokenCredentials(user, token => userProof(connection, user, { token, certificate }), clock))
    case 'basic': {
      const { username = '', password = '' } = settings
      return ok(constantCredentials(await userProof(connection, user, { username, password, certificate })))
    }
    case 'client certificate':
    case 'none':
      return ok(constantCredentials(await userProof(connection, user, { certificate })))
  }
}

function notConsented(
  { described: { command, args, file, user, fingerprint }, program }: ExecPluginCommand,
  exchanged: boolean,
) {
  return refusal(
    'not-consented',
    because('CommandNotAgreed', {
      file,
      user,
      command: [command, ...args].join(' '),
      program: program === null ? null : { path: program.path, sha256: program.sha256.slice(0, 16) },
      exchanged,
    }),
    { target: fingerprint },
  )
}

function constantCredentials(proof: Proof): Credentials {
  return { proof: async () => ok(proof), renew: () => false }
}

/** Over plain http (`isPlain`) nobody sees the certificate: only missing files count, as in kubectl. */
async function clientCertificate(user: KubeconfigUser, isPlain: boolean): Promise<Result<Proof['certificate']>> {
  const { certData, certFile, keyData, keyFile } = user.settings
  const cert = await textOrFile({ ...user, field: 'client-certificate' }, certData, certFile)
  if (!cert.ok) return cert
  const key = await textOrFile({ ...user, field: 'client-key' }, keyData, keyFile)
  if (!key.ok) return key
  if (isPlain || cert.value === null || key.value === null) return ok(null)
  const named = { user: user.name, file: user.file }
  if (!hasCertificate(cert.value)) return failed(refusal('bad-input', because('ClientCertificateUnreadable', named)))
  const fault = keyFault(cert.value, key.value)
  if (fault !== null) return failed(refusal('bad-input', because('ClientKeyUnusable', { ...named, fault })))
  return ok({ cert: cert.value, key: key.value })
}

function keyFault(cert: string, key: string): 'encrypted' | 'unreadable' | 'of-another' | null {
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(key)) return 'encrypted'
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? null : 'of-another'
  } catch {
    return 'unreadable'
  }
}

interface PluginProof {
  readonly proof: Proof
  /** Milliseconds since the epoch; null if the plugin sets no expiry. */
  readonly expiresAtMs: number | null
}

function execCredentials(run: () => Promise<Result<PluginProof>>, clock: Clock): Credentials {
  let kept: { readonly answer: Promise<Result<PluginProof>>; made: PluginProof | null } | null = null
  return {
    proof: async () => {
      const endsAt = kept?.made?.expiresAtMs ?? null
      if (kept === null || (endsAt !== null && endsAt <= clock.now())) kept = { answer: run(), made: null }
      const mine = kept
      const answer = await mine.answer
      if (!answer.ok) {
        if (kept === mine) kept = null
        return answer
      }
      mine.made = answer.value
      return ok(answer.value.proof)
    },
    renew: refused => {
      if (kept?.made?.proof === refused) kept = null
      return true
    },
  }
}

function isHeader(token: string): boolean {
  return /^[\x21-\x7e]*$/.test(token)
}

function noHeader(file: string, user: string): Failure {
  return refusal('bad-input', because('TokenHasLineBreak', { user, file }), { target: file })
}

function unusable(why: Failure): Credentials {
  return { proof: async () => failed(why), renew: () => false }
}

async function tokenCredentials(
  { name: user, file, settings, tokenFile: path, tokenFileAsWritten: written }: KubeconfigUser,
  prove: (token: string) => Promise<Proof>,
  clock: Clock,
): Promise<Credentials> {
  const inline = settings.token ?? ''
  if (path === null || written === null)
    return isHeader(inline) ? constantCredentials(await prove(inline)) : unusable(noHeader(file, user))
  let kept: { readonly token: string; readonly proof: Proof; readonly readAt: number } | null = null
  return {
    proof: async () => {
      if (kept === null || clock.now() - kept.readAt >= TOKEN_FILE_FRESH_MS) {
        const read = await readNamedFile(path)
        const token = read.kind === 'read' ? read.content.toString('utf8').trim() : ''
        const usable = token || kept?.token || inline
        if (!usable && read.kind !== 'read' && isContents(written)) {
          return failed(refusal('bad-input', because('NamedFileIsContents', { entry: user, file, field: 'tokenFile' })))
        }
        if (!usable) return failed(refusal('bad-input', because('TokenFileUnusable', { user, file: path })))
        if (!isHeader(usable)) return failed(noHeader(path, user))
        kept = { token: usable, proof: await prove(usable), readAt: clock.now() }
      }
      return ok(kept.proof)
    },
    renew: () => {
      if (kept !== null) kept = { ...kept, readAt: Number.NEGATIVE_INFINITY }
      return true
    },
  }
}
