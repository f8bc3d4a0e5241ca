import type { MenuItemConstructorOptions } from 'electron'
import type { UpdateState } from './updates.ts'

interface MenuParts {
  readonly platform: string
  /** Shows a place of the page, given by the part of its address behind the #. */
  readonly goTo: (place: string) => void
  readonly updates: UpdateState
  /** Checks for updates, or continues with the known one. */
  readonly onUpdates: () => void
}

/** The application's menu: the usual roles, and the pages that do not belong to one cluster. */
export function menuTemplate({ platform, goTo, updates, onUpdates }: MenuParts): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin'
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [
        { label: 'Add a cloud', accelerator: 'CmdOrCtrl+Shift+A', click: () => goTo('/clouds/add') },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit', label: 'Quit' },
      ],
    },
    { role: 'editMenu', label: 'Edit' },
    {
      label: 'View',
      submenu: [
        { label: 'Home', accelerator: 'CmdOrCtrl+Shift+C', click: () => goTo('/home') },
        { type: 'separator' },
        { role: 'reload' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu', label: 'Window' },
    {
      role: 'help',
      label: 'Help',
      submenu: [
        { label: updateWords(updates), enabled: WAITS_FOR_OPERATOR.has(updates.kind), click: onUpdates },
        { role: 'about', label: 'About Lockkeeper' },
      ],
    },
  ]
}

/** States of an update that wait for the operator. */
const WAITS_FOR_OPERATOR: ReadonlySet<UpdateState['kind']> = new Set(['resting', 'found', 'ready'])

function updateWords(state: UpdateState): string {
  switch (state.kind) {
    case 'no-source':
      return 'This build has no update server'
    case 'resting':
      return 'Check for Updates…'
    case 'looking':
      return 'Checking for Updates'
    case 'found':
      return `Download Lockkeeper ${state.version}…`
    case 'fetching':
      return `Downloading Lockkeeper ${state.version}`
    case 'ready':
      return `Install Lockkeeper ${state.version}…`
    case 'installing':
      return `Installing Lockkeeper ${state.version}`
  }
}
