import { EventEmitter } from 'node:events'
import type { App, ClosableWindow } from './app.ts'
import { type Message, WebContents } from './web-contents.ts'

interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface WindowOptions extends Partial<Bounds> {
  readonly title?: string
  readonly show?: boolean
  readonly webPreferences?: Readonly<Record<string, unknown>>
}

/** The preferences that each of our windows must have: the stand-in has no other kind of page (https://www.electronjs.org/docs/latest/tutorial/security). */
const PREFERENCES: Readonly<Record<string, unknown>> = { sandbox: true, contextIsolation: true, nodeIntegration: false }

/** The class `BrowserWindow` of this app (https://www.electronjs.org/docs/latest/api/browser-window). */
export function browserWindowOf(app: App, session: object, onMessage: (message: Message) => void) {
  return class BrowserWindow extends EventEmitter implements ClosableWindow {
    readonly webContents: WebContents
    readonly id: number
    isOpen = true
    #bounds: Bounds
    #title: string
    #isVisible: boolean
    #isMinimized = false
    #isMaximized = false
    #isFocused = false

    constructor(options: WindowOptions = {}) {
      super()
      const { webPreferences = {} } = options
      for (const [name, needed] of Object.entries(PREFERENCES)) {
        if (webPreferences[name] !== needed)
          throw new Error(`The Electron stand-in has only windows with ${name}: ${needed}`)
      }
      const { x = 0, y = 0, width = 800, height = 600 } = options
      this.#bounds = { x, y, width, height }
      this.#title = options.title ?? app.getName()
      this.#isVisible = options.show ?? true
      const { preload } = webPreferences
      this.webContents = new WebContents({
        chromium: app.browser(),
        preload: typeof preload === 'string' ? preload : null,
        size: { width, height },
        session,
        onMessage,
      })
      this.id = this.webContents.id
      app.windows.add(this)
      this.webContents.once('destroyed', () => this.#gone())
      // Electron emits it at the first paint of a hidden window; a headless page has painted when it has loaded.
      this.webContents.once('did-finish-load', () => this.emit('ready-to-show'))
      app.emit('web-contents-created', {}, this.webContents)
      app.emit('browser-window-created', {}, this)
    }

    static getAllWindows(): readonly BrowserWindow[] {
      return [...app.windows].filter(window => window instanceof BrowserWindow)
    }
    static getFocusedWindow(): BrowserWindow | null {
      return BrowserWindow.getAllWindows().find(window => window.#isFocused) ?? null
    }

    loadURL(url: string): Promise<void> {
      return this.webContents.loadURL(url)
    }
    /** Asks `close`, which can prevent it, then closes the page. */
    close(): void {
      let isPrevented = false
      this.emit('close', {
        preventDefault: () => {
          isPrevented = true
        },
      })
      if (!isPrevented) this.destroy()
    }
    /** Closes without asking. */
    destroy(): void {
      if (!this.isOpen) return
      void this.webContents.closePage()
      this.webContents.end()
    }
    isDestroyed(): boolean {
      return !this.isOpen
    }

    show(): void {
      this.#isVisible = true
      this.emit('show')
      this.focus()
    }
    showInactive(): void {
      this.#isVisible = true
      this.emit('show')
    }
    hide(): void {
      this.#isVisible = false
      this.#isFocused = false
      this.emit('hide')
    }
    isVisible(): boolean {
      return this.#isVisible
    }
    focus(): void {
      this.#isFocused = true
      this.emit('focus')
    }
    isFocused(): boolean {
      return this.#isFocused
    }
    minimize(): void {
      this.#isMinimized = true
      this.emit('minimize')
    }
    isMinimized(): boolean {
      return this.#isMinimized
    }
    maximize(): void {
      this.#isMaximized = true
      this.emit('maximize')
    }
    unmaximize(): void {
      this.#isMaximized = false
      this.emit('unmaximize')
    }
    isMaximized(): boolean {
      return this.#isMaximized
    }
    isFullScreen(): boolean {
      return false
    }
    restore(): void {
      this.#isMinimized = false
      this.emit('restore')
    }
    getBounds(): Bounds {
      return this.#bounds
    }
    getNormalBounds(): Bounds {
      return this.#bounds
    }
    setBounds(bounds: Partial<Bounds>): void {
      this.#bounds = { ...this.#bounds, ...bounds }
      void this.webContents.setBounds({ width: this.#bounds.width, height: this.#bounds.height })
      this.emit('resize')
    }
    getTitle(): string {
      return this.#title
    }
    setTitle(title: string): void {
      this.#title = title
    }
    flashFrame(): void {}
    setProgressBar(): void {}
    setMenuBarVisibility(): void {}

    #gone(): void {
      if (!this.isOpen) return
      this.isOpen = false
      this.#isVisible = false
      this.emit('closed')
      app.forget(this)
    }
  }
}
