import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Contract } from '../../../shared/contract/index.ts'
import { PAGE_PROTOCOL } from '../../../shared/contract/socket.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { createContractTalk } from './contract-talk.ts'
import type { TabAccess } from './door.ts'
import { type Guard, hangUp } from './guard.ts'
import { addressOf, type Refusal, refusalOf } from './sender.ts'

interface SocketParts {
  readonly contract: Contract
  readonly door: TabAccess
  readonly hosts: ReadonlySet<string>
  readonly log: Logger
  readonly guard: Guard
  readonly onRefused: (refusal: Refusal) => void
}

/** The contract over one WebSocket per tab. */
interface SocketFace {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Tells every tab that the console ends, and closes the connections. */
  stop(): Promise<void>
}

const MOST_TABS = 64

export function createSocketFace({ contract, door, hosts, log, guard, onRefused }: SocketParts): SocketFace {
  const keys = new WeakMap<WebSocket, string>()
  const talk = createContractTalk({
    contract,
    log,
    guard,
    peer: 'tab',
    // Only the protocol is sent back, not the key beside it.
    protocol: PAGE_PROTOCOL,
    mostPeers: MOST_TABS,
    // An open tab keeps its key from idling; after a day it loses access anyway.
    isStillIn: socket => door.knows(keys.get(socket) ?? null),
  })
  return {
    upgrade: (request, socket, head) => {
      const address = addressOf(request)
      if (address === null) {
        onRefused('malformed')
        return hangUp(socket, 400)
      }
      const key = keyOf(request)
      const refusal = refusalOf(request, hosts, true) ?? (door.knows(key) ? null : 'not-entered')
      if (refusal !== null) {
        onRefused(refusal)
        return hangUp(socket, 403)
      }
      if (address.pathname !== '/socket') return hangUp(socket, 404)
      if (talk.isFull()) {
        onRefused('too-many')
        return hangUp(socket, 503)
      }
      talk.begin(request, socket, head, opened => keys.set(opened, key ?? ''))
    },
    stop: talk.stop,
  }
}

/** A browser cannot set headers on a WebSocket: the tab's key comes as a second protocol, and is never sent back. */
function keyOf(request: IncomingMessage): string | null {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim())
  const key = offered.find(each => each.startsWith('key.'))
  return offered.includes(PAGE_PROTOCOL) && key !== undefined ? key.slice('key.'.length) : null
}
