import { createPrivateKey, X509Certificate } from 'node:crypto'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { readNamedFile } from '../../platform/files/named-file.ts'
import { isContents } from '../../platform/files/pasted-contents.ts'
import { oidcCredentials } from './client-node-credentials.ts'
import { type ConnectionSettings, hasCertificate, textOrFile } from './connection.ts'
import { credentialKind } from './describe-contexts.ts'
import { type ExecPluginCommand, type ExecPluginDescription, execPluginOf, withProgram } from './exec-program.ts'
import { type KubeconfigContext, type KubeconfigEntry, pathBesides } from './kubeconfig.ts'
import { userFault } from './kubeconfig-faults.ts'
import { rawList, rawObject, rawText, rawTextOrNull } from './raw.ts'
import { type ExecCredential, runExecPlugin } from './run-exec-plugin.ts'

/** What one request proves itself with. Holds secrets: never log it. */
export interface Proof {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly certificate: { readonly cert: string; readonly key: string } | null
}

/** The user half of a context, asked again before each request so that tokens stay fresh. */
export interface Credentials {
  proof(): Promise<Result<Proof>>
  /** The server refused this proof: fetch a new one, unless that was done meanwhile. Answers false when there is none to fetch. */
  renew(refused: Proof): boolean
}

/** A token file is rewritten by whoever rotates it; the same period as client-go's (transport/token_source.go). */
const TOKEN_FILE_FRESH_MS = seconds(60)

/** Prepares the credentials of a context; a command from a file is only accepted when the operator agreed to exactly it. */
export async function openCredentials(options: {
  readonly context: KubeconfigContext
  readonly connection: ConnectionSettings
  readonly consent: (plugin: ExecPluginDescription) => boolean
  readonly clock: Clock
}): Promise<Result<Credentials>> {
  const { context, connection, consent, clock } = options
  const { user } = context
  if (user === null) return ok(constant({ headers: {}, certificate: null }))
  const fault = userFault(user)
  if (fault !== null) {
    return failed(refusal('bad-input', because('UserUnusable', { user: user.name, file: user.file, fault })))
  }
  const certificate = await clientCertificate(user)
  if (!certificate.ok) return certificate
  const base: Proof = { headers: impersonation(user), certificate: certificate.value }
  switch (credentialKind(user)) {
    case 'exec': {
      const written = execPluginOf(user)
      if (written === null) return ok(constant(base))
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
      // A session lasts for hours, and the program is run again in it.
      const run = async () => {
        const now = await withProgram(written)
        return now.described.fingerprint === agreed.described.fingerprint || consent(now.described)
          ? runExecPlugin(now, clusterInfo, clock)
          : failed(notConsented(now, true))
      }
      return ok(execCredentials(base, run, clock))
    }
    case 'oidc':
    case 'other provider': {
      const provider = await oidcCredentials(context, connection)
      if (!provider.ok) return provider
      return ok({
        proof: async () => {
          const header = await provider.value.authorization()
          return header.ok ? ok(withAuthorization(base, header.value)) : header
        },
        renew: () => false,
      })
    }
    case 'token':
      return ok(tokenCredentials(base, user, clock))
    case 'basic': {
      const pair = `${rawText(user.fields.username)}:${rawText(user.fields.password)}`
      return ok(constant(withAuthorization(base, `Basic ${Buffer.from(pair).toString('base64')}`)))
    }
    case 'client certificate':
    case 'none':
      return ok(constant(base))
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

function constant(proof: Proof): Credentials {
  return { proof: async () => ok(proof), renew: () => false }
}

function withAuthorization(base: Proof, header: string | null): Proof {
  return header === null ? base : { ...base, headers: { ...base.headers, Authorization: header } }
}

async function clientCertificate(user: KubeconfigEntry): Promise<Result<Proof['certificate']>> {
  const cert = await textOrFile(user, 'client-certificate')
  if (!cert.ok) return cert
  const key = await textOrFile(user, 'client-key')
  if (!key.ok) return key
  if (cert.value === null || key.value === null) return ok(null)
  const named = { user: user.name, file: user.file }
  if (!hasCertificate(cert.value)) return failed(refusal('bad-input', because('ClientCertificateUnreadable', named)))
  const fault = keyFault(cert.value, key.value)
  if (fault !== null) return failed(refusal('bad-input', because('ClientKeyUnusable', { ...named, fault })))
  return ok({ cert: cert.value, key: key.value })
}

/** Why a key does not prove a certificate; null: it does. */
function keyFault(cert: string, key: string): 'encrypted' | 'unreadable' | 'of-another' | null {
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(key)) return 'encrypted'
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? null : 'of-another'
  } catch {
    return 'unreadable'
  }
}

/** Who the user acts as: leaving it out would act with more rights than the operator meant (kubectl --as in a kubeconfig). */
function impersonation(user: KubeconfigEntry): Proof['headers'] {
  const as = rawTextOrNull(user.fields.as)
  const uid = rawTextOrNull(user.fields['as-uid'])
  const groups = rawList(user.fields['as-groups']).map(each => inHeader(String(each)))
  const extra = Object.entries(rawObject(user.fields['as-user-extra'])).map(
    ([name, values]) =>
      [`Impersonate-Extra-${encodeURIComponent(name)}`, rawList(values).map(each => inHeader(String(each)))] as const,
  )
  return {
    ...(as === null ? {} : { 'Impersonate-User': inHeader(as) }),
    ...(uid === null ? {} : { 'Impersonate-Uid': inHeader(uid) }),
    ...(groups.length === 0 ? {} : { 'Impersonate-Group': groups }),
    ...Object.fromEntries(extra),
  }
}

/** A name as it goes over the wire: in UTF-8, of which Node's headers take each byte for a letter. */
function inHeader(name: string): string {
  return Buffer.from(name).toString('latin1')
}

function execCredentials(base: Proof, run: () => Promise<Result<ExecCredential>>, clock: Clock): Credentials {
  let kept: {
    readonly answer: Promise<Result<ExecCredential>>
    expiresAtMs: number | null
    proof: Proof | null
  } | null = null
  return {
    proof: async () => {
      if (kept === null || (kept.expiresAtMs !== null && kept.expiresAtMs <= clock.now())) {
        kept = { answer: run(), expiresAtMs: null, proof: null }
      }
      const mine = kept
      const answer = await mine.answer
      if (!answer.ok) {
        if (kept === mine) kept = null
        return answer
      }
      mine.expiresAtMs = answer.value.expiresAtMs
      const { token, clientCertificate: cert, clientKey: key } = answer.value
      mine.proof ??= {
        ...withAuthorization(base, token === null ? null : `Bearer ${token}`),
        certificate: cert === null || key === null ? base.certificate : { cert, key },
      }
      return ok(mine.proof)
    },
    renew: refused => {
      if (kept?.proof === refused) kept = null
      return true
    },
  }
}

/** Whether a text can go in a header: a line break within it cannot. */
function isHeader(token: string): boolean {
  return /^[\x21-\x7e]*$/.test(token)
}

function noHeader(file: string, user: string): Failure {
  return refusal('bad-input', because('TokenHasLineBreak', { user, file }), { target: file })
}

function unusable(why: Failure): Credentials {
  return { proof: async () => failed(why), renew: () => false }
}

function tokenCredentials(base: Proof, user: KubeconfigEntry, clock: Clock): Credentials {
  const written = rawTextOrNull(user.fields.tokenFile)
  const inline = rawTextOrNull(user.fields.token)
  if (written === null) {
    const token = inline ?? ''
    return isHeader(token)
      ? constant(withAuthorization(base, `Bearer ${token}`))
      : unusable(noHeader(user.file, user.name))
  }
  const path = pathBesides(user, written)
  let kept: { readonly token: string; readonly readAt: number } | null = null
  return {
    proof: async () => {
      if (kept === null || clock.now() - kept.readAt >= TOKEN_FILE_FRESH_MS) {
        const read = await readNamedFile(path)
        const token = read.kind === 'read' ? read.content.toString('utf8').trim() : ''
        const usable = token || kept?.token || inline
        if (!usable && isContents(written)) {
          const { name: entry, file } = user
          return failed(refusal('bad-input', because('NamedFileIsContents', { entry, file, field: 'tokenFile' })))
        }
        if (!usable) {
          return failed(refusal('bad-input', because('TokenFileUnusable', { user: user.name, file: path })))
        }
        if (!isHeader(usable)) return failed(noHeader(path, user.name))
        kept = { token: usable, readAt: clock.now() }
      }
      return ok(withAuthorization(base, `Bearer ${kept.token}`))
    },
    renew: () => {
      if (kept !== null) kept = { token: kept.token, readAt: Number.NEGATIVE_INFINITY }
      return true
    },
  }
}
