import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests against the real systems of test/lab. They share one lab, so one file runs at a time; it is started when it is down. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/lab/**/*.test.ts'],
    globalSetup: ['test/lab/start-lab.ts'],
    // As in vitest.config.ts: the terminal face is started from sources at every turn.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/lockkeeper-compile') },
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
  },
})
