import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests of what `npm run build` and `npm run build:cli` made: the desktop face on the stand-in, the terminal face as one bundle. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  resolve: { alias: { electron: resolve(import.meta.dirname, '../electron-stand-in/electron.ts') } },
  test: {
    globalSetup: ['test/fixtures/own-temporary-folder.ts'],
    include: ['test/e2e/built/**/*.test.ts'],
    testTimeout: 30_000,
    // A hook starts a whole desktop.
    hookTimeout: 60_000,
    pool: 'forks',
    // As in vitest.config.ts.
    expect: { poll: { timeout: 10_000 } },
  },
})
