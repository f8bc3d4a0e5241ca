import { EventEmitter } from 'node:events'

// The desktop around the windows: what an operator would see and click there is kept here, for a journey to look at and to click.

interface MenuItem {
  readonly label?: string
  readonly role?: string
  readonly type?: string
  readonly accelerator?: string
  readonly enabled?: boolean
  readonly click?: (item: object, window: unknown, event: object) => void
  readonly submenu?: readonly MenuItem[] | Menu
}

/** https://www.electronjs.org/docs/latest/api/menu */
export class Menu {
  readonly items: readonly MenuItem[]
  static current: Menu | null = null
  constructor(items: readonly MenuItem[] = []) {
    this.items = items
  }
  static buildFromTemplate(template: readonly MenuItem[]): Menu {
    return new Menu(template)
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.current = menu
  }
  static getApplicationMenu(): Menu | null {
    return Menu.current
  }
  /** Clicks the item by its labels, as `File > Quit`. */
  choose(path: readonly string[], window: unknown): void {
    const [label, ...rest] = path
    const item = this.items.find(candidate => candidate.label === label)
    if (item === undefined)
      throw new Error(`The menu has no ${label}: ${this.items.map(({ label }) => label).join(', ')}`)
    if (rest.length === 0) {
      if (item.enabled === false) throw new Error(`The menu item ${label} is disabled`)
      item.click?.(item, window, {})
      return
    }
    const { submenu = [] } = item
    const menu = submenu instanceof Menu ? submenu : new Menu(submenu)
    menu.choose(rest, window)
  }
  /** Its labels, one level deep in the other. */
  outline(): readonly unknown[] {
    return this.items.map(({ label, role, type, submenu }) => {
      const name = label ?? role ?? type ?? ''
      return submenu === undefined ? name : [name, (submenu instanceof Menu ? submenu : new Menu(submenu)).outline()]
    })
  }
}

/** https://www.electronjs.org/docs/latest/api/tray */
export class Tray extends EventEmitter {
  static readonly all = new Set<Tray>()
  toolTip = ''
  menu: Menu | null = null
  constructor(_image: unknown) {
    super()
    Tray.all.add(this)
  }
  setToolTip(text: string): void {
    this.toolTip = text
  }
  setContextMenu(menu: Menu | null): void {
    this.menu = menu
  }
  setImage(): void {}
  isDestroyed(): boolean {
    return !Tray.all.has(this)
  }
  destroy(): void {
    Tray.all.delete(this)
  }
}

/** https://www.electronjs.org/docs/latest/api/notification */
export class Notification extends EventEmitter {
  static readonly shown: Notification[] = []
  readonly title: string
  readonly body: string
  constructor(options: { readonly title?: string; readonly body?: string } = {}) {
    super()
    this.title = options.title ?? ''
    this.body = options.body ?? ''
  }
  static isSupported(): boolean {
    return true
  }
  show(): void {
    Notification.shown.push(this)
    this.emit('show', {})
  }
  close(): void {
    this.emit('close', {})
  }
}

const errors: (readonly [string, string])[] = []
const scripted: unknown[] = []
const asked: unknown[] = []

function nextAnswer(method: string, args: readonly unknown[]): Promise<unknown> {
  asked.push({ method, options: args.at(-1) })
  if (scripted.length === 0) throw new Error(`The journey has scripted no answer for dialog.${method}`)
  return Promise.resolve(scripted.shift())
}

/** https://www.electronjs.org/docs/latest/api/dialog; the answers are those that the journey has scripted, in their order. */
export const dialog = {
  errors,
  asked,
  scripted,
  showErrorBox(title: string, content: string): void {
    errors.push([title, content])
    console.error(`${title}\n${content}`)
  },
  showOpenDialog: (...args: unknown[]): Promise<unknown> => nextAnswer('showOpenDialog', args),
  showMessageBox: (...args: unknown[]): Promise<unknown> => nextAnswer('showMessageBox', args),
}

/** As on a Linux desktop without a keyring (https://www.electronjs.org/docs/latest/api/safe-storage#safestoragegetselectedstoragebackend-linux). */
export const safeStorage = {
  isEncryptionAvailable: (): boolean => false,
  getSelectedStorageBackend: (): string => 'basic_text',
  encryptString(): Buffer {
    throw new Error(
      'Error while encrypting the text provided to safeStorage.encryptString. Encryption is not available.',
    )
  },
  decryptString(): string {
    throw new Error(
      'Error while decrypting the ciphertext provided to safeStorage.decryptString. Decryption is not available.',
    )
  },
}

const blockers = new Map<number, string>()
let lastBlocker = 0

/** https://www.electronjs.org/docs/latest/api/power-save-blocker */
export const powerSaveBlocker = {
  start(type: string): number {
    blockers.set(++lastBlocker, type)
    return lastBlocker
  },
  stop: (id: number): boolean => blockers.delete(id),
  isStarted: (id: number): boolean => blockers.has(id),
}

const area = { x: 0, y: 0, width: 1920, height: 1080 }
const display = { id: 1, bounds: area, workArea: area, size: area, workAreaSize: area, scaleFactor: 1 }

/** https://www.electronjs.org/docs/latest/api/screen: one display. */
export const screen = Object.assign(new EventEmitter(), {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
  getDisplayMatching: () => display,
})

/** https://www.electronjs.org/docs/latest/api/native-theme */
export const nativeTheme = Object.assign(new EventEmitter(), { themeSource: 'system', shouldUseDarkColors: false })

/** https://www.electronjs.org/docs/latest/api/native-image: what is in an image is nothing that a journey looks at. */
export const nativeImage = {
  createFromPath: (path: string) => ({ path, isEmpty: () => false }),
  createFromDataURL: (url: string) => ({ url, isEmpty: () => false }),
  createEmpty: () => ({ isEmpty: () => true }),
}

/** https://www.electronjs.org/docs/latest/api/shell */
export const shell = {
  opened: [] as string[],
  async openExternal(url: string): Promise<void> {
    shell.opened.push(url)
  },
}

/** What the desktop shows now. */
export function desktopState(): object {
  return {
    menu: Menu.current?.outline() ?? null,
    trays: [...Tray.all].map(({ toolTip, menu }) => ({ toolTip, menu: menu?.outline() ?? null })),
    notifications: Notification.shown.map(({ title, body }) => ({ title, body })),
    dialogs: asked,
    errors,
    blockers: [...blockers.values()],
    opened: shell.opened,
  }
}
