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
import type { Runner } from '../runner.ts'
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

interface Application {
  readonly contract: Contract
  readonly log: Logger
  readonly redactor: Redactor
  readonly runnerApp: RunnerApp
  close(): Promise<void>
}

type CreateApp = (options: {
  readonly dataDirectory: string
  readonly demo: false
  readonly face: Face
  readonly operator: { readonly name: string; readonly machine: string }
  readonly logTo: (line: string) => void
  readonly onRequest: OnRequest
}) => Promise<Result<Application>>

/** What the process serves besides the runner, such as the attach of consoles. */
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
 * Builds the application, takes the data directory and starts the runner. `openBeside` opens what else this process serves (the attach of consoles); it is
 * stopped before the application is closed.
 */
export async function startRunner(
  request: RunnerProcessRequest,
  createApp: CreateApp,
  openBeside: (app: Application) => Promise<Result<Beside | null>> = async () => ok(null),
): Promise<Result<RunnerProcess>> {
  const requests = { received: (_system: 'kubernetes' | 'openstack') => {} }
  const made = await createApp({
    dataDirectory: request.dataDirectory,
    demo: false,
    face: { kind: 'runner', pickFiles: null, secrets: null },
    operator: { name: OPERATOR, machine: request.pod.name ?? hostname() },
    logTo: request.writeLine,
    onRequest: system => requests.received(system),
  })
  if (!made.ok) return made
  const app = made.value
  /** In the order in which the parts are closed. */
  const closing: (() => Promise<void> | void)[] = [() => app.close()]
  const close = async () => {
    for (const each of closing) await each()
  }
  const started = await startIn(app, request, requests, openBeside, closing)
  if (!started.ok) {
    await close()
    return started
  }
  const { runner, port } = started.value
  const ending = new AbortController()
  app.log.info('the runner is started', {
    namespace: request.namespace,
    shard: `${request.shard.index}/${request.shard.of}`,
    port,
  })
  const ended = runner.run(ending.signal).finally(async () => {
    app.log.info('the runner has ended')
    await close()
  })
  return ok({ app, port, ended, stop: () => ending.abort() })
}

/** Opens the runner, its health server and what else the process serves; `closing` gets what closes them, also after a failure. */
async function startIn(
  app: Application,
  request: RunnerProcessRequest,
  requests: { received: OnRequest },
  openBeside: (app: Application) => Promise<Result<Beside | null>>,
  closing: (() => Promise<void> | void)[],
): Promise<Result<{ readonly runner: Runner; readonly port: number }>> {
  const { runnerApp, redactor, log } = app
  const folder = takeRunnerFolder(request.dataDirectory)
  if (!folder.ok) return folder
  closing.push(() => folder.value.release())
  const opened = await openRunner(request, {
    journalId: folder.value.journalId,
    runnerApp,
    registerSecret: redactor.registerSecret,
    onRequest: system => requests.received(system),
    clock: systemClock,
    log,
  })
  if (!opened.ok) return opened
  const { runner } = opened.value
  closing.unshift(() => opened.value.close())
  const metrics = createRunnerMetrics(runner.status)
  requests.received = metrics.asked
  app.contract.listen('run.event', metrics.received)
  const wasReadOnly = runnerApp.journal.readOnly !== null
  const health = await serveHealth(request.port, {
    notLive: () => whyNotLive(runner, wasReadOnly, request.dataDirectory),
    notReady: () => runner.status().notReady.map(({ message }) => message),
    metrics,
  })
  if (!health.ok) return health
  closing.unshift(() => health.value.stop())
  const beside = await openBeside(app)
  if (!beside.ok) return beside
  if (beside.value !== null) closing.unshift(() => beside.value?.stop())
  return ok({ runner, port: health.value.port })
}

function whyNotLive(runner: Runner, wasReadOnly: boolean, dataDirectory: string): readonly string[] {
  const stillMs = systemClock.monotonicMs() - runner.status().lastRoundMs
  return [
    ...(stillMs > STALLED_AFTER_MS ? ['The loop of the runner is stuck.'] : []),
    // The cause for opening the journal read-only may be gone; only a new process opens it for writing.
    ...(wasReadOnly && isWritable(dataDirectory) ? ['The journal was opened read-only, but can be written now.'] : []),
  ]
}
