import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests of this folder alone: they need neither the lab's Kubernetes nor its OpenStack, which the whole lab's tests start. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../../..'),
  test: {
    include: ['test/lab/signals/**/*.test.ts'],
    // It needs the whole lab.
    exclude: ['test/lab/signals/window-messages.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
})
