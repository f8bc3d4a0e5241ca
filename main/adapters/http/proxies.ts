import type { Agent, AgentOptions } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type ConnectionOptions, openConnections } from './exchange.ts'

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/** The proxies for an agent, without NO_PROXY, which {@link isExempt} decides. Empty if none is set. */
export function proxiesOf(environment: ProxyEnvironment): Pick<AgentOptions, 'proxyEnv'> {
  const proxyEnv = {
    HTTP_PROXY: proxySetting(environment, 'HTTP_PROXY'),
    HTTPS_PROXY: proxySetting(environment, 'HTTPS_PROXY'),
  }
  return proxyEnv.HTTP_PROXY === undefined && proxyEnv.HTTPS_PROXY === undefined ? {} : { proxyEnv }
}

interface Routes {
  to(server: URL): Agent
  close(): void
}

/** Opens agents on demand: an https agent without its own CA reads this machine's authorities, which takes time. */
export function openRoutes(environment: ProxyEnvironment, options: Omit<ConnectionOptions, 'proxyEnv'>): Routes {
  const agents = new Map<string, Agent>()
  return {
    to: server => {
      const protocol = server.protocol === 'http:' ? 'http:' : 'https:'
      const isDirect = isExempt(server, environment)
      const key = `${protocol} ${isDirect}`
      const known = agents.get(key)
      if (known !== undefined) return known
      const agent = openConnections(protocol, { ...options, ...(isDirect ? {} : proxiesOf(environment)) })
      agents.set(key, agent)
      return agent
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

/** Whether a server bypasses the proxy: a loopback address, or NO_PROXY as Go (ProxyFromEnvironment) and python-requests read it. */
export function isExempt(server: URL, environment: ProxyEnvironment): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return true
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  return (proxySetting(environment, 'NO_PROXY') ?? '')
    .split(',')
    .map(rule => rule.trim().toLowerCase())
    .filter(rule => rule !== '')
    .some(
      rule =>
        rule === '*' || matchesAddress(rule, host, port) || matchesName(rule, host, port) || isInNetwork(rule, host),
    )
}

function proxySetting(environment: ProxyEnvironment, name: string): string | undefined {
  return environment[name.toLowerCase()] || environment[name]
}

/** Matches an address with or without a port. IPv6 may be written in full, in brackets before a port. */
function matchesAddress(rule: string, host: string, port: string): boolean {
  if (isIP(host) === 0) return false
  const [, inBrackets, itsPort] = /^\[(.+)\]:(\d+)$/.exec(rule) ?? /^([\d.]+):(\d+)$/.exec(rule) ?? [null, rule, port]
  return itsPort === port && inBrackets !== undefined && isIP(inBrackets) === isIP(host) && short(inBrackets) === host
}

function short(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

function matchesName(rule: string, host: string, port: string): boolean {
  if (isIP(host) !== 0) return false
  const at = rule.lastIndexOf(':')
  const hasPort = at > 0 && /^\d+$/.test(rule.slice(at + 1)) && rule.indexOf(':') === at
  if (hasPort && rule.slice(at + 1) !== port) return false
  const name = (hasPort ? rule.slice(0, at) : rule).replace(/^\*?\./, '.')
  return name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`)
}

function isInNetwork(rule: string, host: string): boolean {
  const [network = '', bits = ''] = rule.split('/')
  const family = isIP(host)
  if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(bits)) return false
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  const networks = new BlockList()
  networks.addSubnet(network, Number(bits), kind)
  return networks.check(host, kind)
}
