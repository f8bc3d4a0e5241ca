import type { SessionWarning } from '../../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { readNamedFile } from '../../platform/files/named-file.ts'
import { textOf } from '../../platform/files/text-of.ts'
import { exchange, type HttpOutcome, type HttpRequest } from '../http/exchange.ts'
import { openRoutes, type ProxyEnvironment } from '../http/proxies.ts'
import type { ResolvedCloud } from './resolved-cloud.ts'

/** Sends requests of one session over a limited number of kept connections. Never rejects. */
export interface Transport {
  send(request: HttpRequest): Promise<HttpOutcome>
  close(): void
}

/** Connections to one server: Keystone and Nova of small clouds have few workers. */
const MOST_CONNECTIONS = 8
/** How long an idle connection is kept, unless the server's Keep-Alive says less. */
const IDLE_MS = 4_000

export async function openTransport(
  cloud: Pick<ResolvedCloud, 'name' | 'caCertPath' | 'insecure' | 'clientCert'>,
  clock: Clock,
  environment: ProxyEnvironment,
): Promise<Result<Transport>> {
  const [ca, cert, key] = await Promise.all([
    readPem(cloud.caCertPath, 'cacert', cloud.name),
    readPem(cloud.clientCert?.certPath ?? null, 'cert', cloud.name),
    readPem(cloud.clientCert?.keyPath ?? cloud.clientCert?.certPath ?? null, 'key', cloud.name),
  ])
  if (!ca.ok) return ca
  if (!cert.ok) return cert
  if (!key.ok) return key
  const options = {
    most: MOST_CONNECTIONS,
    rejectUnauthorized: !cloud.insecure,
    ...(ca.value === null ? {} : { ca: ca.value }),
    ...(cert.value === null ? {} : { cert: cert.value }),
    ...(key.value === null ? {} : { key: key.value }),
  }
  const reads = openRoutes(environment, { ...options, idleMs: IDLE_MS })
  // Changes use a new connection: the server may close a kept one at that moment, and then it is unknown whether it received the change.
  const changes = openRoutes(environment, { ...options, idleMs: null })
  return ok({
    send: request => exchange((request.method === 'GET' ? reads : changes).to(request.url), request, clock),
    close: () => {
      reads.close()
      changes.close()
    },
  })
}

async function readPem(
  path: string | null,
  setting: 'cacert' | 'cert' | 'key',
  cloud: string,
): Promise<Result<string | null>> {
  if (path === null) return ok(null)
  const read = await readNamedFile(path)
  if (read.kind === 'read') return ok(textOf(read.content))
  const fault = read.kind === 'absent' ? because('FileAbsent') : read.fault
  return failed(
    refusal('bad-input', because('CloudFileUnreadable', { cloud, path, setting, fault }), {
      detail: fault.message,
      target: path,
    }),
  )
}

/** Security warnings of the connection to a cloud; loopback needs none. */
export function warningsOf(
  cloud: Pick<ResolvedCloud, 'name' | 'insecure'>,
  keystone: string,
): readonly SessionWarning[] {
  const url = new URL(keystone)
  const warnings: SessionWarning[] = []
  const warn = (code: SessionWarning['code'], { values, message }: Finding) => warnings.push({ code, values, message })
  if (cloud.insecure) warn('tls-not-verified', because('CloudCertificatesNotVerified', { cloud: cloud.name }))
  if (url.protocol === 'http:' && !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
    warn('plain-http', because('KeystoneWithoutEncryption', { cloud: cloud.name, host: url.host }))
  return warnings
}
