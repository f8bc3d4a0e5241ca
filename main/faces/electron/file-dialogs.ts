import type { BrowserWindow, Dialog, OpenDialogOptions } from 'electron'
import type { Face } from '../../api/face.ts'

const DIALOGS = {
  // Neither kind of file has an extension to filter by, and most are hidden.
  kubeconfig: {
    title: 'Choose kubeconfig files',
    buttonLabel: 'Choose',
    properties: ['openFile', 'multiSelections', 'showHiddenFiles'],
  },
  clouds: { title: 'Choose a clouds.yaml', buttonLabel: 'Choose', properties: ['openFile', 'showHiddenFiles'] },
} satisfies Record<'kubeconfig' | 'clouds', OpenDialogOptions>

/** Opens the desktop's file dialog over the window; null if nothing was chosen. */
export function pickFilesWith(
  dialog: Pick<Dialog, 'showOpenDialog'>,
  windowNow: () => BrowserWindow | null,
): NonNullable<Face['pickFiles']> {
  return async kind => {
    const window = windowNow()
    const options = DIALOGS[kind]
    const chosen = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options))
    return chosen.canceled || chosen.filePaths.length === 0 ? null : chosen.filePaths
  }
}
