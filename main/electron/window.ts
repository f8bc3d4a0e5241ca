import { BrowserWindow } from 'electron'
import { guardContents, securePreferences } from './security.ts'

/** Opens the one window of the desktop face; it shows itself when the page has painted, so that no white sheet flashes. */
export function openWindow(preload: string, page: string): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Lockkeeper',
    width: 1280,
    height: 840,
    minWidth: 720,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    webPreferences: securePreferences(preload),
  })
  guardContents(window.webContents, page)
  window.once('ready-to-show', () => window.show())
  return window
}
