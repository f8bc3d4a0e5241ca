import { App } from './app.ts'
import { browserWindowOf } from './browser-window.ts'
import { takeCommands } from './control.ts'
import * as desktop from './desktop.ts'
import { IpcMain } from './ipc-main.ts'
import { protocol as schemes } from './schemes.ts'
import { sessionOf } from './session.ts'
import { strict } from './strict.ts'

// The module `electron` as our main process imports it, in plain Node with Debian's Chromium: it does what Electron's documentation says
// of what we use, and names what it lacks (an import that it lacks does not link). Each difference is described in its place: the
// scheme of the page inside Chromium (schemes.ts), the refusal of new windows (web-contents.ts), the keychain and the one display
// (desktop.ts).

const ofApp = new App(process.argv)
const ipc = new IpcMain()
const defaultSession = strict('session', sessionOf(ofApp))

export const app = strict('app', ofApp)
export const ipcMain = strict('ipcMain', ipc)
export const BrowserWindow = strict('BrowserWindow', browserWindowOf(ofApp, defaultSession, ipc.receive))
export const protocol = strict('protocol', schemes)
export const session = strict('session', { defaultSession })
export const dialog = strict('dialog', desktop.dialog)
export const Menu = strict('Menu', desktop.Menu)
export const Tray = strict('Tray', desktop.Tray)
export const Notification = strict('Notification', desktop.Notification)
export const safeStorage = strict('safeStorage', desktop.safeStorage)
export const powerSaveBlocker = strict('powerSaveBlocker', desktop.powerSaveBlocker)
export const screen = strict('screen', desktop.screen)
export const nativeTheme = strict('nativeTheme', desktop.nativeTheme)
export const nativeImage = strict('nativeImage', desktop.nativeImage)
export const shell = strict('shell', desktop.shell)

takeCommands(ofApp)
