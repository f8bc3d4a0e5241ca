import type { AgentOptions } from 'node:http'

/** The proxy settings that operators have in their environment; both spellings count, as everywhere. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/** The same for connections; nothing where none is set. */
export function proxiesOf(environment: ProxyEnvironment): Pick<AgentOptions, 'proxyEnv'> {
  const pick = (name: string) => environment[name] ?? environment[name.toUpperCase()]
  const proxyEnv = { HTTP_PROXY: pick('http_proxy'), HTTPS_PROXY: pick('https_proxy'), NO_PROXY: pick('no_proxy') }
  return proxyEnv.HTTP_PROXY === undefined && proxyEnv.HTTPS_PROXY === undefined ? {} : { proxyEnv }
}
