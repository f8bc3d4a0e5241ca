import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const root = import.meta.dirname

/**
 * Builds the desktop face with electron-vite (docs/decisions/0001). Every input is named here because electron-vite's defaults look
 * for `src/`; `externalizeDeps: false` bundles what main needs, so that the packaged app carries no node_modules.
 */
export default defineConfig({
  main: {
    build: {
      outDir: resolve(root, 'out/main'),
      target: 'node24',
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve(root, 'main/faces/electron/index.ts') },
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  },
  preload: {
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
      rollupOptions: { input: { index: resolve(root, 'renderer/index.html') } },
    },
    plugins: [react()],
  },
})
