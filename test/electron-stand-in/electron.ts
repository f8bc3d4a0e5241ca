import { EventEmitter } from 'node:events'

export { Menu, Notification, nativeImage, powerSaveBlocker, safeStorage, screen, Tray } from './process/desktop.ts'

// Stands in for the `electron` module where no Electron runtime is installed: it keeps what the desktop face asks of Electron, so that a
// test can look at it, and lets a test play the window's side of the wire.

type Handler = (event: unknown, ...args: unknown[]) => unknown

/** A frame of a page, as a sender of requests. */
export interface StandInFrame {
  url: string
}

/** The contents of a window: what was sent to it, what it was guarded with. */
export class StandInContents extends EventEmitter {
  readonly mainFrame: StandInFrame = { url: 'about:blank' }
  readonly session: StandInSession
  readonly sent: unknown[][] = []
  openHandler: (() => unknown) | null = null
  destroyed = false
  readonly printed: Readonly<Record<string, unknown>>[] = []
  /** What printing gives; a test that wants it to fail, or never to end, says so. */
  pdf: () => Promise<Buffer> = async () => Buffer.from(`%PDF-1.7 of ${this.mainFrame.url}`)

  constructor(of: StandInSession = session.defaultSession) {
    super()
    this.session = of
  }
  send(...message: unknown[]): void {
    this.sent.push(message)
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  setWindowOpenHandler(handler: () => unknown): void {
    this.openHandler = handler
  }
  printToPDF(options: Readonly<Record<string, unknown>>): Promise<Buffer> {
    this.printed.push(options)
    return this.pdf()
  }
}

/** A window: the options it was opened with, the address it shows. */
export class BrowserWindow extends EventEmitter {
  static readonly opened: BrowserWindow[] = []
  readonly webContents: StandInContents
  readonly options: Readonly<Record<string, unknown>>
  shown = false

  /** Plays with every window right after it is opened: a test's only way to one that is opened and closed within a call. */
  static onOpen: ((window: BrowserWindow) => void) | null = null

  constructor(options: Readonly<Record<string, unknown>>) {
    super()
    this.options = options
    const { session: own } = (options.webPreferences ?? {}) as { readonly session?: StandInSession }
    this.webContents = new StandInContents(own)
    app.emit('web-contents-created', {}, this.webContents)
    BrowserWindow.opened.push(this)
    BrowserWindow.onOpen?.(this)
  }
  async loadURL(url: string): Promise<void> {
    this.webContents.mainFrame.url = url
    this.emit('ready-to-show')
  }
  show(): void {
    this.shown = true
  }
  isMinimized(): boolean {
    return false
  }
  focus(): void {}
  hide(): void {
    this.shown = false
  }
  getNormalBounds(): object {
    return { x: 0, y: 0, width: 1280, height: 840 }
  }
  isMaximized(): boolean {
    return false
  }
  isDestroyed(): boolean {
    return this.webContents.destroyed
  }
  /** Closes it without asking. */
  destroy(): void {
    this.webContents.destroyed = true
    this.emit('closed')
  }
  /** Closes it as the operator would. */
  close(): void {
    this.webContents.destroyed = true
    this.emit('closed')
  }
}

/** The app: whether its processes are sandboxed, whether it is the first instance, how it ended. */
class StandInApp extends EventEmitter {
  isPackaged = true
  sandboxed = false
  /** The schemes whose links it opens. */
  readonly schemes: string[] = []
  exitCode: number | null = null
  enableSandbox(): void {
    this.sandboxed = true
  }
  requestSingleInstanceLock(): boolean {
    return true
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    this.schemes.push(scheme)
    return true
  }
  async whenReady(): Promise<void> {}
  quit(): void {
    this.exit(0)
  }
  exit(code: number): void {
    this.exitCode = code
    this.emit('exited', code)
  }
}

export const app = new StandInApp()

/** Main's end of the wire: `invoke` plays a request of a window. */
export const ipcMain = {
  handlers: new Map<string, Handler>(),
  handle(channel: string, handler: Handler): void {
    if (this.handlers.has(channel)) throw new Error(`${channel} already has a handler`)
    this.handlers.set(channel, handler)
  },
  removeHandler(channel: string): void {
    this.handlers.delete(channel)
  },
  async invoke(channel: string, event: unknown, ...args: unknown[]): Promise<unknown> {
    const handler = this.handlers.get(channel)
    if (handler === undefined) throw new Error(`${channel} has no handler`)
    return handler(event, ...args)
  },
}

/** The window's end of the wire: what the preload invoked and listens to. */
class StandInIpcRenderer extends EventEmitter {
  readonly invoked: unknown[][] = []
  answer: unknown = { ok: true, value: [] }
  async invoke(...request: unknown[]): Promise<unknown> {
    this.invoked.push(request)
    return this.answer
  }
}

export const ipcRenderer = new StandInIpcRenderer()

/** What the preload exposed to the page. */
export const contextBridge = {
  exposed: new Map<string, unknown>(),
  exposeInMainWorld(name: string, value: unknown): void {
    this.exposed.set(name, value)
  },
}

/** Where files lie that were dropped on a page, by their name; empty for the others, as in Electron. */
export const webUtils = {
  paths: new Map<string, string>(),
  getPathForFile(file: File): string {
    return this.paths.get(file.name) ?? ''
  },
}

/** The schemes the app registered and serves. */
export const protocol = {
  schemes: [] as unknown[],
  serving: new Map<string, (request: Request) => Promise<Response>>(),
  registerSchemesAsPrivileged(schemes: unknown[]): void {
    this.schemes.push(...schemes)
  },
  handle(scheme: string, handler: (request: Request) => Promise<Response>): void {
    this.serving.set(scheme, handler)
  },
}

type PermissionRequestHandler = (contents: unknown, permission: string, answer: (granted: boolean) => void) => void

/** A session: how it answers when a page asks for a permission, for a request, for an address of our schemes. */
export class StandInSession {
  onRequest: PermissionRequestHandler | null = null
  onCheck: (() => boolean) | null = null
  onDevice: (() => boolean) | null = null
  readonly serving = new Map<string, (request: Request) => Response | Promise<Response>>()
  beforeRequest: ((details: { readonly url: string }, answer: (answer: { cancel: boolean }) => void) => void) | null =
    null
  readonly protocol = {
    handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) => {
      if (this.serving.has(scheme)) throw new Error(`${scheme} already has a handler`)
      this.serving.set(scheme, handler)
    },
  }
  readonly webRequest = {
    onBeforeRequest: (handler: NonNullable<StandInSession['beforeRequest']>) => {
      this.beforeRequest = handler
    },
  }
  setPermissionRequestHandler(handler: PermissionRequestHandler): void {
    this.onRequest = handler
  }
  setPermissionCheckHandler(handler: () => boolean): void {
    this.onCheck = handler
  }
  setDevicePermissionHandler(handler: () => boolean): void {
    this.onDevice = handler
  }
}

/** The sessions there are, by the name of their partition. */
export const session = {
  defaultSession: new StandInSession(),
  partitions: new Map<string, StandInSession>(),
  fromPartition(partition: string): StandInSession {
    const known = this.partitions.get(partition) ?? new StandInSession()
    this.partitions.set(partition, known)
    return known
  },
}

/** Dialogs: the texts shown, instead of showing them; each question is answered with its first button. */
export const dialog = {
  errors: [] as [string, string][],
  asked: [] as { readonly message: string }[],
  async showMessageBox(...words: readonly unknown[]): Promise<{ readonly response: number }> {
    this.asked.push(words.at(-1) as { readonly message: string })
    return { response: 0 }
  },
  showErrorBox(title: string, content: string): void {
    this.errors.push([title, content])
  },
}
