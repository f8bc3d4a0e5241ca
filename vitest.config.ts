import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Rules as functions: nothing outlives a test. Their files share a process: to start one for each took longer than most tests. */
const RULES = ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/differential/*.test.ts']

/** Stores and components without a browser; their files share processes too. */
const RENDERER = ['test/unit/renderer/**/*.test.ts']

/** Files that put a module in the place of another, or load modules again as a page does: a process for each. */
const ALONE = ['test/unit/renderer/**/*.alone.test.ts']

/** Whole consoles: a process for each file, and terminals in separate processes. */
const CONSOLES = ['test/integration/**/*.test.ts']

/** Everything that runs on sources under plain Node: no build, no Electron runtime, no browser, no lab. */
export default defineConfig({
  resolve: { alias: { electron: resolve(import.meta.dirname, 'test/electron-stand-in/electron.ts') } },
  test: {
    globalSetup: ['test/fixtures/own-temporary-folder.ts'],
    // The tests start hundreds of processes: what Node compiled once, it need not compile for each.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/lockkeeper-compile') },
    // The slowest rules write a journal to disk for 6 s alone, and five times as long on a busy disk; `npm run test:long` tries properties for minutes.
    testTimeout: process.env.LOCKKEEPER_LONG === undefined ? 60_000 : 600_000,
    // A hook starts clouds, consoles and their processes.
    hookTimeout: 60_000,
    // A transcript that is missing or differs fails, here as on a builder: `vitest -u` alone writes one.
    update: 'none',
    // Results normally come in milliseconds: this limit allows for a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // Many tests wait for processes and sockets: on two cores three files at once, which Vitest itself would not do.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      { extends: true, test: { name: 'rules', include: RULES, exclude: RENDERER, isolate: false } },
      { extends: true, test: { name: 'renderer', include: RENDERER, exclude: ALONE, isolate: false } },
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'consoles',
          include: CONSOLES,
          globalSetup: ['test/fixtures/cli/bundle-cli.ts'],
          // The slowest start ten processes and take 25 s alone. Beside four busy processes they take four times as long.
          testTimeout: process.env.LOCKKEEPER_LONG === undefined ? 120_000 : 600_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
