import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from 'electron'
import type { AppUpdater } from 'electron-updater'
import type { Logger } from '../../platform/log/logger.ts'

/** The update server. Callers ask the operator before each call (updates.ts). */
export interface UpdateSource {
  /** The newer version; null if there is none. */
  look(): Promise<string | null>
  /** Downloads the update and verifies its SHA-512, and on Windows and macOS its signature. */
  fetch(): Promise<void>
  /** Ends the app, installs the update and starts the app again. `onFailed`: the installation failed, and the app continues. */
  install(onFailed: (reason: Error) => void): void
}

interface SourceParts {
  readonly app: Pick<App, 'isPackaged' | 'releaseSingleInstanceLock' | 'requestSingleInstanceLock'>
  /** The folder of the package's files; undefined outside Electron. */
  readonly resources: string | undefined
  readonly log: Logger
  readonly load: () => Promise<Pick<AppUpdater, 'checkForUpdates' | 'downloadUpdate' | 'quitAndInstall' | 'once'>>
}

/** Opens the update server of this build (LOCKKEEPER_UPDATE_URL, docs/packages.md); null if it has none. */
export async function openUpdateSource({ app, resources, log, load }: SourceParts): Promise<UpdateSource | null> {
  // electron-builder writes this file into packages that have an update server.
  if (!app.isPackaged || resources === undefined || !(await exists(join(resources, 'app-update.yml')))) return null
  const loaded = await load().catch((reason: unknown) => {
    // The console works without updates.
    log.warn('the updater did not load: no update checks', { reason: String(reason) })
    return null
  })
  if (loaded === null) return null
  const updater = Object.assign(loaded, {
    // Nothing automatic: the operator decides when to download and install.
    autoDownload: false,
    autoInstallOnAppQuit: false,
    // A hijacked server must not be able to install an older version with known faults.
    allowDowngrade: false,
    disableWebInstaller: true,
    logger: loggerOf(log),
  })
  return {
    look: async () => {
      const found = await updater.checkForUpdates()
      return found?.isUpdateAvailable === true ? found.updateInfo.version : null
    },
    fetch: async () => {
      await updater.downloadUpdate()
    },
    install: onFailed => {
      updater.once('error', reason => {
        app.requestSingleInstanceLock()
        onFailed(reason)
      })
      // The new version starts while this one ends, and must become the first instance.
      app.releaseSingleInstanceLock()
      updater.quitAndInstall(false, true)
    },
  }
}

function loggerOf(log: Logger) {
  const words = (message: unknown) => (message instanceof Error ? message.message : String(message))
  return {
    info: (message: unknown) => log.debug(words(message)),
    warn: (message: unknown) => log.warn(words(message)),
    error: (message: unknown) => log.warn(words(message)),
    debug: (message: string) => log.debug(message),
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
