import { join } from 'node:path'
import { app, type BrowserWindow, dialog, ipcMain, protocol, safeStorage, screen, session } from 'electron'
import { createApp } from '../../app.ts'
import { installCrashHandler } from '../../platform/log/crash.ts'
import { demoWishOf } from './demo-wish.ts'
import { joinDesktop } from './desktop.ts'
import { pickFilesWith } from './file-dialogs.ts'
import { connectWindow } from './ipc.ts'
import { keychainOf } from './keychain.ts'
import { listenForLinks } from './listen-for-links.ts'
import { pdfPrinter } from './print-pdf.ts'
import { denyPermissions, guardEveryPage, PAGE_URL, registerAppScheme, serveRenderer } from './security.ts'
import { openUpdateSource } from './update-source.ts'
import { openWindow } from './window.ts'
import { readWindowPlace } from './window-place.ts'

// Built into out/main, with preload and renderer beside it (electron.config.ts).
const PRELOAD = join(import.meta.dirname, '../preload/preload.cjs')
const RENDERER = join(import.meta.dirname, '../renderer')

/** The page: by the app's own protocol; in `npm run dev`, but never in a packaged app, from the development server. */
const page = app.isPackaged ? PAGE_URL : (process.env.ELECTRON_RENDERER_URL ?? PAGE_URL)

let window: BrowserWindow | null = null

registerAppScheme(protocol)
app.enableSandbox()
guardEveryPage(app, page)
const links = listenForLinks(app, process.argv)
if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => {
    if (window === null) return
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  })
  app.whenReady().then(start).catch(giveUp)
} else {
  app.quit()
}

async function start(): Promise<void> {
  denyPermissions(session.defaultSession)
  serveRenderer(protocol, RENDERER)
  const created = await createApp({
    demo: process.argv.includes('--demo'),
    demoWish: demoWishOf(process.argv),
    face: {
      kind: 'desktop',
      pickFiles: pickFilesWith(dialog, () => window),
      secrets: keychainOf(safeStorage, process.platform),
      printPdf: pdfPrinter(),
    },
  })
  if (!created.ok) {
    giveUp(created.failure.message)
    return
  }
  const { contract, close, log, redactor } = created.value
  installCrashHandler({
    log,
    redactor,
    write: text => dialog.showErrorBox('Lockkeeper stopped', text),
    exit: code => app.exit(code),
  })
  const described = await contract.ask('console.describe', {})
  if (!described.ok) {
    giveUp(described.failure.message)
    return
  }
  const self = described.value
  const displays = screen.getAllDisplays().map(({ workArea }) => workArea)
  const opened = openWindow(PRELOAD, await readWindowPlace(join(self.dataDirectory, 'window.json'), displays))
  window = opened
  const updateSource = await openUpdateSource({
    app,
    resources: process.resourcesPath,
    log: log.child('updates'),
    // Loaded on demand: a build without updates loads none of it.
    load: async () => (await import('electron-updater')).default.autoUpdater,
  })
  const desktop = joinDesktop({ window: opened, contract, log, page, self, updateSource })
  const disconnect = connectWindow(ipcMain, opened.webContents, contract, page)
  opened.on('closed', () => {
    window = null
    links.open(() => {})
    disconnect()
    desktop.stop()
    close()
      .catch((reason: unknown) => console.error('Lockkeeper did not close cleanly:', nameOf(reason)))
      .finally(() => app.exit(0))
  })
  await opened.loadURL(page)
  // Only now: a link that arrives while the page loads would interrupt the load.
  links.open(text => void desktop.openLink(text))
  await desktop.lookForUpdates()
}

/** Shows why there is no window, and ends. Shows only the message of a failure or the kind of an exception, which contain no secrets. */
function giveUp(reason: unknown): void {
  dialog.showErrorBox('Lockkeeper cannot start', typeof reason === 'string' ? reason : nameOf(reason))
  app.exit(1)
}

function nameOf(reason: unknown): string {
  return reason instanceof Error ? reason.name : 'unknown reason'
}
