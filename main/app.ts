import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type Contract, requests } from '../shared/contract/index.ts'
import type { Plan } from '../shared/domain/plan.ts'
import { ok, type Result } from '../shared/domain/result.ts'
import { demoVersion, type ProcessOfDriver } from '../shared/domain/run.ts'
import { describeContexts } from './adapters/kubernetes/describe-contexts.ts'
import { defaultKubeconfigPaths } from './adapters/kubernetes/kubeconfig.ts'
import { batchesHandlers } from './api/batches.ts'
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
import { maintenanceObjectHandlers } from './api/maintenance-objects.ts'
import { nodeDetailHandlers } from './api/node-detail.ts'
import { nodeHandlers } from './api/nodes.ts'
import { observeHandlers } from './api/observe.ts'
import { createObservers } from './api/observers.ts'
import { removeRequestHandler } from './api/remove-request.ts'
import { reportHandlers } from './api/reports.ts'
import { runHandlers } from './api/runs.ts'
import { createRouter, type Emit } from './api/serve.ts'
import type { ApiServices } from './api/services.ts'
import { updateHandlers } from './api/updates.ts'
import { viewHandlers } from './api/views.ts'
import { windowHandlers } from './api/windows.ts'
import { type Clock, systemClock } from './clock/clock.ts'
import { type Clusters, createClusters } from './clusters/clusters.ts'
import { openDataDirectory } from './clusters/data-directory.ts'
import type { FilePlaces } from './clusters/file-places.ts'
import { openRegistry } from './clusters/registry.ts'
import { openTokenFiles } from './clusters/token-files.ts'
import { openConnectors } from './compose/connectors.ts'
import { addDemoClusters } from './compose/demo-clusters.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { createJournalTail } from './journal/journal-tail.ts'
import { createControllersHost } from './lcm/controllers/controllers-host.ts'
import { createFileLogger } from './log/file-logger.ts'
import type { Logger } from './log/logger.ts'
import { createRedactor, type Redactor } from './log/redact.ts'
import type { MaintenanceWorld } from './ports/world.ts'
import { accessQuestionsOf } from './procedures/steps/general/access-questions.ts'
import { nodeLeaseKeeper } from './procedures/steps/general/node-lease.ts'
import { maintenanceSteps } from './procedures/steps/registry.ts'
import { takeBackRecommendations } from './procedures/steps/watcher/take-back-recommendations.ts'
import { readCluster } from './reading/cluster-reading.ts'
import { activeNodeRuns, hasRunFailed } from './runs/active-runs.ts'
import { createRunEngine } from './runs/engine/run-engine.ts'
import { createRunService } from './runs/run-service.ts'
import { createShownPlans } from './runs/shown-plans.ts'
import { openInstallation } from './settings/head-anchor.ts'
import { openMaintenanceQueues } from './settings/maintenance-queues.ts'
import { openPreferences } from './settings/preferences.ts'
import { LOCKKEEPER_VERSION } from './version.ts'
import { createViews } from './view/views.ts'

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
}

/** The application, as a face gets it. */
export interface App {
  readonly contract: Contract
  readonly log: Logger
  readonly redactor: Redactor
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
    directory: join(directory.value, 'logs'),
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

  const tokens = openTokenFiles(registered, options.face.secrets)
  const clusters = createClusters({
    ...openConnectors({ clock, log, tokens, registerSecret: redactor.registerSecret }),
    registry: registry.value,
    places,
    describeContexts,
    defaultKubeconfigPaths: () => defaultKubeconfigPaths(places.environment, places.home),
    accessQuestions: cluster => accessQuestionsOf(cluster),
    registerSecret: redactor.registerSecret,
    clock,
    log,
  })
  const driver = driverOfThisProcess(options)
  if (options.demo) takeOverHistory(journal.value, process.env.LOCKKEEPER_DEMO_HISTORY, driver, log)
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
    onEvent: tail.wrote,
    onWaiting: (runId, waiting) => {
      if (waiting) emit('run.rested', { runId, state: 'waiting', outcome: null })
    },
  })
  const runs = createRunService({
    engine,
    journal: journal.value,
    driver,
    liveness,
    clock,
    onRested: payload => emit('run.rested', payload),
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
  const services: ApiServices = {
    signer,
    face: options.face,
    installation: { version: LOCKKEEPER_VERSION, demo: options.demo, dataDirectory: directory.value },
    registryFolder: registered,
    preferences: openPreferences(settings),
    queues: openMaintenanceQueues(settings),
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
    runs,
    plans: createShownPlans(plan => takeBack(plan, clusters, clock, log.child('plans'))),
    controllers,
    worlds: clusters,
    clock,
    log,
    newId,
  }
  const router = createRouter(
    emitter => {
      emit = emitter
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
        ...reportHandlers(services),
        ...historyHandlers(services),
        ...journalHandlers(services),
        ...viewHandlers(views),
      }
    },
    clock,
    log.child('api'),
    name => (requests[name].effect === 'journaled' ? journal.value.readOnly : null),
  )
  router.contract.listen('run.event', event => leaveQueue(event, services))
  const following = tail.follow(closing.signal)
  return ok({
    contract: router.contract,
    log,
    redactor,
    close: async () => {
      await Promise.all([runs.leaveAll(), controllers.closeAll(), services.plans.close()])
      closing.abort()
      await following
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

/** The demo opens with what was played on its clouds before (bin/play-demo-history.ts). Without it the demo works all the same. */
function takeOverHistory(journal: Journal, file: string | undefined, by: ProcessOfDriver, log: Logger): void {
  if (file === undefined || file === '') return
  const taken = journal.care.takeOver({ file, by })
  if (!taken.ok) log.warn('the demo begins without a history', { message: taken.failure.message })
}

function driverOfThisProcess({ demo, operator }: Pick<AppOptions, 'demo' | 'operator'>): ProcessOfDriver {
  return {
    operator: operator?.name ?? operatorName(),
    machine: operator?.machine ?? hostname(),
    version: demo ? demoVersion(LOCKKEEPER_VERSION) : LOCKKEEPER_VERSION,
    pid: process.pid,
    id: randomUUID(),
    bootId: bootId(),
  }
}

/** The boot of this machine and, as containers count their processes themselves, the pid namespace; null where neither is told. */
function bootId(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** The operating-system user; a container's user may have no name. */
function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Short enough to type, long enough never to meet again: 10 letters and digits. */
function newId(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .slice(-10)
    .padStart(10, '0')
}

/** Whether a process of this machine lives; one that may not be signalled lives too. */
function pidAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
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
