import { createServer } from 'node:http'
import type { Contract } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { answerPage } from './answer-page.ts'
import type { CalendarAnswer } from './calendar-answer.ts'
import { createTabAccess } from './door.ts'
import { createGuard, HTTP_LIMITS, listenGuarded } from './guard.ts'
import { createRefusalLog } from './refusal-log.ts'
import { createReportPages } from './report-pages.ts'
import { createSocketFace } from './socket-face.ts'

interface ServeOptions {
  readonly contract: Contract
  /** The folder of the built renderer. */
  readonly directory: string
  /** 0: any free port. */
  readonly port: number
  /** Further names that a browser may use, such as the local end of an SSH tunnel: `localhost:9000`. */
  readonly alsoCalled: readonly string[]
  /** Answers a calendar with the secret of the feed; absent if it answers none. */
  readonly calendar?: (secret: string) => Promise<CalendarAnswer>
  readonly log: Logger
}

export interface ServedConsole {
  readonly port: number
  /** A new address that works once, for one tab, within ten minutes. */
  freshAddress(): string
  stop(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Serves the console on loopback; no other machine and no other page can reach it. */
export async function serveConsole(options: ServeOptions): Promise<Result<ServedConsole>> {
  const { contract, directory, calendar = noCalendar, log } = options
  const http = createServer(HTTP_LIMITS)
  const listening = await new Promise<Result<number>>(resolve => {
    http.once('error', (error: NodeJS.ErrnoException) => resolve(failed(portFailure(options.port, error.code))))
    http.listen(options.port, LOOPBACK, () => {
      const address = http.address()
      resolve(ok(typeof address === 'object' && address !== null ? address.port : options.port))
    })
  })
  if (!listening.ok) return listening
  const port = listening.value
  const door = createTabAccess(() => performance.now())
  const hosts = new Set([
    `${LOOPBACK}:${port}`,
    `localhost:${port}`,
    ...options.alsoCalled.map(name => name.toLowerCase()),
  ])
  const onRefused = createRefusalLog(log, () => Date.now())
  const guard = createGuard(log)
  const reports = createReportPages(contract, () => performance.now())
  const sockets = createSocketFace({ contract, door, hosts, log, guard, onRefused })
  listenGuarded(http, guard, {
    request: (request, response) =>
      answerPage(request, response, { contract, directory, door, hosts, calendar, reports, onRefused }),
    upgrade: sockets.upgrade,
  })
  // Such as EMFILE during accept: the connection is lost, the console continues.
  http.on('error', error => log.error('a connection could not be taken', { error }))
  log.info('the console is served', { port })
  return ok({
    port,
    freshAddress: () => `http://${LOOPBACK}:${port}/enter?token=${door.mint()}`,
    stop: async () => {
      await sockets.stop()
      http.closeAllConnections()
      await new Promise<void>(resolve => http.close(() => resolve()))
    },
  })
}

async function noCalendar(): Promise<CalendarAnswer> {
  return { kind: 'refused' }
}

function portFailure(port: number, code: string | undefined) {
  return failure(
    'conflict',
    code === 'EADDRINUSE'
      ? `Port ${port} is in use. Choose another with --port, or omit --port for a free one.`
      : code === 'EACCES'
        ? `You have no permission to open port ${port}. Choose one from 1024 on with --port, or omit --port.`
        : `The console could not listen on ${LOOPBACK}, port ${port}: ${code ?? 'unknown reason'}.`,
    { target: `port/${port}` },
  )
}
