import { join } from 'node:path'
import { app, type BrowserWindow, dialog, Menu, Notification, powerSaveBlocker } from 'electron'
import type { Contract } from '../../../shared/contract/index.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { menuTemplate } from './menu.ts'
import { notifyOfRuns, notifyOfWindows, type RunNotice } from './notify-runs.ts'
import { linkOpener } from './open-link.ts'
import { followOwnControllers } from './own-controllers.ts'
import { followOwnRuns } from './own-runs.ts'
import { reportPageCrash } from './page-crash.ts'
import { guardQuit } from './quit-guard.ts'
import { stayAwake } from './stay-awake.ts'
import { openTray, type WorkTray } from './tray.ts'
import type { UpdateSource } from './update-source.ts'
import { followUpdates, type UpdateState } from './updates.ts'
import { keepWindowPlace } from './window-place.ts'

interface DesktopParts {
  readonly window: BrowserWindow
  readonly contract: Contract
  readonly log: Logger
  /** The address of the console's page. */
  readonly page: string
  readonly self: { readonly driverId: string; readonly dataDirectory: string; readonly version: string }
  /** Null if this build has no update server. */
  readonly updateSource: UpdateSource | null
}

interface Desktop {
  /** Opens the page of a link; call it once the page is loaded. */
  openLink(text: string): Promise<void>
  lookForUpdates(): Promise<void>
  stop(): void
}

/** Adds to the window: menu, notifications, tray, power saving, the question before quitting, links, updates. */
export function joinDesktop({ window, contract, log, page, self, updateSource }: DesktopParts): Desktop {
  let tray: WorkTray | null = null
  // Whatever shows it again: the tray, a notification, or a second start.
  window.on('show', () => {
    tray?.remove()
    tray = null
  })
  const show = () => {
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }
  const goTo = (place: string) => {
    show()
    // A navigation that differs only behind the # loads nothing; one that the next click replaces fails, which does not matter.
    window.loadURL(`${page}#${place}`).catch(() => {})
  }
  const awake = stayAwake(powerSaveBlocker)
  const workChanged = () => {
    awake([...own.active(), ...answering.active()])
    // The window comes back when no work is left: the tray icon alone would hide how the runs ended.
    if (own.active().length + answering.active().length === 0 && tray !== null) show()
    else tray?.report(own.active().length)
    updates.workChanged()
  }
  const own = followOwnRuns(contract, self, workChanged)
  const answering = followOwnControllers(contract, workChanged)
  const updates = followUpdates(updateSource, {
    version: self.version,
    isBusy: () => own.active().length + answering.active().length > 0,
    showDialog: options => dialog.showMessageBox(options),
    log: log.child('updates'),
    onChange: state => showMenu(state),
  })
  const showMenu = (state: UpdateState) => {
    const template = { platform: process.platform, goTo, updates: state, onUpdates: () => void updates.look(true) }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(template)))
  }
  showMenu(updates.state())
  const notify = createNotifier()
  const stopNotices = notifyOfRuns(contract, notify, run =>
    goTo(`/c/${encodeURIComponent(run.cluster)}/history/${encodeURIComponent(run.id)}`),
  )
  const stopWindowNotices = notifyOfWindows(contract, notify, id => goTo(`/windows/${encodeURIComponent(id)}`))
  guardQuit(window, {
    contract,
    active: own.active,
    answered: answering.active,
    showDialog: options => dialog.showMessageBox(options),
    keepInTray: () => {
      window.hide()
      tray = openTray({ onShow: show, onQuit: () => app.quit() }, own.active().length)
    },
  })
  const openLink = linkOpener({
    contract,
    log: log.child('links'),
    goTo,
    show,
    report: options => dialog.showMessageBox(window, options),
  })
  reportPageCrash(window.webContents, {
    showDialog: options => dialog.showMessageBox(window, options),
    reload: () => window.webContents.reload(),
    quit: () => app.quit(),
  })
  window.on('close', () => void keepWindowPlace(join(self.dataDirectory, 'window.json'), window))
  return {
    openLink,
    lookForUpdates: () => updates.look(false),
    stop: () => {
      own.stop()
      answering.stop()
      stopNotices()
      stopWindowNotices()
      tray?.remove()
      awake([])
    },
  }
}

/** Shows notices of the system, if it has them. */
function createNotifier(): (notice: RunNotice) => void {
  const notices = new Set<Notification>()
  return ({ title, body, onClick }) => {
    if (!Notification.isSupported()) return
    const notice = new Notification({ title, body })
    // Kept, because a collected notification no longer reacts to clicks.
    notices.add(notice)
    notice.on('click', onClick)
    notice.on('close', () => notices.delete(notice))
    notice.show()
  }
}
