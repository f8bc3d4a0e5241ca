import type { Face } from '../../api/face.ts'
import { ownProgram } from '../../faces/cli/own-program.ts'
import type { CliProcess, OutputChannel, StopSignal } from '../../faces/cli/process-io.ts'
import { readLineFrom } from '../../faces/cli/read-line.ts'
import type { CrashReporter } from '../../faces/cli/report-crashes.ts'
import { KEEP, READ_JOURNAL } from '../../faces/cli/run-cli.ts'
import { systemClock } from '../../platform/clock/clock.ts'

const FACE: Face = {
  kind: 'terminal',
  pickFiles: null,
  secrets: null,
  commandKeeper: ownProgram(KEEP),
  journalReader: ownProgram(READ_JOURNAL),
  printPdf: async html => (await import('../../platform/print/machine-printer.ts')).machinePrinter()(html),
}

/** The real process, its terminal and its signals. Crashes go to the application's log once it is open. */
export function processSurroundings(crashes: CrashReporter): CliProcess {
  return {
    env: process.env,
    workDirectory: process.cwd(),
    out: channel(process.stdout),
    err: channel(process.stderr),
    clock: systemClock,
    clockChoice: 'local',
    canAsk: process.stdin.isTTY === true,
    readLine: signal => readLineFrom(process.stdin, signal),
    onStopSignal,
    temporaryFolder: async () => {
      const [{ mkdtemp, rm }, { tmpdir }, { join }] = await Promise.all([
        import('node:fs/promises'),
        import('node:os'),
        import('node:path'),
      ])
      const path = await mkdtemp(join(tmpdir(), 'lockkeeper-'))
      return { path, remove: () => rm(path, { recursive: true, force: true }) }
    },
    openApp: async options => {
      const app = await (await import('../../app.ts')).createApp({ ...options, face: FACE })
      if (app.ok) crashes.know(app.value)
      return app
    },
    openReading: async options => {
      const app = await (await import('../reading-app.ts')).createReadingApp({ ...options, face: FACE })
      if (app.ok) crashes.know(app.value)
      return app
    },
    startDemoClouds: async (
      directory,
      { release, play, troubles, masakari, tungstenFabric, update, jujuInCluster, ...machines },
    ) =>
      (await import('../../wings/simulators/door.ts')).startDemoClouds({
        clock: systemClock,
        directory,
        release,
        play,
        troubles,
        edge: true,
        masakari,
        mosk: { tungstenFabric, controllers: true, lcm: update ? 'commenced' : 'waits' },
        sunbeam: {
          ...(jujuInCluster ? { jujuControllerOn: 'sun-3' } : {}),
          ...(machines.computeOnly ? { computeOnly: true } : {}),
          ...(machines.storageOnly ? { storageOnly: true } : {}),
        },
      }),
    examine: async request => {
      const [{ examineHere }, { hasPage }] = await Promise.all([
        import('../doctor.ts'),
        import('../../faces/cli/page-directory.ts'),
      ])
      return examineHere({ ...request, hasPage: hasPage() })
    },
    serveConsole: async request => (await import('./serve-process.ts')).serveProcess(request, crashes),
    copyForeign: async (file, to) => (await import('../../journal/copy-foreign.ts')).copyForeign(file, to),
    keepCommand: async place => (await import('../../adapters/commands/keep-command.ts')).keepCommand(place),
    pid: process.pid,
  }
}

/** A standard stream. If its reader is gone (`lockkeeper nodes lab | head`), writing stops, but never a run. */
function channel(stream: NodeJS.WriteStream): OutputChannel {
  let broken = false
  stream.on('error', () => {
    broken = true
  })
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80
    },
    get rows() {
      return stream.rows ?? 24
    },
    write: text => {
      if (!broken) stream.write(text)
    },
  }
}

function onStopSignal(onSignal: (signal: StopSignal) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
