import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { readBuildFacts } from './packaging/build-facts.ts'
import { bundleInventory } from './packaging/bundle-inventory.ts'
import { WITHOUT_IDLE_MODULES, withoutIdleModules } from './packaging/idle-modules.ts'
import { lazySchemas } from './packaging/lazy-schemas.ts'

const root = import.meta.dirname

/** Blueprint's components that no screen has, and its icon font: a third of its style sheet. */
const UNUSED =
  /\.bp6-(?:file-|editable-text|slider|toast|tree|drawer|multistep|breadcrumb|panel-stack|entity-title|section|navbar|skeleton|hotkey|card-list|control-card|html-table|running-text)|^\.bp6-icon-[a-z0-9-]+::before$/

/** Blueprint writes its blue down where it has no token for it. */
const BLUES: readonly (readonly [RegExp, (property: string, opacity: string) => string])[] = [
  [/#(?:2d72d2|215db0|184a90|4c90f0|8abbff)\b/g, property => accentOf(property)],
  [
    /rgba\((?:45, 114, 210|138, 187, 255), ([\d.]+)\)/g,
    (property, opacity) => `color-mix(in srgb, ${accentOf(property)} ${Number(opacity) * 100}%, transparent)`,
  ],
]

function accentOf(property: string): string {
  return property.startsWith('background') ? 'var(--accent-deep)' : 'var(--accent)'
}

interface Sourced {
  readonly source?: { readonly input: { readonly file?: string | undefined } } | undefined
}

/** Fits Blueprint's style sheet to ours: without what only {@link UNUSED} would wear, and without its blue. */
const fittedBlueprint = {
  postcssPlugin: 'fitted-blueprint',
  Rule(rule: Sourced & { selectors: string[]; remove(): void }) {
    if (!isBlueprint(rule)) return
    const worn = rule.selectors.filter(selector => !UNUSED.test(selector))
    if (worn.length === 0) rule.remove()
    else if (worn.length < rule.selectors.length) rule.selectors = worn
  },
  Declaration(declaration: Sourced & { prop: string; value: string }) {
    if (!isBlueprint(declaration)) return
    const value = BLUES.reduce(
      (text, [blue, by]) => text.replaceAll(blue, (_, opacity) => by(declaration.prop, String(opacity))),
      declaration.value,
    )
    if (value !== declaration.value) declaration.value = value
  },
}

function isBlueprint({ source }: Sourced): boolean {
  return source?.input.file?.includes('@blueprintjs') === true
}

/**
 * Builds the desktop face with electron-vite (docs/decisions/0001). Every input is named here because electron-vite's defaults look
 * for `src/`; `externalizeDeps: false` bundles what main needs, so that the packaged app carries no node_modules.
 */
export default defineConfig({
  main: {
    define: { LOCKKEEPER_BUILD: JSON.stringify(readBuildFacts(root)) },
    plugins: [withoutIdleModules(), bundleInventory('main')],
    build: {
      outDir: resolve(root, 'out/main'),
      target: 'node24',
      externalizeDeps: false,
      rollupOptions: {
        input: {
          index: resolve(root, 'main/faces/electron/index.ts'),
          // A separate file with a fixed name, so that it can be exchanged (docs/packages.md).
          jujulib: resolve(root, 'main/adapters/juju/jujulib.ts'),
        },
        preserveEntrySignatures: 'strict',
        treeshake: WITHOUT_IDLE_MODULES,
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  },
  preload: {
    plugins: [bundleInventory('preload')],
    build: {
      outDir: resolve(root, 'out/preload'),
      target: 'node24',
      externalizeDeps: false,
      rollupOptions: {
        // A sandboxed preload can be neither an ES module nor split into files (docs/style.md G4).
        input: { preload: resolve(root, 'main/faces/electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: resolve(root, 'renderer'),
    build: {
      outDir: resolve(root, 'out/renderer'),
      minify: true,
      // The page may load fonts from itself alone (main/api/page-files.ts): none is written into the style sheet.
      assetsInlineLimit: 0,
      rollupOptions: {
        input: { index: resolve(root, 'renderer/index.html') },
        // A schema that the page does not use is left out of it: main validates.
        treeshake: { manualPureFunctions: ['z', '__lazySchema'], propertyReadSideEffects: false },
      },
    },
    css: { postcss: { plugins: [fittedBlueprint] } },
    plugins: [lazySchemas(), react(), bundleInventory('renderer')],
  },
})
