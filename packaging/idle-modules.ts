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
 * Packages that only client-node's own requests and its providers for Azure and Google use, of which we use none (docs/decisions/0002), with what it
 * imports of them. undici alone is three quarters of what loading KubeConfig costs.
 */
const NEVER_USED: Readonly<Record<string, readonly string[]>> = {
  undici: ['Agent', 'ProxyAgent', 'fetch'],
  'jsonpath-plus': ['JSONPath'],
  'js-yaml': ['load', 'dump'],
}

const CLIENT_NODE = /@kubernetes\/client-node\/dist\//
const NEVER = '\0never-used:'

/**
 * Replaces {@link NEVER_USED} by functions that throw, and imports of Node's own modules by a look at what is used of them: for an import Node reads
 * all their exports, of which one loads undici and others load streams and web cryptography (20 ms at every start).
 */
export function withoutIdleModules(): Plugin {
  return {
    name: 'without-idle-modules',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source in NEVER_USED && importer !== undefined && CLIENT_NODE.test(importer) ? NEVER + source : null,
    load(id) {
      if (!id.startsWith(NEVER)) return null
      const source = id.slice(NEVER.length)
      // What client-node.ts gives KubeConfig is JSON.
      if (source === 'js-yaml') return 'export const load = JSON.parse\nexport const dump = JSON.stringify'
      const thrown = `throw new Error('Broken invariant: ${source} is left out of this bundle')`
      return (NEVER_USED[source] ?? []).map(name => `export function ${name}() { ${thrown} }`).join('\n')
    },
    renderChunk: code => ({ code: lookedUp(code), map: null }),
  }
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
