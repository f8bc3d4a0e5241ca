import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { readBuildFacts } from './packaging/build-facts.ts'
import { bundleInventory } from './packaging/bundle-inventory.ts'
import { builtinsLookedUp, WITHOUT_IDLE_MODULES, withoutIdleModules } from './packaging/idle-modules.ts'
import { lazySchemas } from './packaging/lazy-schemas.ts'

const root = import.meta.dirname

/**
 * Bundles the terminal face into `out/cli/lockkeeper.mjs` for Node 24 with every npm package inside: importing the packages file by file
 * costs half a second at every start (docs/decisions/0001). Code that only one command needs stays in a separate chunk.
 * Chunks lie beside the entry. Juju's library is a separate file with a fixed name, so that it can be exchanged (docs/packages.md).
 */
export default defineConfig({
  publicDir: false,
  define: { LOCKKEEPER_BUILD: JSON.stringify(readBuildFacts(root)) },
  plugins: [withoutIdleModules(), builtinsLookedUp(), lazySchemas(), bundleInventory('cli')],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: resolve(root, 'out/cli'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rollupOptions: {
      input: {
        lockkeeper: resolve(root, 'main/compose/terminal/index.ts'),
        jujulib: resolve(root, 'main/adapters/juju/jujulib.ts'),
      },
      preserveEntrySignatures: 'strict',
      treeshake: { ...WITHOUT_IDLE_MODULES, manualPureFunctions: ['z', '__lazySchema'] },
      output: {
        format: 'es',
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        // What every start loads, and what a reading command loads beside it, are one file each: a file costs half a millisecond.
        codeSplitting: {
          groups: [
            { name: 'start', test: /\/main\/(?:compose\/terminal\/start|version)\.ts$/, priority: 2 },
            {
              name: 'reading',
              test: /\/main\/compose\/reading-app\.ts$|\/commands\/(?:nodes|node-show|instances)\.ts$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
})
