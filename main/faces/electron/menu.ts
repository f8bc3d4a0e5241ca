import type { MenuItemConstructorOptions } from 'electron'
import type { UpdateState } from './updates.ts'

interface MenuParts {
  readonly platform: string
  /** Brings a place of the page to the front, by the part of its address behind the #. */
  readonly goTo: (place: string) => void
  readonly updates: UpdateState
  /** The operator wants to know of updates, or goes on with the one there is. */
  readonly onUpdates: () => void
}

/** The application's menu: the usual roles, and the places that are not of one cluster. */
export function menuTemplate({ platform, goTo, updates, onUpdates }: MenuParts): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin'
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [
        { label: 'Add a cloud', accelerator: 'CmdOrCtrl+Shift+A', click: () => goTo('/clusters/add') },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit', label: 'Quit' },
      ],
    },
    { role: 'editMenu', label: 'Edit' },
    {
      label: 'View',
      submenu: [
        { label: 'Clusters', accelerator: 'CmdOrCtrl+Shift+C', click: () => goTo('/clusters') },
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

/** The states of an update in which it goes on by the operator's word. */
const WAITS_FOR_OPERATOR: ReadonlySet<UpdateState['kind']> = new Set(['resting', 'found', 'ready'])

function updateWords(state: UpdateState): string {
  switch (state.kind) {
    case 'no-source':
      return 'This build looks for no updates'
    case 'resting':
      return 'Look for Updates…'
    case 'looking':
      return 'Looking for Updates'
    case 'found':
      return `Fetch Lockkeeper ${state.version}…`
    case 'fetching':
      return `Fetching Lockkeeper ${state.version}`
    case 'ready':
      return `Install Lockkeeper ${state.version}…`
    case 'installing':
      return `Installing Lockkeeper ${state.version}`
  }
}
