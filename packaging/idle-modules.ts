import { isBuiltin } from 'node:module'
import type { Plugin } from 'vite'

/**
 * What a bundle leaves out of @kubernetes/client-node: modules of which nothing is used. The package does not say that loading them does nothing but
 * declare, and without its models and watches its KubeConfig loads in two thirds of the processor time (docs/decisions/0002).
 */
export const WITHOUT_IDLE_MODULES = {
  moduleSideEffects: [{ test: /@kubernetes\/client-node\/dist\/(?!polyfill)/, sideEffects: false }],
}

/**
 * What stands in for packages that client-node imports (docs/decisions/0002). Only its own requests, its providers for Azure and Google, and its agents
 * for HTTP proxies use most of them, of which we use none; undici alone is three quarters of what loading KubeConfig costs. Its agent for SOCKS proxies
 * loads with the first such proxy. What it reads as YAML is the JSON that client-node.ts gives it.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  undici: leftOut('undici', ['Agent', 'ProxyAgent', 'fetch']),
  'jsonpath-plus': leftOut('jsonpath-plus', ['JSONPath']),
  hpagent: leftOut('hpagent', ['HttpProxyAgent', 'HttpsProxyAgent']),
  socks: leftOut('socks', ['SocksClient']),
  'socks-proxy-agent': `export class SocksProxyAgent {
    constructor(...given) {
      return new (require('socks-proxy-agent').SocksProxyAgent)(...given)
    }
  }`,
  'js-yaml': 'export const load = JSON.parse\nexport const dump = JSON.stringify',
}

function leftOut(source: string, names: readonly string[]): string {
  const thrown = `throw new Error('Broken invariant: ${source} is left out of this bundle')`
  return names.map(name => `export function ${name}() { ${thrown} }`).join('\n')
}

const CLIENT_NODE = /@kubernetes\/client-node\/dist\//
const STAND_IN = '\0stand-in:'

/** Puts {@link STAND_INS} in. */
export function withoutIdleModules(): Plugin {
  return {
    name: 'without-idle-modules',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source in STAND_INS && importer !== undefined && CLIENT_NODE.test(importer) ? STAND_IN + source : null,
    load: id => (id.startsWith(STAND_IN) ? (STAND_INS[id.slice(STAND_IN.length)] ?? null) : null),
  }
}

/**
 * Replaces imports of Node's own modules by a look at what is used of them: for an import Node reads all their exports, of which one loads undici and
 * others load streams and web cryptography (20 ms at every start of the terminal).
 */
export function builtinsLookedUp(): Plugin {
  return { name: 'builtins-looked-up', renderChunk: code => ({ code: lookedUp(code), map: null }) }
}

/** An import of a module of Node's own, as the bundler writes it: one line at the beginning of a chunk. */
const OWN_OF_NODE =
  /^import (?:(?<whole>[\w$]+)(?:, )?)?(?:\* as (?<all>[\w$]+))?(?:\{ (?<names>[^}]+) \})? from "(?<name>[\w:/]+)";$/gm

function lookedUp(code: string): string {
  return code.replaceAll(OWN_OF_NODE, (line, ...match) => {
    const { whole, all, names, name }: Readonly<Record<string, string | undefined>> = match.at(-1)
    if (name === undefined || !isBuiltin(name)) return line
    const module = `process.getBuiltinModule("${name}")`
    return [
      ...[whole, all].flatMap(each => (each === undefined ? [] : [`const ${each} = ${module};`])),
      ...(names === undefined ? [] : [`const { ${names.replaceAll(' as ', ': ')} } = ${module};`]),
    ].join(' ')
  })
}
