import type { MenuItemConstructorOptions } from 'electron'

interface MenuParts {
  readonly platform: string
  /** Brings a place of the page to the front, by the part of its address behind the #. */
  readonly goTo: (place: string) => void
}

/** The application's menu: the usual roles, and the places that are not of one cluster. */
export function menuTemplate({ platform, goTo }: MenuParts): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin'
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [
        { label: 'Add a cluster', accelerator: 'CmdOrCtrl+Shift+A', click: () => goTo('/clusters/add') },
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
    { role: 'help', label: 'Help', submenu: [{ role: 'about', label: 'About Lockkeeper' }] },
  ]
}
