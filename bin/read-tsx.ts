import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// Node reads TypeScript without help, but neither JSX, in which the page of a report is written, nor its fonts. Loaded with --import where the
// program runs from its sources; bundles do not need it. The transformer is loaded with the first such file.
const require = createRequire(import.meta.url)
const INLINE_FONT = '.woff2?inline'

registerHooks({
  load: (url, context, nextLoad) => {
    if (url.endsWith(INLINE_FONT)) {
      const address = `data:font/woff2;base64,${readFileSync(fileURLToPath(url)).toString('base64')}`
      return { format: 'module', source: `export default ${JSON.stringify(address)}`, shortCircuit: true }
    }
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    const path = fileURLToPath(url)
    const { transformSync } = require('rolldown/utils') as typeof import('rolldown/utils')
    const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), {
      lang: 'tsx',
      jsx: { runtime: 'automatic' },
    })
    if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors.map(({ message }) => message).join('; ')}`)
    return { format: 'module', source: code, shortCircuit: true }
  },
})
