import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from 'electron'
import type { AppUpdater } from 'electron-updater'
import type { Logger } from '../../platform/log/logger.ts'

/** Where updates come from. Each verb is called by whoever asked the operator before (updates.ts). */
export interface UpdateSource {
  /** The version that is newer than this one; null: none is. */
  look(): Promise<string | null>
  /** Fetches what was found, and judges it: its SHA-512, on Windows and macOS whose signature it bears. */
  fetch(): Promise<void>
  /** Ends the app, installs what was fetched, and starts it again. `onFailed`: it could not be installed, and the app goes on. */
  install(onFailed: (reason: Error) => void): void
}

interface SourceParts {
  readonly app: Pick<App, 'isPackaged' | 'releaseSingleInstanceLock' | 'requestSingleInstanceLock'>
  /** Where the files of the package are; undefined outside of Electron. */
  readonly resources: string | undefined
  readonly log: Logger
  readonly load: () => Promise<Pick<AppUpdater, 'checkForUpdates' | 'downloadUpdate' | 'quitAndInstall' | 'once'>>
}

/** Opens the source of updates that this build was told of (LOCKKEEPER_UPDATE_URL, docs/packages.md); null where it was told of none. */
export async function openUpdateSource({ app, resources, log, load }: SourceParts): Promise<UpdateSource | null> {
  // electron-builder writes this file into a package whose build says where updates are published.
  if (!app.isPackaged || resources === undefined || !(await exists(join(resources, 'app-update.yml')))) return null
  const loaded = await load().catch((reason: unknown) => {
    // A console without updates is still a console.
    log.warn('updates are not looked for: what installs them did not load', { reason: String(reason) })
    return null
  })
  if (loaded === null) return null
  const updater = Object.assign(loaded, {
    // Nothing by itself: what is fetched and when it is installed is said by the operator.
    autoDownload: false,
    autoInstallOnAppQuit: false,
    // A server that was taken over must not lead back to a version whose faults are known.
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
      // The new version starts while this one ends, and is to be the first instance.
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
