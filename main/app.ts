import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contract, type RequestName, requests } from '../shared/contract/index.ts'
import type { Plan } from '../shared/domain/plan.ts'
import { ok, type Result } from '../shared/domain/result.ts'
import type { ProcessOfDriver } from '../shared/domain/run.ts'
import { describeContexts } from './adapters/kubernetes/describe-contexts.ts'
import { defaultKubeconfigPaths } from './adapters/kubernetes/kubeconfig.ts'
import { batchesHandlers } from './api/batches.ts'
import { campaignHandlers } from './api/campaigns.ts'
import { clusterHandlers } from './api/clusters.ts'
import { consoleHandlers } from './api/console.ts'
import { controllerHandlers } from './api/controllers.ts'
import { definitionHandlers } from './api/definitions.ts'
import { editHandlers } from './api/edits.ts'
import { estimateHandlers } from './api/estimates.ts'
import type { Face } from './api/face.ts'
import { historyHandlers } from './api/history.ts'
import { journalHandlers } from './api/journal-care.ts'
import { leaveQueue } from './api/leave-queue.ts'
import { mailHandlers } from './api/mail.ts'
import { maintenanceObjectHandlers } from './api/maintenance-objects.ts'
import { nodeDetailHandlers } from './api/node-detail.ts'
import { nodeHandlers } from './api/nodes.ts'
import { observeHandlers } from './api/observe.ts'
import { createObservers } from './api/observers.ts'
import { createPlanRemaker } from './api/remake-plan.ts'
import { removeRequestHandler } from './api/remove-request.ts'
import { reportHandlers } from './api/reports.ts'
import { runnerHandlers } from './api/runners.ts'
import { runHandlers } from './api/runs.ts'
import { createRouter, type Emit, type Handlers } from './api/serve.ts'
import type { ApiServices } from './api/services.ts'
import { signalHandlers } from './api/signals.ts'
import { updateHandlers } from './api/updates.ts'
import { viewHandlers } from './api/views.ts'
import { windowHandlers } from './api/windows.ts'
import { type Clusters, createClusters } from './clusters/clusters.ts'
import { openDataDirectory } from './clusters/data-directory.ts'
import type { FilePlaces } from './clusters/file-places.ts'
import { openRegistry } from './clusters/registry.ts'
import { openSignalSecrets } from './clusters/signal-secrets.ts'
import { openTokenFiles } from './clusters/token-files.ts'
import { openAttached } from './compose/attached.ts'
import { openCommands } from './compose/commands.ts'
import { type OnRequest, openConnectors } from './compose/connectors.ts'
import { addDemoClusters } from './compose/demo-clusters.ts'
import { driverOfThisProcess, pidAlive } from './compose/own-process.ts'
import { openSignalPorts } from './compose/signal-ports.ts'
import { openSignals } from './compose/signals.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { createJournalTail } from './journal/journal-tail.ts'
import { importForeign } from './journal/read-apart.ts'
import { createControllersHost } from './lcm/controllers/controllers-host.ts'
import { type Clock, systemClock } from './platform/clock/clock.ts'
import { createFileLogger } from './platform/log/file-logger.ts'
import type { Logger } from './platform/log/logger.ts'
import { createRedactor, type Redactor } from './platform/log/redact.ts'
import { readCluster } from './platform/reading/cluster-reading.ts'
import { type CalendarFeed, openCalendarFeed } from './platform/settings/calendar-feed.ts'
import { openInstallation } from './platform/settings/head-anchor.ts'
import { openMailStore } from './platform/settings/mail-settings.ts'
import { openMaintenanceQueues } from './platform/settings/maintenance-queues.ts'
import { openPreferences } from './platform/settings/preferences.ts'
import type { MaintenanceWorld } from './ports/world.ts'
import { accessQuestionsOf } from './procedures/steps/general/access-questions.ts'
import { nodeLeaseKeeper } from './procedures/steps/general/node-lease.ts'
import { maintenanceSteps } from './procedures/steps/registry.ts'
import { takeBackRecommendations } from './procedures/steps/watcher/take-back-recommendations.ts'
import { activeNodeRuns, hasRunFailed, nodesDrainedOnly } from './runs/active-runs.ts'
import { createRunEngine } from './runs/engine/run-engine.ts'
import { createRunService, runsAs } from './runs/run-service.ts'
import { createShownPlans } from './runs/shown-plans.ts'
import { endTakenOver, takeOverRun } from './runs/take-over.ts'
import { LOCKKEEPER_VERSION } from './version.ts'
import { createViews } from './view/views.ts'
import { createAgreedStarts } from './windows/agreed-starts.ts'
import { createPlanEstimate } from './windows/plan-estimate.ts'
import { sendOverSmtp } from './wings/notify/mail/smtp.ts'
import { reportedBefore, withMirrored } from './wings/runner/attach/mirrored-runs.ts'
import { createRefusedHandOvers } from './wings/runner/attach/refused-hand-overs.ts'
import type { RunnerApp } from './wings/runner/runner-app.ts'

/** How a face asks for the application. */
interface AppOptions {
  /** --data-dir; null: LOCKKEEPER_DATA_DIR, else the XDG data directory. */
  readonly dataDirectory?: string | null
  /** Run against the embedded clouds, started in this process. Its journal is kept where a data directory is given, marked as of a demo. */
  readonly demo: boolean
  readonly face: Face
  /** The machine's own when absent. */
  readonly clock?: Clock
  /** Who drives runs; the operating system's user on this machine when absent. */
  readonly operator?: { readonly name: string; readonly machine: string }
  /** Where lines of the log go instead of a file of the data directory, already free of secrets; absent: the file. */
  readonly logTo?: (line: string) => void
  /** Told of each request that is sent to a cloud, for whoever counts them. */
  readonly onRequest?: OnRequest
}

/** The application, as a face gets it. */
export interface App {
  readonly contract: Contract
  readonly log: Logger
  readonly redactor: Redactor
  /** Whether calendars may read the windows, and by which secret; of no face but the one that serves it. */
  readonly calendarFeed: CalendarFeed
  /** What a runner works with. */
  readonly runnerApp: RunnerApp
  /** Leaves every run of this process resumable and closes all sessions. */
  close(): Promise<void>
}

/** The composition root: reads settings, builds the services, hands them to a face; nothing else constructs (architecture). */
export async function createApp(options: AppOptions): Promise<Result<App>> {
  const clock = options.clock ?? systemClock
  const places: FilePlaces = { environment: process.env, home: homedir(), currentDirectory: process.cwd() }
  const thrownAway = options.demo ? await mkdtemp(join(tmpdir(), 'lockkeeper-demo-')) : null
  const directory = openDataDirectory(options.dataDirectory ?? thrownAway, places)
  if (!directory.ok) return directory
  const redactor = createRedactor()
  const log = createFileLogger({
    directory: options.logTo === undefined ? join(directory.value, 'logs') : null,
    ...(options.logTo === undefined ? {} : { console: options.logTo }),
    clock,
    level: process.env.LOCKKEEPER_LOG === 'debug' ? 'debug' : 'info',
    redactor,
  })
  // The clouds of a demo end with this process: their registry and tokens never mix with those of real ones.
  const registered = thrownAway ?? directory.value
  const registry = openRegistry({ directory: registered, clock })
  if (!registry.ok) return registry
  const { key, anchor } = openInstallation(directory.value)
  if (!key.ok) log.warn('nothing is signed: there is no key of this installation', { message: key.failure.message })
  const signer = key.ok ? key.value : null
  const journal = openJournal({ path: join(directory.value, 'journal.db'), clock, anchor })
  if (!journal.ok) return journal
  if (journal.value.readOnly !== null) {
    log.child('journal').warn('the journal is open for reading only', { why: journal.value.readOnly.message })
  }
  const demo = thrownAway === null ? null : await addDemoClusters(join(thrownAway, 'clouds'), registry.value, clock)

  const driver = driverOfThisProcess(options)
  const commands = openCommands({
    dataDirectory: directory.value,
    signer,
    redactor,
    keeper: options.face.commandKeeper ?? null,
    machine: driver.machine,
    boot: driver.bootId,
    isImported: journal.value.care.isImported,
    environment: process.env,
  })
  const secrets = openSignalSecrets(registered, options.face.secrets)
  const signalPorts = openSignalPorts({ secrets, registerSecret: redactor.registerSecret, clock })
  const tokens = openTokenFiles(registered, options.face.secrets)
  const clusters = createClusters({
    ...openConnectors({
      clock,
      log,
      tokens,
      registerSecret: redactor.registerSecret,
      onRequest: options.onRequest,
    }),
    registry: registry.value,
    places,
    describeContexts,
    defaultKubeconfigPaths: () => defaultKubeconfigPaths(places.environment, places.home),
    prometheusOf: signalPorts.prometheusOf,
    accessQuestions: cluster => accessQuestionsOf(cluster),
    commands: commands.port,
    registerSecret: redactor.registerSecret,
    clock,
    log,
  })
  if (options.demo) importHistory(journal.value, process.env.LOCKKEEPER_DEMO_HISTORY, driver, log)
  const liveness = { clock, self: driver, pidAlive, heartbeats: new Map() }
  let emit: Emit = () => {}
  const tail = createJournalTail({
    journal: journal.value,
    clock,
    log: log.child('journal'),
    onEdit: ({ kind }) => {
      if (kind === 'cluster-settings') emit('cluster.changed', {})
    },
    onWindow: ({ id, cluster }) => emit('window.changed', { id, cluster }),
    onEvent: event => {
      emit('run.event', event)
      if (event.body.kind !== 'fact') views.runsChanged()
      signals.received(event)
    },
  })
  const closing = new AbortController()
  const engine = createRunEngine<MaintenanceWorld>({
    journal: journal.value,
    registry: maintenanceSteps,
    lease: nodeLeaseKeeper(driver, undefined, journal.value),
    clocksOf: (world, signal) => world.clocks(signal),
    readingOf: (world, signal) => readCluster(world, clock, signal),
    clock,
    log: log.child('engine'),
    driver,
    liveness,
    newId,
    bind: commands.bind,
    onEvent: tail.wrote,
    onWaiting: (runId, waiting) => {
      if (waiting) emit('run.rested', { runId, state: 'waiting', outcome: null })
    },
  })
  const own = createRunService({
    engine,
    journal: journal.value,
    driver,
    liveness,
    clock,
    onRested: payload => emit('run.rested', payload),
  })
  const refusals = createRefusedHandOvers({
    own,
    journal: journal.value,
    isReported: runId => {
      const found = runs.view(runId)
      return found.ok && found.value.summary.runner !== undefined
    },
    clock,
    log,
  })
  const attached = openAttached({
    directory: registered,
    clusters,
    clock,
    log,
    onEvents: events => {
      for (const event of events) {
        const { runId, body } = event
        // What this console did before it handed the run over was told when it was done.
        if (isReportedBefore(event)) continue
        emit('run.event', event)
        if (body.kind === 'run-taken-over') endTakenOver(event, own, log)
        if (body.kind === 'run-finished') emit('run.rested', { runId, state: body.outcome, outcome: body.outcome })
      }
      views.runsChanged()
    },
    onChanged: place => {
      views.runsChanged()
      emit('runner.changed', place)
    },
    onReceived: refusals.received,
  })
  const runs = withMirrored(own, attached.mirrored, clock)
  const isReportedBefore = reportedBefore({ isOwn: id => journal.value.row(id) !== null, view: runs.view })
  const signals = openSignals({
    journal: journal.value,
    runs: own,
    clusters,
    secrets,
    ports: signalPorts,
    driver,
    version: LOCKKEEPER_VERSION,
    registerSecret: redactor.registerSecret,
    clock,
    log,
    newId,
  })
  const controllers = createControllersHost({
    clock,
    log,
    driver,
    newId,
    onChanged: status => emit('controllers.changed', status),
  })
  const views = createViews({
    open: clusters.open,
    activeRuns: cluster => activeNodeRuns(runs, cluster),
    drainedOnly: cluster => nodesDrainedOnly(runs, cluster),
    hasFailed: runId => hasRunFailed(runs, runId),
    clock,
    onPatch: patch => emit('view.patch', patch),
    onEnded: ended => emit('view.ended', ended),
  })
  const observers = createObservers({
    worlds: clusters,
    observations: journal.value.observations,
    clock,
    log: log.child('observer'),
    emit: (name, payload) => emit(name, payload),
  })
  const settings = { directory: directory.value, log: log.child('settings') }
  const plans = createShownPlans(plan => takeBack(plan, clusters, clock, log.child('plans')))
  const agreedStarts = createAgreedStarts({
    windows: journal.value.windows,
    runs,
    plans,
    clusters,
    worlds: clusters,
    clock,
    log,
    newId,
    onWritten: ({ id, cluster }) => emit('window.changed', { id, cluster }),
    onMissed: (window, { seq, words }) => {
      signals.windowWaits(window, { seq, words })
      emit('window.start-missed', { id: window.id, cluster: window.cluster, title: window.title, why: words })
    },
  })
  const services: ApiServices = {
    signer,
    face: options.face,
    importForeign: wish => importForeign(journal.value.care, options.face.journalReader ?? null, clock, wish),
    installation: { version: LOCKKEEPER_VERSION, demo: options.demo, dataDirectory: directory.value },
    registryFolder: registered,
    preferences: openPreferences(settings),
    queues: openMaintenanceQueues(settings),
    mail: { store: openMailStore(directory.value, options.face.secrets, redactor.registerSecret), send: sendOverSmtp },
    emit: (name, payload) => emit(name, payload),
    edits: journal.value.edits,
    windows: journal.value.windows,
    journal: journal.value,
    onReachChanged: cluster => {
      views.forget(cluster)
      observers.forget(cluster)
    },
    onInstancesTouched: views.readInstances,
    clusters,
    secrets,
    signals,
    commands: commands.port,
    runs,
    plans,
    agreedStarts,
    attached,
    settleHandOvers: runId => refusals.settle(runId, attached.worldOf),
    controllers,
    worlds: clusters,
    clock,
    log,
    newId,
  }
  const refusalOf = (name: RequestName) => (requests[name].effect === 'journaled' ? journal.value.readOnly : null)
  const router = createRouter(
    emitter => {
      emit = emitter
      return handlersOver(services, { views, observers })
    },
    clock,
    log.child('api'),
    refusalOf,
  )
  router.contract.listen('run.event', event => leaveQueue(event, services))
  const following = tail.follow(closing.signal)
  // A command of the terminal ends soon: one that waits for a window asks for it by itself.
  if (options.face.kind !== 'terminal') void agreedStarts.attendAll(closing.signal)
  return ok({
    contract: router.contract,
    log,
    redactor,
    runnerApp: {
      driver,
      contract: router.contract,
      runs,
      journal: journal.value,
      keepPlan: services.plans.keep,
      leave: runs.leave,
      takeOver: given =>
        takeOverRun(given, {
          journal: journal.value,
          driver,
          clock,
          knowsWindow: id => journal.value.windows.idsBeginningWith(id).includes(id),
          onEvent: tail.wrote,
        }),
      estimate: createPlanEstimate(services),
      remake: createPlanRemaker(services),
      as: who => {
        const own = { ...services, runs: runsAs(runs, who) }
        return createRouter(() => handlersOver(own, { views, observers }), clock, log.child('api'), refusalOf).contract
          .ask
      },
    },
    calendarFeed: openCalendarFeed(directory.value),
    close: async () => {
      agreedStarts.close()
      await attached.close()
      await Promise.all([runs.leaveAll(), controllers.closeAll(), services.plans.close()])
      closing.abort()
      await following
      await signals.close()
      await views.close()
      await observers.close()
      clusters.closeAll()
      journal.value.close()
      await demo?.stop()
      log.close()
      if (thrownAway !== null) await rm(thrownAway, { recursive: true, force: true })
    },
  })
}

/** The answers to every request of the contract. */
function handlersOver(
  services: ApiServices,
  {
    views,
    observers,
  }: { readonly views: ReturnType<typeof createViews>; readonly observers: ReturnType<typeof createObservers> },
): Handlers {
  return {
    ...clusterHandlers(services),
    ...controllerHandlers(services),
    ...definitionHandlers(services),
    ...maintenanceObjectHandlers(services),
    ...removeRequestHandler(services),
    ...observeHandlers(observers),
    ...updateHandlers(services, observers),
    ...consoleHandlers(services),
    ...editHandlers(services),
    ...nodeDetailHandlers(services),
    ...nodeHandlers(services),
    ...runHandlers(services),
    ...windowHandlers(services),
    ...batchesHandlers(services),
    ...estimateHandlers(services),
    ...mailHandlers(services),
    ...reportHandlers(services),
    ...historyHandlers(services),
    ...journalHandlers(services),
    ...signalHandlers(services),
    ...runnerHandlers(services),
    ...campaignHandlers(services),
    ...viewHandlers(views),
  }
}

/** The demo opens with what was played on its clouds before (bin/play-demo-history.ts). Without it the demo works all the same. */
function importHistory(journal: Journal, file: string | undefined, by: ProcessOfDriver, log: Logger): void {
  if (file === undefined || file === '') return
  const taken = journal.care.importFrom({ file, by })
  if (!taken.ok) log.warn('the demo begins without a history', { message: taken.failure.message })
}

/** Short enough to type, long enough never to meet again: 10 letters and digits. */
function newId(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .slice(-10)
    .padStart(10, '0')
}

/** Takes back what was made elsewhere for a plan that will not be a run; what could not be is for whoever reads the log. */
async function takeBack(plan: Plan, worlds: Pick<Clusters, 'open'>, clock: Clock, log: Logger): Promise<void> {
  const watcherOf = async (cluster: string) => {
    const connected = await worlds.open(cluster)
    return connected.ok ? ok(connected.value.world.watcher) : connected
  }
  try {
    for (const failure of await takeBackRecommendations(plan, { watcherOf, clock })) {
      log.warn('a recommendation of Watcher could not be cancelled', { why: failure.message })
    }
  } catch (error) {
    // A fault of ours: the console ends all the same, and its journal is closed.
    log.error('recommendations could not be taken back', { error })
  }
}
