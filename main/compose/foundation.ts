import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { ProcessOfDriver } from '../../shared/domain/run.ts'
import type { Face } from '../api/face.ts'
import { openDataDirectory } from '../clusters/data-directory.ts'
import type { FilePlaces } from '../clusters/file-places.ts'
import { openRegistry, type Registry } from '../clusters/registry.ts'
import type { OnRequest } from '../clusters/session-ports.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { type Clock, systemClock } from '../platform/clock/clock.ts'
import { createFileLogger, type FileLogger } from '../platform/log/file-logger.ts'
import type { Logger } from '../platform/log/logger.ts'
import { createRedactor, type Redactor } from '../platform/log/redact.ts'
import { openInstallation } from '../platform/settings/head-anchor.ts'
import type { Signer } from '../platform/settings/signature.ts'
import type { DemoClouds } from '../ports/demo-clouds.ts'
import { addDemoClusters, type DemoWish } from './demo-clusters.ts'
import { driverOfThisProcess } from './own-process.ts'

export interface AppOptions {
  /** --data-dir; null means LOCKKEEPER_DATA_DIR, else the XDG data directory. */
  readonly dataDirectory?: string | null
  /** Run against the embedded clouds, started in this process. Its journal is kept where a data directory is given, marked as of a demo. */
  readonly demo: boolean
  readonly demoWish?: DemoWish
  readonly face: Face
  readonly clock?: Clock
  /** The operator of this process; the operating system's user on this machine when absent. */
  readonly operator?: { readonly name: string; readonly machine: string }
  /** Where lines of the log go instead of a file of the data directory, already free of secrets; absent means the file. */
  readonly logTo?: (line: string) => void
  /** Called for each request to a cloud. */
  readonly onRequest?: OnRequest
}

/** What every service needs: this process, its files and its clock. */
export interface Foundation {
  readonly clock: Clock
  readonly places: FilePlaces
  readonly redactor: Redactor
  readonly log: Logger
  readonly dataDirectory: string
  /** The folder in which clusters are registered. A demo removes its folder when it ends. */
  readonly registryFolder: string
  readonly registry: Registry
  /** The key of this installation; null if there is none, and the log says why. */
  readonly signer: Signer | null
  readonly journal: Journal
  readonly driver: ProcessOfDriver
  /** The embedded clouds; null in a console of real ones. */
  readonly demo: DemoClouds | null
  close(): Promise<void>
}

/** Closes again what was opened before a failure. */
export async function openFoundation(options: AppOptions): Promise<Result<Foundation>> {
  const closers: (() => void | Promise<void>)[] = []
  const close = async () => {
    const errors: unknown[] = []
    for (const closeOne of closers.splice(0).toReversed()) {
      try {
        await closeOne()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
  try {
    const opened = await openParts(options, part => closers.push(part))
    if (opened.ok) return ok({ ...opened.value, close })
    await close()
    return opened
  } catch (error) {
    // The first error tells more than that of a part that does not close.
    await close().catch(() => {})
    throw error
  }
}

/** `onClose` takes what closes each part, in the order of opening. */
async function openParts(
  options: AppOptions,
  onClose: (close: () => void | Promise<void>) => void,
): Promise<Result<Omit<Foundation, 'close'>>> {
  const clock = options.clock ?? systemClock
  const places: FilePlaces = { environment: process.env, home: homedir(), currentDirectory: process.cwd() }
  const thrownAway = options.demo ? await mkdtemp(join(tmpdir(), 'lockkeeper-demo-')) : null
  if (thrownAway !== null) onClose(() => rm(thrownAway, { recursive: true, force: true }))
  const directory = openDataDirectory(options.dataDirectory ?? thrownAway, places)
  if (!directory.ok) return directory
  const redactor = createRedactor()
  const log = openLog(options, directory.value, clock, redactor)
  onClose(() => log.close())
  // The clouds of a demo end with this process: their registry and tokens never mix with those for real clouds.
  const registryFolder = thrownAway ?? directory.value
  const registry = openRegistry({ directory: registryFolder, clock })
  if (!registry.ok) return registry
  const { key, anchor } = openInstallation(directory.value)
  if (!key.ok) log.warn('installation-without-key', { message: key.failure.message })
  const journal = openJournal({ path: join(directory.value, 'journal.db'), clock, anchor })
  if (!journal.ok) return journal
  onClose(() => journal.value.close())
  if (journal.value.readOnly !== null) {
    log.child('journal').warn('journal-read-only', { why: journal.value.readOnly.message })
  }
  const demo =
    thrownAway === null
      ? null
      : await addDemoClusters(join(thrownAway, 'clouds'), registry.value, clock, options.demoWish)
  if (demo?.ok === false) return demo
  if (demo !== null) onClose(() => demo.value.stop())
  const driver = driverOfThisProcess(options)
  return ok({
    clock,
    places,
    redactor,
    log,
    dataDirectory: directory.value,
    registryFolder,
    registry: registry.value,
    signer: key.ok ? key.value : null,
    journal: journal.value,
    driver,
    demo: demo?.value ?? null,
  })
}

function openLog({ logTo }: AppOptions, directory: string, clock: Clock, redactor: Redactor): FileLogger {
  return createFileLogger({
    directory: logTo === undefined ? join(directory, 'logs') : null,
    ...(logTo === undefined ? {} : { console: logTo }),
    clock,
    level: process.env.LOCKKEEPER_LOG === 'debug' ? 'debug' : 'info',
    redactor,
  })
}
