import type { Plugin } from 'vite'

/**
 * What a bundle leaves out of @kubernetes/client-node: modules of which nothing is used. The package does not say that loading them does nothing but
 * declare, and without its models and watches its KubeConfig loads in two thirds of the processor time (docs/decisions/0002).
 */
export const WITHOUT_IDLE_MODULES = {
  moduleSideEffects: [{ test: /@kubernetes\/client-node\/dist\/(?!polyfill)/, sideEffects: false }],
}

/**
 * Packages that only client-node's own requests and its providers for Azure and Google use, of which we use none (docs/decisions/0002), with what it
 * imports of them. undici alone is three quarters of what loading KubeConfig costs.
 */
const NEVER_USED: Readonly<Record<string, readonly string[]>> = {
  undici: ['Agent', 'ProxyAgent', 'fetch'],
  'jsonpath-plus': ['JSONPath'],
}

const CLIENT_NODE = /@kubernetes\/client-node\/dist\//
const NEVER = '\0never-used:'
const HTTP = '\0node:http'

/**
 * Replaces {@link NEVER_USED} by functions that throw, and `node:http` by one that does not read its exports: Node reads all of them for an import,
 * and one loads undici (12 ms at every start).
 */
export function withoutIdleModules(): Plugin {
  return {
    name: 'without-idle-modules',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'node:http' || source === 'http') return HTTP
      return source in NEVER_USED && importer !== undefined && CLIENT_NODE.test(importer) ? NEVER + source : null
    },
    load(id) {
      if (id === HTTP) {
        const names = ['Agent', 'IncomingMessage', 'STATUS_CODES', 'ServerResponse', 'createServer', 'request'].join()
        return `const http = process.getBuiltinModule('node:http')\nexport default http\nexport const { ${names} } = http`
      }
      if (!id.startsWith(NEVER)) return null
      const source = id.slice(NEVER.length)
      const thrown = `throw new Error('Broken invariant: ${source} is left out of this bundle')`
      return (NEVER_USED[source] ?? []).map(name => `export function ${name}() { ${thrown} }`).join('\n')
    },
  }
}
