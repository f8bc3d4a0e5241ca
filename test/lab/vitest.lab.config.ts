import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests against the real systems of test/lab. They share one lab, so one file runs at a time; it is started when it is down. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/lab/**/*.test.ts'],
    globalSetup: ['test/lab/start-lab.ts', 'test/fixtures/cli/bundle-cli.ts'],
    // As in vitest.config.ts: what Node compiled once of the terminal face, it need not compile again.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/lockkeeper-compile') },
    fileParallelism: false,
    // They wait for real systems, whose commands each cost seconds of a processor: a machine three times as slow is
    // acceptable.
    testTimeout: 600_000,
    hookTimeout: 400_000,
    pool: 'forks',
  },
})
