import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { FaultTable } from '../faults.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import type { ApiStatus } from '../store/api-status.ts'
import { recordAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'
import { podOfSocket } from './pod-sockets.ts'

/** The result of a command in a simulated container. */
export interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs commands instead of a container; null for an unknown command. */
export type CommandHandler = (command: readonly string[]) => CommandResult | null

/** The command handler for pods with these labels. */
export interface PodCommands {
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly handler: CommandHandler
}

/** Serves `pods/exec` over WebSocket, as kubectl (since 1.31) and Lockkeeper use it. */
interface ExecServer {
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, user: string | null): number
  stop(): void
}

/** Supported protocols, newest first. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
const STDOUT = 1
const STDERR = 2
const STATUS = 3

/** Makes the server; `commands` may grow while it runs. */
export function createExecServer(
  cluster: SimulatedCluster,
  table: FaultTable,
  commands: readonly PodCommands[],
): ExecServer {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: offered => PROTOCOLS.find(known => offered.has(known)) ?? false,
  })

  return {
    upgrade(incoming, socket, head, user) {
      const url = new URL(incoming.url ?? '/', 'https://127.0.0.1')
      const found = podOfSocket(cluster, table, { url, user, subresource: 'exec' })
      if ('status' in found) {
        refuse(socket, found.status)
        return found.status.code
      }
      const command = url.searchParams.getAll('command')
      server.handleUpgrade(incoming, socket, head, talk => {
        talk.on('error', () => talk.terminate())
        for (const message of messagesOf(runInPod(commands, found.pod, command))) talk.send(message)
        talk.close(1000)
      })
      return 101
    },
    stop() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

/** Runs a command in a pod. A program without a handler is not found, as in a container without it. */
export function runInPod(
  commands: readonly PodCommands[],
  pod: Stored<'Pod'>,
  command: readonly string[],
): CommandResult {
  const labels = recordAt(pod, 'metadata', 'labels')
  for (const each of commands) {
    if (each.namespace !== pod.metadata.namespace) continue
    if (!Object.entries(each.labels).every(([name, value]) => labels[name] === value)) continue
    const result = each.handler(command)
    if (result !== null) return result
  }
  const [program = ''] = command
  return { exitCode: 127, stdout: '', stderr: `exec: "${program}": executable file not found in $PATH\n` }
}

/** Encodes a result as messages; the first byte of each message names its stream. */
export function messagesOf({ exitCode, stdout, stderr }: CommandResult): readonly Buffer[] {
  const message = (channel: number, text: string) => Buffer.concat([Buffer.from([channel]), Buffer.from(text)])
  const status =
    exitCode === 0
      ? { metadata: {}, status: 'Success' }
      : {
          metadata: {},
          status: 'Failure',
          message: `command terminated with non-zero exit code: exit status ${exitCode}`,
          reason: 'NonZeroExitCode',
          details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
        }
  return [
    ...(stdout === '' ? [] : [message(STDOUT, stdout)]),
    ...(stderr === '' ? [] : [message(STDERR, stderr)]),
    message(STATUS, JSON.stringify(status)),
  ]
}

/** Answers a refused upgrade like any other request. */
export function refuse(socket: Duplex, status: ApiStatus): void {
  const body = `${JSON.stringify(status)}\n`
  socket.end(
    [
      `HTTP/1.1 ${status.code} ${status.reason ?? 'Refused'}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
