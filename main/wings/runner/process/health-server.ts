import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { RunnerMetrics } from './runner-metrics.ts'

/** Health and metrics of a runner, for the kubelet and Prometheus. Anyone who reaches the pod can read them; they contain no secrets. */
interface HealthServer {
  readonly port: number
  stop(): Promise<void>
}

/** Each returns the reasons why not; empty if all is well. */
interface HealthQuestions {
  readonly notLive: () => readonly string[]
  readonly notReady: () => readonly string[]
  readonly metrics: RunnerMetrics
}

/** A silent or slow connection is closed after this; a kubelet sends its request immediately. */
const HTTP_LIMITS = {
  headersTimeout: 3_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
  maxHeaderSize: 8_192,
} as const
/** Beyond this the oldest connection is closed. If new ones were refused, many silent connections would make the kubelet restart the pod. */
const MOST_CONNECTIONS = 64

/** Answers `/livez`, `/readyz` and `/metrics` on all addresses of the pod. `port` 0: any free port. */
export async function serveHealth(port: number, questions: HealthQuestions): Promise<Result<HealthServer>> {
  const http = createServer(HTTP_LIMITS, (request, response) => {
    void answer(request.method ?? '', request.url ?? '', response, questions).catch(() =>
      end(response, 500, 'Internal error.\n'),
    )
  })
  const open = new Set<Socket>()
  http.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const [oldest] = open
    if (open.size > MOST_CONNECTIONS) oldest?.destroy()
  })
  const listening = await new Promise<Result<number>>(resolve => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        failed(
          refusal('conflict', because('HealthPortNotOpened', { port, error: error.code ?? null }), {
            target: `port/${port}`,
          }),
        ),
      ),
    )
    http.listen(port, () => {
      const address = http.address()
      resolve(ok(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
  if (!listening.ok) return listening
  http.on('error', () => {
    // The client of a failed connection tries again.
  })
  return ok({
    port: listening.value,
    stop: async () => {
      http.closeAllConnections()
      await new Promise<void>(resolve => http.close(() => resolve()))
    },
  })
}

async function answer(
  method: string,
  url: string,
  response: ServerResponse,
  questions: HealthQuestions,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'Use GET.\n')
  const path = url.split('?')[0]
  switch (path) {
    case '/livez':
      return health(response, questions.notLive())
    case '/readyz':
      return health(response, questions.notReady())
    case '/metrics':
      response.setHeader('content-type', questions.metrics.contentType)
      return end(response, 200, await questions.metrics.text())
    default:
      return end(response, 404, 'Not found. Use /livez, /readyz or /metrics.\n')
  }
}

function health(response: ServerResponse, why: readonly string[]): void {
  end(response, why.length === 0 ? 200 : 503, why.length === 0 ? 'ok\n' : `${why.join('\n')}\n`)
}

function end(response: ServerResponse, status: number, text: string): void {
  if (!response.headersSent)
    response.writeHead(
      status,
      response.hasHeader('content-type') ? {} : { 'content-type': 'text/plain; charset=utf-8' },
    )
  response.end(text)
}
