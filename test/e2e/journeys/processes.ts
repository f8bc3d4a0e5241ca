import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { RoleMaintenanceSettings } from '../../../shared/domain/role-maintenance.ts'

const LOCKKEEPER = resolve(import.meta.dirname, '../../../bin/lockkeeper')
const NODE = resolve(import.meta.dirname, '../../../node_modules/.bin/node')

/** The embedded clouds in a separate process, so that they survive a killed console. */
export interface Clouds {
  readonly clusters: readonly {
    readonly name: string
    readonly kubeconfigPath: string
    readonly context: string
    readonly cloudsYamlPath: string
    readonly cloud: string
    readonly flavour: 'plain' | 'mosk' | 'sunbeam'
    readonly roleMaintenance: RoleMaintenanceSettings
  }[]
  stop(): Promise<void>
}

/** A served console with its own data directory. */
export interface Console {
  /** Lets one browser in, once. */
  readonly url: string
  readonly port: number
  /** Ends it like a crash, without a message to anybody. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Starts all embedded clouds, `speed` times as fast as real ones; `updating`: the LCM of demo-mosk begins at once. */
export async function startClouds(speed: number, updating = false): Promise<Clouds> {
  const program = join(import.meta.dirname, 'clouds-process.ts')
  const process = spawn(NODE, ['--disable-warning=ExperimentalWarning', program, String(speed), String(updating)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const reported = (await firstJson(process)) as Pick<Clouds, 'clusters'>
  return { clusters: reported.clusters, stop: () => end(process, 'SIGTERM') }
}

/** Serves a console; with a port, on that one. */
export async function startConsole(dataDirectory: string, port: number): Promise<Console> {
  const process = start(['serve', '--no-open', '-o', 'json', '--data-dir', dataDirectory, '--port', String(port)])
  return consoleOf(process, await firstJson(process))
}

function consoleOf(process: ChildProcess, reported: unknown): Console {
  const address = reported as { readonly url: string; readonly port: number }
  return { ...address, kill: () => end(process, 'SIGKILL'), stop: () => end(process, 'SIGTERM') }
}

/** Serves a demo with its own clouds; `more`: words such as `--trouble stuck`; `history`: a file of runs played before, or nothing. */
export async function startDemo(
  dataDirectory: string,
  port: number,
  more: readonly string[],
  history: string,
): Promise<Console> {
  const place = ['--data-dir', dataDirectory, '--port', String(port)]
  const process = start(['serve', '--demo', '--no-open', '-o', 'json', ...place, ...more], {
    LOCKKEEPER_DEMO_HISTORY: history,
  })
  return consoleOf(process, await firstJson(process))
}

/** A folder that is gone afterwards. */
export async function freshFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'lockkeeper-journey-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

function start(words: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
  // A console of a test opens no browser and asks nobody.
  return spawn(LOCKKEEPER, words, { env: { ...process.env, ...more, DISPLAY: '' }, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The first whole JSON value that a process prints; its last words when it ends before. */
function firstJson(process: ChildProcess): Promise<unknown> {
  return new Promise((done, fail) => {
    let out = ''
    let err = ''
    process.stderr?.on('data', (piece: Buffer) => {
      err += String(piece)
    })
    process.stdout?.on('data', (piece: Buffer) => {
      out += String(piece)
      try {
        done(JSON.parse(out))
      } catch {
        // Not whole yet.
      }
    })
    process.once('exit', code => fail(new Error(`ended with ${code} before it printed its address: ${err}`)))
  })
}

/** Ends a process that this file started, and waits until it is gone. */
async function end(process: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const gone = new Promise<void>(done => process.once('exit', () => done()))
  process.kill(signal)
  const patience = setTimeout(() => process.kill('SIGKILL'), 15_000)
  await gone
  clearTimeout(patience)
}
