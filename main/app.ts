import type { Contract } from '../shared/contract/index.ts'
import { ok, type Result } from '../shared/domain/result.ts'
import { createEvents } from './api/events.ts'
import { createObservers } from './api/observers.ts'
import { openSignalSecrets } from './clusters/signal-secrets.ts'
import { contractOver } from './compose/answers.ts'
import { openClusters } from './compose/clusters.ts'
import { openCommands } from './compose/commands.ts'
import { openDemoHistory } from './compose/demo-history.ts'
import { type AppOptions, openFoundation } from './compose/foundation.ts'
import { newId } from './compose/new-id.ts'
import { openPlans } from './compose/plans.ts'
import { runnerAppOf } from './compose/runner-app.ts'
import { openRuns } from './compose/runs.ts'
import { servicesOf } from './compose/services.ts'
import { openViews } from './compose/views.ts'
import { openAgreedStarts } from './compose/windows.ts'
import { createControllersHost } from './lcm/controllers/controllers-host.ts'
import type { Logger } from './platform/log/logger.ts'
import type { Redactor } from './platform/log/redact.ts'
import { type CalendarFeed, openCalendarFeed } from './platform/settings/calendar-feed.ts'
import type { DemoClouds } from './ports/demo-clouds.ts'
import { LOCKKEEPER_VERSION } from './version.ts'
import { openNotify, openSignalPorts } from './wings/notify/door.ts'
import { openOtherDrivers } from './wings/runner/door.ts'
import { openDemo } from './wings/simulators/door.ts'

export interface App {
  readonly contract: Contract
  readonly log: Logger
  readonly redactor: Redactor
  /** Whether calendars may read the windows, and by which secret; of no face but the one that serves it. */
  readonly calendarFeed: CalendarFeed
  readonly runnerApp: ReturnType<typeof runnerAppOf>
  /** The embedded clouds; null in a console of real ones. */
  readonly demo: DemoClouds | null
  /** Leaves every run of this process resumable and closes all sessions. */
  close(): Promise<void>
}

/** The composition root: opens the services one after another, each from those above it, and gives them to a face (docs/architecture.md). */
export async function createApp(options: AppOptions): Promise<Result<App>> {
  const { face } = options
  const opened = await openFoundation(options)
  if (!opened.ok) return opened
  const foundation = opened.value
  const { clock, dataDirectory, driver, journal, log, redactor, registryFolder } = foundation
  const { registerSecret } = redactor
  const events = createEvents(log.child('api'))

  const commands = openCommands(foundation, face.commandKeeper ?? null)
  const secrets = openSignalSecrets(registryFolder, face.secrets)
  const ports = openSignalPorts({ secrets, registerSecret, clock })
  const clusters = openClusters(foundation, options, { commands: commands.port, prometheusOf: ports.prometheusOf })

  // Runs of this console, then those of all drivers, and what other systems receive about them.
  const { own, tail } = openRuns(foundation, events, commands)
  const shared = { ...foundation, clusters, events, newId }
  const drivers = openOtherDrivers({ ...shared, own, directory: registryFolder })
  const { runs } = drivers
  const sender = { version: LOCKKEEPER_VERSION, box: face.secrets, registerSecret }
  const notify = openNotify({ ...shared, ...sender, secrets, ports, runs: own })

  const views = openViews({ clusters, runs, events, clock })
  const { observations } = journal
  const { emit } = events
  const observers = createObservers({ worlds: clusters, observations, clock, log: log.child('observer'), emit })
  const controllers = createControllersHost({
    clock,
    log,
    driver,
    newId,
    onChanged: status => emit('controllers.changed', status),
  })
  const plans = openPlans(clusters, clock, log.child('plans'))
  const agreedStarts = openAgreedStarts(foundation, events, { clusters, runs, plans })

  const works = { agreedStarts, clusters, commands: commands.port, controllers, others: drivers.port }
  const services = servicesOf(foundation, options, { ...works, plans, runs, secrets, events, views, observers })
  const demo = openDemo({ troubles: foundation.demo?.troubles ?? null, emit })
  const answering = { services, views, observers, drivers, notify, demo }
  const contract = contractOver(answering, { events, journal, clock, log })
  const history = openDemoHistory(foundation, demo.historyAt)
  const closing = new AbortController()
  const following = tail.follow(closing.signal)
  // A command of the terminal ends soon: one that waits for a window attends it alone.
  if (face.kind !== 'terminal') void agreedStarts.attendAll(closing.signal)
  return ok({
    contract,
    log,
    redactor,
    demo: foundation.demo,
    runnerApp: runnerAppOf(answering, { ...foundation, contract, runs, tail, events }),
    calendarFeed: openCalendarFeed(dataDirectory),
    close: async () => {
      agreedStarts.close()
      await history.stop()
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
