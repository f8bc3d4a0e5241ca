import { rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Contract } from '../../../../shared/contract/index.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { Face } from '../../../api/face.ts'
import type { OnRequest } from '../../../clusters/session-ports.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { Redactor } from '../../../platform/log/redact.ts'
import type { RunnerApp } from '../runner-app.ts'
import { serveHealth } from './health-server.ts'
import { openRunner, type RunnerRequest, takeRunnerFolder } from './open-runner.ts'
import { createRunnerMetrics } from './runner-metrics.ts'

interface RunnerProcessRequest extends RunnerRequest {
  /** The port of health and metrics; 0: any free port. */
  readonly port: number
  /** Writes the log lines, without secrets, to the standard output of the pod. */
  readonly writeLine: (line: string) => void
}

/** The application that a runner works with. */
interface Application {
  readonly contract: Contract
  readonly log: Logger
  readonly redactor: Redactor
  readonly runnerApp: RunnerApp
  close(): Promise<void>
}

/** Builds the application (main/app.ts). */
type CreateApp = (options: {
  readonly dataDirectory: string
  readonly demo: false
  readonly face: Face
  readonly operator: { readonly name: string; readonly machine: string }
  readonly logTo: (line: string) => void
  readonly onRequest: OnRequest
}) => Promise<Result<Application>>

/** Something that goes on beside the runner in its process, such as what consoles attach to. */
interface Beside {
  stop(): Promise<void>
}

interface RunnerProcess {
  readonly app: Application
  readonly port: number
  /** Resolves after an orderly end: runs can be resumed, their statuses say so, and Leases are released. */
  readonly ended: Promise<void>
  stop(): void
}

function isWritable(folder: string): boolean {
  const path = join(folder, '.writable')
  try {
    writeFileSync(path, 'x', { mode: 0o600 })
    rmSync(path, { force: true })
    return true
  } catch {
    return false
  }
}

/** Without a round of its loop for this long, the runner counts as dead. */
const STALLED_AFTER_MS = 120_000
/** The operator's name in the journal and on Leases when nobody requested the work. */
const OPERATOR = 'lockkeeper-runner'

/**
 * Builds the application, takes the data directory and starts the runner. `openBeside` is where this process opens what else it serves (the attach of
 * consoles): it gets the application, and is stopped before it is closed.
 */
export async function startRunner(
  request: RunnerProcessRequest,
  createApp: CreateApp,
  openBeside: (app: Application) => Promise<Result<Beside | null>> = async () => ok(null),
): Promise<Result<RunnerProcess>> {
  const { pod, dataDirectory } = request
  const requests = { received: (_system: 'kubernetes' | 'openstack') => {} }
  const onRequest = (system: 'kubernetes' | 'openstack') => requests.received(system)
  const made = await createApp({
    dataDirectory,
    demo: false,
    face: { kind: 'runner', pickFiles: null, secrets: null },
    operator: { name: OPERATOR, machine: pod.name ?? hostname() },
    logTo: request.writeLine,
    onRequest,
  })
  if (!made.ok) return made
  const app = made.value
  const { log, runnerApp, redactor } = app
  const folder = takeRunnerFolder(dataDirectory)
  if (!folder.ok) {
    await app.close()
    return folder
  }
  const closing: (() => Promise<void> | void)[] = [() => app.close(), () => folder.value.release()]
  const close = async () => {
    for (const each of closing) await each()
  }
  const opened = await openRunner(request, {
    journalId: folder.value.journalId,
    runnerApp,
    registerSecret: redactor.registerSecret,
    onRequest,
    clock: systemClock,
    log,
  })
  if (!opened.ok) {
    await close()
    return opened
  }
  const { runner } = opened.value
  closing.unshift(() => opened.value.close())
  const metrics = createRunnerMetrics(runner.status)
  requests.received = metrics.asked
  app.contract.listen('run.event', metrics.received)
  const wasReadOnly = runnerApp.journal.readOnly !== null
  const health = await serveHealth(request.port, {
    notLive: () => {
      const still = systemClock.monotonicMs() - runner.status().lastRoundMs
      return [
        ...(still > STALLED_AFTER_MS ? ['The loop of the runner is stuck.'] : []),
        // The cause for opening the journal read-only may be gone; only a new process opens it for writing.
        ...(wasReadOnly && isWritable(dataDirectory)
          ? ['The journal was opened read-only, but can be written now.']
          : []),
      ]
    },
    notReady: () => runner.status().notReady.map(({ message }) => message),
    metrics,
  })
  if (!health.ok) {
    await close()
    return health
  }
  closing.unshift(() => health.value.stop())
  const beside = await openBeside(app)
  if (!beside.ok) {
    await close()
    return beside
  }
  if (beside.value !== null) closing.unshift(() => beside.value?.stop())
  const ending = new AbortController()
  log.info('the runner is started', {
    namespace: request.namespace,
    shard: `${request.shard.index}/${request.shard.of}`,
    port: health.value.port,
  })
  const ended = runner.run(ending.signal).finally(async () => {
    log.info('the runner has ended')
    await close()
  })
  return ok({ app, port: health.value.port, ended, stop: () => ending.abort() })
}
