import type { SessionWarning } from '../../../shared/domain/cluster.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { readNamedFile } from '../../files/named-file.ts'
import { textOf } from '../../files/text-of.ts'
import { isExempt } from '../http/proxies.ts'
import { type KubeconfigContext, type KubeconfigEntry, pathBesides } from './kubeconfig.ts'
import { rawText, rawTextOrNull } from './raw.ts'

/** Where an API server is and how its identity is checked: the cluster half of a context. */
export interface ConnectionSettings {
  readonly server: URL
  readonly ca: string | null
  readonly serverName: string | null
  readonly verify: boolean
  readonly proxy: URL | null
  readonly warnings: readonly SessionWarning[]
}

/** How a process tells API servers apart: behind one host and port there may be several, by path, by proxy or by name. Without credentials. */
export function addressOf({ server, serverName, proxy }: ConnectionSettings): string {
  const path = server.pathname.replace(/\/$/, '')
  return [
    `${server.origin}${path}`,
    ...(serverName === null ? [] : [serverName]),
    ...(proxy === null ? [] : [`${proxy.protocol}//${proxy.host}`]),
  ].join(' ')
}

/** Reads the cluster half of a context: address, authority, proxy, and what is unsafe about them. */
export async function connectionSettings(
  context: KubeconfigContext,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<ConnectionSettings>> {
  const { cluster } = context
  const written = rawText(cluster.fields.server)
  if (!URL.canParse(written) || !/^https?:$/.test(new URL(written).protocol)) {
    return failed(
      failure(
        'bad-input',
        `Cluster "${cluster.name}" in ${cluster.file} has no usable server address. Write it as https://host:port.`,
      ),
    )
  }
  const server = new URL(written)
  const verify = cluster.fields['insecure-skip-tls-verify'] !== true
  const ca = await textOrFile(cluster, 'certificate-authority')
  if (!ca.ok) return ca
  const proxy = proxyFor(server, rawTextOrNull(cluster.fields['proxy-url']), environment)
  if (!proxy.ok) return proxy
  return ok({
    server,
    ca: verify ? ca.value : null,
    serverName: rawTextOrNull(cluster.fields['tls-server-name']),
    verify,
    proxy: proxy.value,
    warnings: warningsOf(server, verify),
  })
}

/**
 * Reads material that a kubeconfig holds either as base64 (`name-data`, which wins) or in a file (`name`); null when it holds none
 * (client-go clientcmd/api/types.go).
 */
export async function textOrFile(entry: KubeconfigEntry, name: string): Promise<Result<string | null>> {
  const data = rawTextOrNull(entry.fields[`${name}-data`])
  if (data !== null) return ok(Buffer.from(data, 'base64').toString('utf8'))
  const written = rawTextOrNull(entry.fields[name])
  if (written === null) return ok(null)
  const path = pathBesides(entry, written)
  const read = await readNamedFile(path)
  if (read.kind === 'read') return ok(textOf(read.content))
  const why = read.kind === 'absent' ? 'it does not exist' : read.why
  return failed(
    failure(
      'bad-input',
      `${path} cannot be read: ${why}. "${entry.name}" in ${entry.file} names it as ${name}. Check that the file is there and readable.`,
    ),
  )
}

function warningsOf(server: URL, verify: boolean): readonly SessionWarning[] {
  if (server.protocol === 'http:') {
    return [
      {
        code: 'plain-http',
        message: `The connection to ${server.host} is not encrypted: anybody on the way can read and change it. As with kubectl, no credentials are sent over it.`,
      },
    ]
  }
  return verify
    ? []
    : [
        {
          code: 'tls-not-verified',
          message: `The certificate of ${server.host} is not checked (insecure-skip-tls-verify): it may be somebody else.`,
        },
      ]
}

/**
 * The proxy to an API server: the kubeconfig's own, which no NO_PROXY lifts, else that of the environment, which is never used for
 * loopback addresses (client-go transport: proxy-url replaces http.ProxyFromEnvironment).
 */
export function proxyFor(
  server: URL,
  proxyUrl: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): Result<URL | null> {
  const variable = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const fromEnvironment = environment[variable] ?? environment[variable.toLowerCase()] ?? ''
  if (proxyUrl === null && (fromEnvironment === '' || isExempt(server, environment))) return ok(null)
  const written = proxyUrl ?? (fromEnvironment.includes('://') ? fromEnvironment : `http://${fromEnvironment}`)
  const where = proxyUrl === null ? `the environment variable ${variable}` : 'proxy-url in the kubeconfig'
  if (!URL.canParse(written) || !/^(https?|socks[45]?[ah]?):$/.test(new URL(written).protocol)) {
    return failed(
      failure(
        'bad-input',
        `The proxy in ${where} is not a usable address. Write it as http://host:port or socks5://host:port.`,
      ),
    )
  }
  return ok(new URL(written))
}
