import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const root = import.meta.dirname

/**
 * Bundles the terminal face into `out/cli/lockkeeper.mjs` for Node 24 with every npm package inside: importing the packages file by file
 * costs half a second at every start (docs/decisions/0001). Code that only one command needs stays a chunk of its own.
 * Chunks lie beside the entry.
 */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: resolve(root, 'out/cli'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rollupOptions: {
      input: { lockkeeper: resolve(root, 'main/faces/cli/index.ts') },
      output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
})
