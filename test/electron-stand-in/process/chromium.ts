import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

/** An event of the Chrome DevTools Protocol. */
export interface CdpEvent {
  readonly method: string
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shapes, read by the name of the method.
  readonly params: any
  readonly sessionId?: string
}

/** A browser process and the pipe that drives it. */
export interface Chromium extends EventEmitter<{ event: [CdpEvent]; gone: [] }> {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  send(method: string, params?: object, sessionId?: string): Promise<any>
  /** Where another process can watch the same pages. */
  readonly endpoint: Promise<string>
  /** Ends it, and waits until it is gone. */
  kill(): Promise<void>
}

const PATHS = [
  process.env.LOCKKEEPER_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/**
 * Starts the machine's Chromium. We drive it over a pipe, which ends it when we end, however we end: Electron's renderers do not
 * outlive its main process either. Journeys watch over a port on loopback. It reaches nothing but this machine.
 */
export function startChromium(profile: string): Chromium {
  const path = PATHS.find(candidate => candidate !== undefined && existsSync(candidate))
  if (path === undefined) throw new Error('The Electron stand-in needs Chromium: run test/e2e/ensure-chromium.sh.')
  const child = spawn(
    path,
    [
      '--headless=new',
      '--remote-debugging-pipe',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
      '--password-store=basic',
      '--use-mock-keychain',
      // Chromium's own sandbox refuses to run as root, which CI is.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
  )
  return new PipedChromium(child)
}

class PipedChromium extends EventEmitter<{ event: [CdpEvent]; gone: [] }> implements Chromium {
  readonly endpoint: Promise<string>
  readonly #child: ChildProcess
  readonly #writer: Writable
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>()
  #last = 0
  #rest = ''

  constructor(child: ChildProcess) {
    super()
    this.#child = child
    this.#writer = child.stdio[3] as Writable
    this.#writer.on('error', () => {})
    const reader = child.stdio[4] as Readable
    reader.setEncoding('utf8')
    reader.on('data', (chunk: string) => this.#read(chunk))
    child.once('exit', () => this.#end())
    child.once('error', () => this.#end())
    this.endpoint = new Promise((resolve, reject) => {
      let said = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-10_000)
        const found = /DevTools listening on (ws:\/\/\S+)/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.once('exit', () => reject(new Error(`Chromium ended before it listened: ${said.trim()}`)))
    })
    this.endpoint.catch(() => {})
  }

  send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject: ({ message }) => reject(new Error(`${method}: ${message}`)) })
      this.#writer.write(
        `${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`,
      )
    })
  }
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = new Promise<void>(resolve => this.once('gone', () => resolve()))
    this.#child.kill('SIGKILL')
    await gone
  }

  #read(chunk: string): void {
    const parts = (this.#rest + chunk).split('\0')
    this.#rest = parts.pop() ?? ''
    for (const part of parts) {
      const message = JSON.parse(part)
      if (message.id === undefined) {
        this.emit('event', message)
        continue
      }
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.error === undefined) waiting?.resolve(message.result)
      else waiting?.reject(new Error(message.error.message))
    }
  }
  #end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('Chromium is gone'))
    this.#waiting.clear()
    this.emit('gone')
  }
}
