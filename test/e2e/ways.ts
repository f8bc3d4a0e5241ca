import { type ChildProcess, fork, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { type Browser, test as base, chromium, _electron as electron, expect, type Page } from '@playwright/test'
import type { Command } from '../electron-stand-in/process/control.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The ways in which the same console reaches an operator; a Playwright project is named after each. */
export const WAYS = ['serve', 'desktop-stand-in', 'electron'] as const
type Way = (typeof WAYS)[number]

/** Why this machine cannot play a way; null when it can. */
export function whyNot(way: Way): string | null {
  if (way === 'electron' && !existsSync(join(ROOT, 'node_modules/electron/dist'))) {
    return 'Electron runtime is not installed: node_modules/electron/dist is missing'
  }
  const needed = way === 'serve' ? ['out/renderer/index.html'] : ['out/main/index.mjs', 'out/preload/preload.cjs']
  const missing = needed.find(path => !existsSync(join(ROOT, path)))
  return missing === undefined ? null : `${missing} is not built: npm run build`
}

/** What the stand-in's desktop shows besides the window. */
interface DesktopState {
  readonly trays: readonly { readonly toolTip: string }[]
  readonly notifications: readonly { readonly title: string; readonly body: string }[]
  readonly dialogs: readonly { readonly method: string; readonly options: { readonly message?: string } }[]
  readonly blockers: readonly string[]
  readonly windows: readonly { readonly visible: boolean }[]
}

/** A console in front of a browser, on the embedded clouds unless `demo` is false. */
interface RunningConsole {
  readonly way: Way
  /** Where it is shown now; another page after a restart. */
  readonly page: Page
  /** The operator's hand at the desktop around the window; null on every way but the stand-in. */
  readonly desktop: ((command: Command) => Promise<DesktopState>) | null
  /** Ends it as an operator would, and starts it again over the same data directory. */
  restart(): Promise<void>
  /** Ends it like a crash, without a message to anybody. */
  kill(): Promise<void>
  stop(): Promise<void>
}

interface Started {
  readonly page: Page
  readonly desktop: RunningConsole['desktop']
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

interface Options {
  /** False: on the clusters of its data directory. */
  readonly demo: boolean
}

export const test = base.extend<{ console: RunningConsole } & Options>({
  demo: [true, { option: true }],
  console: async ({ browser, demo }, use, { project }) => {
    const way = WAYS.find(candidate => candidate === project.name)
    if (way === undefined) throw new Error(`${project.name} is no way: ${WAYS.join(', ')}`)
    base.skip(whyNot(way) !== null, whyNot(way) ?? '')
    const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-way-'))
    const start = () => STARTS[way]({ folder, flags: demo ? ['--demo'] : [], browser })
    let started = await start()
    try {
      await use({
        way,
        get page() {
          return started.page
        },
        get desktop() {
          return started.desktop
        },
        restart: async () => {
          await started.end('SIGTERM')
          started = await start()
        },
        kill: () => started.end('SIGKILL'),
        stop: () => started.end('SIGTERM'),
      })
    } finally {
      await started.end('SIGTERM')
      // A browser that was killed with its console writes for a moment longer.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    }
  },
})

interface Parts {
  readonly folder: string
  readonly flags: readonly string[]
  readonly browser: Browser
}

const STARTS: Readonly<Record<Way, (parts: Parts) => Promise<Started>>> = {
  serve: async ({ folder, flags, browser }) => {
    const words = ['serve', '--no-open', '-o', 'json', ...flags]
    const child = spawn(join(ROOT, 'bin/lockkeeper'), words, {
      env: environment(folder),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = await firstMatch(child, child.stdout, /"url":\s*"([^"]+)"/)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(said)
    return {
      page,
      desktop: null,
      end: async signal => {
        await endProcess(child, signal)
        await context.close()
      },
    }
  },
  'desktop-stand-in': async ({ folder, flags }) => {
    const words = [ROOT, `--user-data-dir=${join(folder, 'electron')}`, ...flags]
    // Forked, because a journey gives its commands (control.ts) over the channel that comes with it.
    const child = fork(join(ROOT, 'test/electron-stand-in/run.mjs'), words, {
      env: environment(folder),
      execPath: join(ROOT, 'node_modules/.bin/node'),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const endpoint = await firstMatch(child, child.stderr, /DevTools listening on (ws:\/\/\S+)/)
    const watching = await chromium.connectOverCDP(endpoint)
    return {
      page: await ourPage(watching),
      desktop: command => commandDesktop(child, command),
      end: async signal => {
        // Before its pages are gone: what watches them must not think that it lost them.
        if (signal === 'SIGTERM') await watching.close()
        await endProcess(child, signal)
      },
    }
  },
  electron: async ({ folder, flags }) => {
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const args = [ROOT, `--user-data-dir=${join(folder, 'electron')}`, ...sandbox, ...flags]
    const application = await electron.launch({ args, env: environment(folder) })
    const page = await application.firstWindow()
    return { page, desktop: null, end: signal => endProcess(application.process(), signal) }
  },
}

/** Sends a command over the channel of the fork, and waits for its result. */
function commandDesktop(child: ChildProcess, command: Command): Promise<DesktopState> {
  const id = ++lastCommand
  return new Promise((resolve, reject) => {
    const receive = (answer: { readonly id: number; readonly error: string | null; readonly state: DesktopState }) => {
      if (answer.id !== id) return
      child.off('message', receive)
      if (answer.error === null) resolve(answer.state)
      else reject(new Error(answer.error))
    }
    child.on('message', receive)
    child.send({ id, command })
  })
}

let lastCommand = 0

/** Its own data directory; and no display, on which it could open something. */
function environment(folder: string): Record<string, string> {
  const own = { ...process.env, LOCKKEEPER_DATA_DIR: join(folder, 'data') }
  return Object.fromEntries(Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The window of the stand-in among Chromium's pages, when it has one. */
async function ourPage(browser: Browser): Promise<Page> {
  let found: Page | undefined
  await expect(() => {
    found = browser
      .contexts()
      .flatMap(context => context.pages())
      .find(page => new URL(page.url()).host === 'lockkeeper.app.invalid')
    expect(found, 'the desktop face opened its window').toBeDefined()
  }).toPass({ timeout: 30_000 })
  if (found === undefined) throw new Error('the desktop face opened no window')
  return found
}

/** What a process says of itself; its last words when it ends before. */
function firstMatch(child: ChildProcess, stream: Readable | null, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const receive = (piece: Buffer) => {
      said += String(piece)
    }
    child.stdout?.on('data', receive)
    child.stderr?.on('data', receive)
    stream?.on('data', () => {
      const found = pattern.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', code => reject(new Error(`ended with ${code} before it was ready: ${said}`)))
  })
}

/** Ends a process that this file started, and waits until it is gone. */
async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill(signal)
  const patience = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await gone
  clearTimeout(patience)
}

export { expect }
