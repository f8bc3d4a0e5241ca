import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Rules as functions: nothing outlives a test. Their files share a process: to start one for each took longer than most tests. */
const RULES = ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts']

/** What keeps state in modules, as a page and a whole console do: a process for each file. */
const WITH_STATE = ['test/unit/renderer/**/*.test.ts', 'test/integration/**/*.test.ts']

/** Everything that runs on sources under plain Node: no build, no Electron runtime, no browser, no lab. */
export default defineConfig({
  resolve: { alias: { electron: resolve(import.meta.dirname, 'test/electron-stand-in/electron.ts') } },
  test: {
    // Some two hundred processes of ours are started from sources: what Node compiled once, it need not compile for each.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/lockkeeper-compile') },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Many tests wait for processes and sockets: on two cores two files at once, which Vitest itself would not do.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: { name: 'rules', include: RULES, exclude: WITH_STATE, isolate: false },
      },
      { extends: true, test: { name: 'with-state', include: WITH_STATE } },
    ],
  },
})
