import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const chromium = [process.env.LOCKKEEPER_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  path => path !== undefined && existsSync(path),
)

/**
 * On the desktop a journey is played over what the ways do differently: how a page speaks with main, its files, how the console is ended. What
 * a cluster answers is the same in every window; tabs, and a browser that outlives its console, are the serve face's own.
 */
const onTheDesktop =
  process.env.LOCKKEEPER_LONG === undefined
    ? { grep: /@every-way|@desktop-only/ }
    : { testIgnore: /(served|mosk|sunbeam|windows)\.spec\.ts$/ }

/** Screen journeys on the built renderer, in the machine's own Chromium (docs/style.md G45). */
export default defineConfig({
  outputDir: '../../test-results',
  globalSetup: '../fixtures/own-temporary-folder.ts',
  workers: 1,
  retries: 0,
  reporter: [['list'], ['./ways-reporter.ts']],
  // A screen has a handful of states, each of which waits for the page.
  timeout: 60_000,
  // Longer than anything takes on a machine that is busy with its own clouds and browsers.
  expect: { timeout: 15_000 },
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 800 },
    // What the page held at each step is kept; a film of it is not worth what it costs Chromium.
    trace: { mode: 'retain-on-failure', screenshots: false },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      // Chromium's own sandbox refuses to run as root, which CI is.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
  projects: [
    // What depends on colours is judged in both themes by the tests themselves (screen-test.ts).
    { name: 'dark', testDir: 'screens', use: { colorScheme: 'dark' } },
    {
      name: 'serve',
      testDir: 'journeys',
      // A journey has one or two whole runs.
      timeout: 120_000,
      grepInvert: /@desktop-only/,
      use: { colorScheme: 'light' },
    },
    // As on serve.
    { name: 'desktop-stand-in', testDir: 'journeys', timeout: 120_000, ...onTheDesktop },
    // As on serve.
    { name: 'electron', testDir: 'journeys', timeout: 120_000, ...onTheDesktop },
  ],
})
