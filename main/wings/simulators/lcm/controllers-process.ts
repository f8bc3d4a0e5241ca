import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MaintenanceApiSettings } from '../../../../shared/domain/maintenance-api.ts'
import type { Clock } from '../../../platform/clock/clock.ts'

/** The cluster that the controllers work on, and their applications. */
interface ControllersOf {
  readonly name: string
  readonly kubeconfigPath: string
  readonly context: string
  readonly cloudsYamlPath: string
  readonly cloud: string
  readonly controllers: readonly string[]
  readonly maintenanceApi: Pick<MaintenanceApiSettings, 'computeMax'>
}

/** A process with application controllers that is restarted until stopped. */
export interface ControllersProcess {
  /** The process id; null between two processes. */
  readonly pid: () => number | null
  readonly logPath: string
  stop(): Promise<void>
}

/** A short command on the demo ends earlier, and so does not wait for two more processes. */
const START_AFTER_MS = 1_500
/** Delay of a restart; it doubles while the process ends at once. */
const START_AGAIN_MS = 1_000
const START_AGAIN_AT_MOST_MS = 30_000

/** Ends the command when standard input closes, so that it never outlives this process. `cat` waits for that; the command reads no input. */
const ENDS_WITH_STDIN =
  'exec 3<&0; "$@" </dev/null 3<&- & pid=$!; (cat <&3 >/dev/null; kill "$pid" 2>/dev/null) & exec 3<&-; wait "$pid"'

/** Returns the terminal program of this installation; null in the packaged desktop app and on Windows, which has no shell for it. */
export function terminalFace(): string | null {
  if (process.platform === 'win32') return null
  let folder = import.meta.dirname
  for (let level = 0; level < 5; level += 1) {
    const found = join(folder, 'bin', 'lockkeeper')
    if (existsSync(found)) return found
    folder = dirname(folder)
  }
  return null
}

/** Runs `lockkeeper controllers run` with its own data directory, so the console sees the controllers of another process, as on a real cluster. */
export function startControllersProcess(
  clock: Clock,
  face: string,
  cluster: ControllersOf,
  directory: string,
): ControllersProcess {
  const logPath = join(directory, 'controllers.log')
  const stopping = new AbortController()
  let child: ChildProcess | null = null

  async function run(words: readonly string[]): Promise<number> {
    const log = await open(logPath, 'a', 0o600)
    try {
      const command = [face, ...words, '--data-dir', join(directory, 'data')]
      const started = spawn('/bin/sh', ['-c', ENDS_WITH_STDIN, 'sh', ...command], {
        // Its own process group: Ctrl-C goes to the console, which then stops this process.
        detached: true,
        stdio: ['pipe', log.fd, log.fd],
      })
      child = started
      const end = () => started.stdin?.end()
      started.stdin?.on('error', () => {})
      stopping.signal.addEventListener('abort', end, { once: true })
      if (stopping.signal.aborted) end()
      const code = await new Promise<number>(resolve => {
        started.once('error', () => resolve(-1))
        started.once('exit', exitCode => resolve(exitCode ?? -1))
      })
      stopping.signal.removeEventListener('abort', end)
      end()
      return code
    } finally {
      child = null
      await log.close()
    }
  }

  async function keep(): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await clock.sleep(START_AFTER_MS, stopping.signal)
    let isKnown = false
    let pauseMs = START_AGAIN_MS
    while (!stopping.signal.aborted) {
      const startedAt = clock.now()
      if (!isKnown) isKnown = (await run(addWords(cluster))) === 0
      if (isKnown && !stopping.signal.aborted) await run(['controllers', 'run', cluster.name])
      const lasted = clock.now() - startedAt >= START_AGAIN_AT_MOST_MS
      pauseMs = lasted ? START_AGAIN_MS : Math.min(pauseMs * 2, START_AGAIN_AT_MOST_MS)
      await clock.sleep(pauseMs, stopping.signal)
    }
  }

  const kept = keep()
  return {
    pid: () => child?.pid ?? null,
    logPath,
    stop: async () => {
      stopping.abort()
      await kept
    },
  }
}

function addWords(cluster: ControllersOf): readonly string[] {
  const { name, kubeconfigPath, context, cloudsYamlPath, cloud, controllers, maintenanceApi } = cluster
  const { computeMax } = maintenanceApi
  return [
    ...['cluster', 'add', name, '--flavour', 'mosk', '--kubeconfig', kubeconfigPath, '--context', context],
    ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud],
    ...controllers.flatMap(controller => ['--controller', `${controller}=console`]),
    ...(computeMax === null ? [] : ['--compute-max', String(computeMax)]),
  ]
}
