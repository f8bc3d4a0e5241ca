import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Chromium, startChromium } from './chromium.ts'

/** What the app has to know of its windows to close them all. */
export interface ClosableWindow {
  close(): void
  destroy(): void
  readonly isOpen: boolean
}

/** The life of the app: https://www.electronjs.org/docs/latest/api/app */
export class App extends EventEmitter {
  /** False for everything that is not an installed package; true here, because what runs is what would be packaged. */
  readonly isPackaged = true
  readonly windows = new Set<ClosableWindow>()
  readonly #folder: string
  readonly #userData: string
  readonly #paths = new Map<string, string>()
  #chromium: Promise<Chromium> | null = null
  #isQuitting = false
  #lock: string | null = null
  /** What a second instance still has to hand over before it may end. */
  #farewell: Promise<void> = Promise.resolve()

  constructor(argv: readonly string[]) {
    super()
    this.#folder = argv[1] ?? '.'
    const flag = argv.find(given => given.startsWith('--user-data-dir='))
    const config = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config')
    // As in Electron on Linux: being asked to end is a quit.
    process.on('SIGTERM', () => this.quit())
    this.#userData = flag?.slice('--user-data-dir='.length) ?? join(config, this.getName())
  }

  getName(): string {
    return JSON.parse(readFileSync(join(this.#folder, 'package.json'), 'utf8')).name
  }
  getVersion(): string {
    return JSON.parse(readFileSync(join(this.#folder, 'package.json'), 'utf8')).version
  }
  getAppPath(): string {
    return this.#folder
  }
  getPath(name: string): string {
    if (name === 'userData') return this.#userData
    if (name === 'home') return homedir()
    const path = this.#paths.get(name)
    if (path === undefined) throw new Error(`Failed to get '${name}' path`)
    return path
  }
  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }
  setName(): void {}
  setAppUserModelId(): void {}
  /** The desktop of the machine that tests run on is left as it is. */
  setAsDefaultProtocolClient(): boolean {
    return true
  }
  enableSandbox(): void {}
  async whenReady(): Promise<void> {
    await this.browser()
  }
  isReady(): boolean {
    return this.#chromium !== null
  }
  focus(): void {}

  /** The Chromium under the app, started when it is first needed. */
  browser(): Promise<Chromium> {
    this.#chromium ??= this.#start()
    return this.#chromium
  }

  /** First come, first served, by a file with our process in it; a second instance says so to the first and gets false. */
  requestSingleInstanceLock(): boolean {
    mkdirSync(this.#userData, { recursive: true })
    const path = join(this.#userData, 'instance.json')
    const socket = join(this.#userData, 'instance.sock')
    const holder = readHolder(path)
    if (holder !== null && holder !== process.pid && isAlive(holder)) {
      this.#farewell = new Promise(resolve => {
        const line = createConnection(socket, () => line.end(JSON.stringify(process.argv)))
        line.once('close', () => resolve())
        line.once('error', () => resolve())
      })
      return false
    }
    rmSync(socket, { force: true })
    writeFileSync(path, JSON.stringify(process.pid))
    const server = createServer(line => {
      let said = ''
      line.setEncoding('utf8').on('data', text => {
        said += text
      })
      line.once('end', () => this.emit('second-instance', {}, JSON.parse(said), '/', null))
    })
    server.listen(socket)
    server.unref()
    this.#lock = path
    return true
  }
  hasSingleInstanceLock(): boolean {
    return this.#lock !== null
  }

  /** Asks before-quit, then every window, then will-quit; any of them can prevent it. */
  quit(): void {
    if (this.#isAsked('before-quit')) return
    this.#isQuitting = true
    const open = [...this.windows]
    if (open.length === 0) this.#leave()
    for (const window of open) window.close()
    if (open.some(window => window.isOpen)) this.#isQuitting = false
  }
  /** Ends at once: windows are destroyed, nothing is asked. */
  exit(code = 0): void {
    const finish = async () => {
      await this.#farewell
      const browser = await this.#chromium?.catch(() => null)
      await browser?.kill()
      if (this.#lock !== null) rmSync(this.#lock, { force: true })
      process.exit(code)
    }
    void finish()
  }
  /** A window is gone; with the last one the app ends, unless it listens to window-all-closed. */
  forget(window: ClosableWindow): void {
    this.windows.delete(window)
    if (this.windows.size > 0) return
    if (this.#isQuitting) this.#leave()
    else if (this.listenerCount('window-all-closed') === 0) this.quit()
    else this.emit('window-all-closed')
  }

  #leave(): void {
    if (this.#isAsked('will-quit')) {
      this.#isQuitting = false
      return
    }
    this.emit('quit', {}, 0)
    this.exit(0)
  }
  #isAsked(name: 'before-quit' | 'will-quit'): boolean {
    let isPrevented = false
    this.emit(name, {
      preventDefault: () => {
        isPrevented = true
      },
    })
    return isPrevented
  }
  async #start(): Promise<Chromium> {
    const chromium = startChromium(join(this.#userData, 'chromium'))
    // The line that Electron, too, prints when it is started with --remote-debugging-port.
    console.error(`DevTools listening on ${await chromium.endpoint}`)
    await chromium.send('Target.setDiscoverTargets', { discover: true })
    chromium.once('gone', () => {
      for (const window of [...this.windows]) window.destroy()
    })
    this.emit('ready', {}, {})
    return chromium
  }
}

function readHolder(path: string): number | null {
  try {
    const pid: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof pid === 'number' ? pid : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
