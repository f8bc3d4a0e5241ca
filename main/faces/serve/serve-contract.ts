import { createServer } from 'node:http'
import type { Contract } from '../../../shared/contract/index.ts'
import { PROGRAM_PATH, PROGRAM_PORT, PROGRAM_PROTOCOL, PROGRAM_REQUESTS } from '../../../shared/contract/program.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { createContractTalk } from './contract-talk.ts'
import { createGuard, HTTP_LIMITS, hangUp, listenGuarded } from './guard.ts'
import { createRefusalLog } from './refusal-log.ts'
import { addressOf, type Refusal } from './sender.ts'

/** A contract for programs on loopback. */
export interface ServedContract {
  readonly port: number
  stop(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
const MOST_PROGRAMS = 64

/**
 * Serves what a program may read from a runner (shared/contract/program.ts) on loopback. In a pod the API server's port-forward leads there,
 * and everyone who may open it has access. Read-only: actions are objects of the cluster, so that the API server proves their author. Refuses
 * browsers, even through somebody's `kubectl port-forward`.
 */
export async function serveContract(options: {
  readonly contract: Contract
  /** 0: any free port. */
  readonly port?: number
  readonly log: Logger
}): Promise<Result<ServedContract>> {
  const log = options.log.child('attach')
  const http = createServer(HTTP_LIMITS)
  const asked = options.port ?? PROGRAM_PORT
  const listening = await new Promise<Result<number>>(resolve => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        failed(
          refusal('conflict', because('AttachPortNotOpened', { port: asked, error: error.code ?? null }), {
            target: `port/${asked}`,
          }),
        ),
      ),
    )
    http.listen(asked, LOOPBACK, () => {
      const address = http.address()
      resolve(ok(typeof address === 'object' && address !== null ? address.port : asked))
    })
  })
  if (!listening.ok) return listening
  const onRefused = createRefusalLog(log, () => Date.now())
  const guard = createGuard(log)
  const talk = createContractTalk({
    contract: readingOnly(options.contract),
    log,
    guard,
    peer: 'program',
    protocol: PROGRAM_PROTOCOL,
    mostPeers: MOST_PROGRAMS,
    isStillIn: () => true,
  })
  listenGuarded(http, guard, {
    request: (_, response) => {
      response.writeHead(426, { connection: 'close', 'content-type': 'text/plain; charset=utf-8' })
      response.end('This is a Lockkeeper runner for consoles to attach. It has no page.\n')
    },
    upgrade: (request, socket, head) => {
      const refuse = (refusal: Refusal, status: number) => {
        onRefused(refusal)
        hangUp(socket, status)
      }
      const address = addressOf(request)
      if (address === null) return refuse('malformed', 400)
      // Every browser sends such headers; programs do not.
      if (isOfBrowser(request.headers)) return refuse('foreign-origin', 403)
      if (address.pathname !== PROGRAM_PATH) return hangUp(socket, 404)
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim())
      if (!offered.includes(PROGRAM_PROTOCOL)) return refuse('malformed', 400)
      if (talk.isFull()) return refuse('too-many', 503)
      talk.begin(request, socket, head, () => {})
    },
  })
  http.on('error', error => log.error('a connection could not be taken', { error }))
  log.info('consoles may attach', { port: listening.value })
  return ok({
    port: listening.value,
    stop: async () => {
      await talk.stop()
      http.closeAllConnections()
      await new Promise<void>(resolve => http.close(() => resolve()))
    },
  })
}

function isOfBrowser(headers: Readonly<Record<string, unknown>>): boolean {
  return headers.origin !== undefined || Object.keys(headers).some(name => name.startsWith('sec-fetch-'))
}

/** The contract without requests that act, read files of the machine or read clouds again. */
function readingOnly(contract: Contract): Contract {
  return {
    listen: contract.listen,
    ask: (name, input) =>
      PROGRAM_REQUESTS.has(name)
        ? contract.ask(name, input)
        : Promise.resolve(
            failed(refusal('not-permitted', because('RequestNotForAttached', { request: String(name).slice(0, 60) }))),
          ),
  }
}
