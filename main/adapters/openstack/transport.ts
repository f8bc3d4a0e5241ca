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

/** Sends requests of one session over connections that are kept and bounded. Never rejects. */
export interface Transport {
  send(request: HttpRequest): Promise<HttpOutcome>
  close(): void
}

/** Connections at once to one server: Keystone and Nova of small clouds have few workers. */
const MOST_CONNECTIONS = 8
/** An idle connection is kept this long, unless the server's Keep-Alive says less. */
const IDLE_MS = 4_000

/** Opens the connections of a session: certificates, client certificate and proxies as the cloud and the environment say. */
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
  // A change goes over a connection of its own: one that was kept may be closed by the server just then, and nobody could tell
  // whether the change was received.
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

/** What is unsafe about the way to a cloud (it works, with a visible warning). Nothing leaves the machine on loopback. */
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
