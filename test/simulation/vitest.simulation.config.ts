import { defineConfig } from 'vitest/config'

/** The deterministic simulation: its own workers do the work, so its tests want the machine for themselves. */
export default defineConfig({
  test: {
    globalSetup: ['test/fixtures/own-temporary-folder.ts'],
    include: ['test/simulation/**/*.test.ts'],
    testTimeout: 900_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
