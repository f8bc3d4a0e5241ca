import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Everything that runs on sources under plain Node: no build, no Electron runtime, no browser, no lab. */
export default defineConfig({
  resolve: { alias: { electron: resolve(import.meta.dirname, 'test/electron-stand-in/electron.ts') } },
  test: {
    include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/integration/**/*.test.ts'],
    // Some two hundred processes of ours are started from sources: what Node compiled once, it need not compile for each.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/lockkeeper-compile') },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Many tests wait for processes and sockets: on two cores two files at once, which Vitest itself would not do.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
