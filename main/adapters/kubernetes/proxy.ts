import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'

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

/** Whether the environment keeps this server away from its proxy: NO_PROXY, or a loopback address (Go, net/http ProxyFromEnvironment). */
function isExempt(server: URL, environment: Readonly<Record<string, string | undefined>>): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return true
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  return (environment.NO_PROXY ?? environment.no_proxy ?? '')
    .split(',')
    .map(rule => rule.trim().toLowerCase())
    .filter(rule => rule !== '')
    .some(rule => rule === '*' || matchesHost(rule, host, port) || isInNetwork(rule, host))
}

function matchesHost(rule: string, host: string, port: string): boolean {
  const at = rule.lastIndexOf(':')
  const hasPort = at > 0 && /^\d+$/.test(rule.slice(at + 1)) && rule.indexOf(':') === at
  if (hasPort && rule.slice(at + 1) !== port) return false
  const name = (hasPort ? rule.slice(0, at) : rule).replace(/^\*?\./, '.')
  return name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`)
}

function isInNetwork(rule: string, host: string): boolean {
  const [network, bits] = rule.split('/')
  const net = ipv4(network ?? '')
  const address = ipv4(host)
  if (net === null || address === null || bits === undefined || !/^\d{1,2}$/.test(bits)) return false
  const size = 2 ** (32 - Number(bits))
  return Math.floor(net / size) === Math.floor(address / size)
}

function ipv4(text: string): number | null {
  const parts = text.split('.').map(part => (/^\d{1,3}$/.test(part) ? Number(part) : Number.NaN))
  return parts.length === 4 && parts.every(part => part <= 255)
    ? parts.reduce((sum, part) => sum * 256 + part, 0)
    : null
}
