import type { Contract } from '../shared/contract/index.ts'
import { ok, type Result } from '../shared/domain/result.ts'
import { createEvents } from './api/events.ts'
import { leaveQueue } from './api/leave-queue.ts'
import { createObservers } from './api/observers.ts'
import type { ApiServices } from './api/services.ts'
import { openSignalSecrets } from './clusters/signal-secrets.ts'
import { contractOver } from './compose/answers.ts'
import { openClusters } from './compose/clusters.ts'
import { openCommands } from './compose/commands.ts'
import { type AppOptions, openFoundation } from './compose/foundation.ts'
import { handsOf } from './compose/hands.ts'
import { newId } from './compose/new-id.ts'
import { openPlans } from './compose/plans.ts'
import { openRuns } from './compose/runs.ts'
import { openViews } from './compose/views.ts'
import { importForeign } from './journal/read-apart.ts'
import { createControllersHost } from './lcm/controllers/controllers-host.ts'
import type { Logger } from './platform/log/logger.ts'
import type { Redactor } from './platform/log/redact.ts'
import { type CalendarFeed, openCalendarFeed } from './platform/settings/calendar-feed.ts'
import { openMaintenanceQueues } from './platform/settings/maintenance-queues.ts'
import { openPreferences } from './platform/settings/preferences.ts'
import { LOCKKEEPER_VERSION } from './version.ts'
import { createAgreedStarts } from './windows/agreed-starts.ts'
import { openNotify, openSignalPorts } from './wings/notify/door.ts'
import { openOtherDrivers } from './wings/runner/door.ts'

/** The application, as a face gets it. */
export interface App {
  readonly contract: Contract
  readonly log: Logger
  readonly redactor: Redactor
  /** Whether calendars may read the windows, and by which secret; of no face but the one that serves it. */
  readonly calendarFeed: CalendarFeed
  /** What a runner works with. */
  readonly hands: ReturnType<typeof handsOf>
  /** Leaves every run of this process resumable and closes all sessions. */
  close(): Promise<void>
}

/** The composition root: opens the services one after another, each from those above it, and gives them to a face (docs/architecture.md). */
export async function createApp(options: AppOptions): Promise<Result<App>> {
  const { demo, face } = options
  const opened = await openFoundation(options)
  if (!opened.ok) return opened
  const foundation = opened.value
  const { clock, dataDirectory, driver, journal, log, redactor, registryFolder, signer } = foundation
  const { registerSecret } = redactor
  const events = createEvents(log.child('api'))

  // Clusters, and what is beside them.
  const commands = openCommands(foundation, face.commandKeeper ?? null)
  const secrets = openSignalSecrets(registryFolder, face.secrets)
  const ports = openSignalPorts({ secrets, registerSecret, clock })
  const clusters = openClusters(foundation, options, { commands: commands.port, prometheusOf: ports.prometheusOf })

  // Runs: of this console, then of all drivers; and who hears of them.
  const { own, tail } = openRuns(foundation, events, commands)
  const drivers = openOtherDrivers({
    ...{ own, journal, clusters, events, clock, log, newId },
    directory: registryFolder,
  })
  const { runs } = drivers
  const notify = openNotify({
    ...{ journal, clusters, events, secrets, ports, driver, registerSecret, clock, log, newId, dataDirectory },
    runs: own,
    version: LOCKKEEPER_VERSION,
    box: face.secrets,
  })

  // What is shown of clusters, and what acts on them beside runs.
  const controllers = createControllersHost({
    ...{ clock, log, driver, newId },
    onChanged: status => events.emit('controllers.changed', status),
  })
  const views = openViews({ clusters, runs, events, clock })
  const observers = createObservers({
    worlds: clusters,
    observations: journal.observations,
    clock,
    log: log.child('observer'),
    emit: events.emit,
  })

  // Plans and windows.
  const plans = openPlans(clusters, clock, log.child('plans'))
  const agreedStarts = createAgreedStarts({
    ...{ runs, plans, clusters, clock, log, newId },
    windows: journal.windows,
    worlds: clusters,
    onWritten: ({ id, cluster }) => events.emit('window.changed', { id, cluster }),
    onMissed: (window, { seq, words }) => {
      events.house.emit('window.waits', { window, seq, words })
      events.emit('window.start-missed', { id: window.id, cluster: window.cluster, title: window.title, why: words })
    },
  })

  // The contract, and who asks it.
  const settings = { directory: dataDirectory, log: log.child('settings') }
  const services: ApiServices = {
    ...{ signer, face, registryFolder, journal, clusters, secrets, runs, plans, agreedStarts, controllers },
    ...{ clock, log, newId },
    importForeign: wish => importForeign(journal.care, face.journalReader ?? null, clock, wish),
    installation: { version: LOCKKEEPER_VERSION, demo, dataDirectory },
    preferences: openPreferences(settings),
    queues: openMaintenanceQueues(settings),
    emit: events.emit,
    edits: journal.edits,
    windows: journal.windows,
    onReachChanged: cluster => {
      views.forget(cluster)
      observers.forget(cluster)
    },
    onInstancesTouched: views.readInstances,
    commands: commands.port,
    others: drivers.port,
    worlds: clusters,
  }
  const answering = { services, views, observers, drivers, notify }
  const contract = contractOver(answering, { events, journal, clock, log })
  events.on('run.event', event => leaveQueue(event, services))
  const closing = new AbortController()
  const following = tail.follow(closing.signal)
  // A command of the terminal ends soon: one that waits for a window asks for it by itself.
  if (face.kind !== 'terminal') void agreedStarts.attendAll(closing.signal)
  return ok({
    contract,
    log,
    redactor,
    hands: handsOf(answering, { ...foundation, contract, runs, tail, events }),
    calendarFeed: openCalendarFeed(dataDirectory),
    close: async () => {
      agreedStarts.close()
      await drivers.close()
      await Promise.all([runs.leaveAll(), controllers.closeAll(), plans.close()])
      closing.abort()
      await following
      await notify.close()
      await views.close()
      await observers.close()
      clusters.closeAll()
      await foundation.close()
    },
  })
}
