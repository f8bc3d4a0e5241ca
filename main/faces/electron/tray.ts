import { Menu, nativeImage, Tray } from 'electron'

/** The gates of a lock, seen from above. */
const ICON =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAjklEQVR42u2WUQ7AIAhDvdAut6N6Ife/BGmhjn1A4pfYPmMExuiojuue670+9WqABvglwAkI08faUEJsPXabCghX30vIQEDaSFIEAtZFExkIStMyUgOE6kAEgtbzTBiIkBZicDQHvaHiqeQA7I9JN6Psd5V0w0ytkLXjaKGSzgOKM+mBRFIheyQrB+iojge8q8COZwuizgAAAABJRU5ErkJggg=='

interface TrayParts {
  readonly onShow: () => void
  readonly onQuit: () => void
}

/** The tray icon of a console that works without its window. */
export interface WorkTray {
  /** Shows the number of runs; 0: only controllers are running. */
  report(count: number): void
  remove(): void
}

/** Opens the tray icon, which shows the window again. */
export function openTray({ onShow, onQuit }: TrayParts, count: number): WorkTray {
  const tray = new Tray(nativeImage.createFromDataURL(ICON))
  const report = (runs: number) => {
    const words = runs === 0 ? 'Controllers are running' : runs === 1 ? '1 run is active' : `${runs} runs are active`
    tray.setToolTip(`Lockkeeper: ${words}`)
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: words, enabled: false },
        { label: 'Show', click: onShow },
        { label: 'Quit', click: onQuit },
      ]),
    )
  }
  tray.on('click', onShow)
  report(count)
  return { report, remove: () => tray.destroy() }
}
