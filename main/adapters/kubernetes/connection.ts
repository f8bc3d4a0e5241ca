import { X509Certificate } from 'node:crypto'
import type { SessionWarning } from '../../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { readNamedFile } from '../../platform/files/named-file.ts'
import { isContents } from '../../platform/files/pasted-contents.ts'
import { textOf } from '../../platform/files/text-of.ts'
import { isExempt } from '../http/proxies.ts'
import type { KubeconfigContext } from './kubeconfig-entries.ts'

export interface ConnectionSettings {
  readonly server: URL
  readonly ca: string | null
  readonly serverName: string | null
  readonly verify: boolean
  readonly proxy: URL | null
  readonly warnings: readonly SessionWarning[]
}

/** Identifies an API server within this process: several may share a host and port, by path, proxy or name. Contains no credentials. */
export function addressOf({ server, serverName, proxy }: ConnectionSettings): string {
  const path = server.pathname.replace(/\/$/, '')
  return [
    `${server.origin}${path}`,
    ...(serverName === null ? [] : [serverName]),
    ...(proxy === null ? [] : [`${proxy.protocol}//${proxy.host}`]),
  ].join(' ')
}

export async function connectionSettings(
  context: KubeconfigContext,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<ConnectionSettings>> {
  const { cluster } = context
  const { fault, settings } = cluster
  // Plain http has no certificate, so kubectl ignores CA settings and their contradictions.
  const isPlain = /^http:/i.test(settings?.server ?? '')
  if (fault !== null && !(isPlain && fault === 'authority-unchecked')) {
    return failed(
      refusal('bad-input', because('ClusterUnusable', { cluster: cluster.name, file: cluster.file, fault })),
    )
  }
  const written = settings?.server ?? ''
  if (settings === null || !URL.canParse(written) || !/^https?:\/\/\S+$/i.test(written)) {
    return failed(refusal('bad-input', because('ServerAddressUnusable', { cluster: cluster.name, file: cluster.file })))
  }
  const server = new URL(written)
  const verify = !settings.skipTLSVerify
  const ca = await textOrFile({ ...cluster, field: 'certificate-authority' }, settings.caData, settings.caFile)
  if (!ca.ok) return ca
  // An empty CA file trusts nobody, as in kubectl.
  if (!isPlain && ca.value !== null && ca.value !== '' && !hasCertificate(ca.value)) {
    return failed(refusal('bad-input', because('AuthorityUnreadable', { cluster: cluster.name, file: cluster.file })))
  }
  const proxy = proxyFor(server, settings.proxyUrl ?? null, environment)
  if (!proxy.ok) return proxy
  return ok({
    server,
    ca: verify ? ca.value : null,
    serverName: settings.tlsServerName ?? null,
    verify,
    proxy: proxy.value,
    warnings: warningsOf(server, verify),
  })
}

/** Reads a kubeconfig value given as base64 (`field-data`, which wins) or as a file; null if neither is given (client-go clientcmd/api/types.go). */
export async function textOrFile(
  { name: entry, file, field }: { readonly name: string; readonly file: string; readonly field: string },
  data: string | undefined,
  path: string | undefined,
): Promise<Result<string | null>> {
  if (data) return ok(Buffer.from(data, 'base64').toString('utf8'))
  if (!path) return ok(null)
  const read = await readNamedFile(path)
  if (read.kind === 'read') return ok(textOf(read.content))
  if (isContents(path)) return failed(refusal('bad-input', because('NamedFileIsContents', { entry, file, field })))
  const named = { path, entry, file, field }
  return failed(
    refusal(
      'bad-input',
      read.kind === 'absent'
        ? because('NamedFileMissing', named)
        : because('NamedFileUnreadable', { ...named, fault: read.fault }),
    ),
  )
}

export function hasCertificate(text: string): boolean {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return found.some(pem => {
    try {
      // Reading the key can fail, and a certificate with a broken key verifies nothing.
      return new X509Certificate(pem).publicKey.type === 'public'
    } catch {
      return false
    }
  })
}

function warningsOf(server: URL, verify: boolean): readonly SessionWarning[] {
  const { host } = server
  if (server.protocol === 'http:') return [warning('plain-http', because('ConnectionNotEncrypted', { host }))]
  return verify ? [] : [warning('tls-not-verified', because('CertificateNotChecked', { host }))]
}

function warning(code: SessionWarning['code'], { values, message }: Finding): SessionWarning {
  return { code, values: { ...values }, message }
}

/** The kubeconfig's proxy, which NO_PROXY does not affect, else the environment's, which never applies to loopback addresses (client-go transport). */
export function proxyFor(
  server: URL,
  proxyUrl: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): Result<URL | null> {
  const variable = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const fromEnvironment = environment[variable] || environment[variable.toLowerCase()] || ''
  if (proxyUrl === null && (fromEnvironment === '' || isExempt(server, environment))) return ok(null)
  const written = proxyUrl ?? (fromEnvironment.includes('://') ? fromEnvironment : `http://${fromEnvironment}`)
  // The environment may also use socks5h, which net/http knows; kubectl validates the kubeconfig's more strictly.
  const known = proxyUrl === null ? /^(https?|socks5h?):$/ : /^(https?|socks5):$/
  if (!URL.canParse(written) || !known.test(new URL(written).protocol)) {
    return failed(
      refusal('bad-input', because('ProxyAddressUnusable', { variable: proxyUrl === null ? variable : null })),
    )
  }
  return ok(new URL(written))
}
