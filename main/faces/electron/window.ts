import { BrowserWindow } from 'electron'
import { securePreferences } from './security.ts'
import type { WindowPlace } from './window-place.ts'

/** Opens the window; it becomes visible when the page has painted, so that no white page flashes. */
export function openWindow(preload: string, place: WindowPlace | null = null): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Lockkeeper',
    width: 1280,
    height: 840,
    ...place?.bounds,
    minWidth: 720,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    webPreferences: securePreferences(preload),
  })
  if (place?.maximized === true) window.maximize()
  window.once('ready-to-show', () => window.show())
  return window
}
