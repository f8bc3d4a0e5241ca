import { z } from 'zod'
import type { Contract } from './index.ts'

/** The messages of the socket between a page and its console; those of programs have another name (program.ts). */
export const PAGE_PROTOCOL = 'lockkeeper.v1'

/** Why a console closes a socket. `stopped`: the console ends. */
export const CLOSE_CODES = { stopped: 4000, tooSlow: 4001, malformed: 4002, tooMuch: 4003, ended: 4004 } as const

/** Pages do not see pings, so a console sends a message at least this often. */
export const BEAT_MS = 5000
/** A console silent for this long is lost: it or the network hangs without closing the connection. */
export const SILENT_MS = 3 * BEAT_MS

/** A message of a console over a socket. */
export const SocketMessage = z.union([
  z.object({ id: z.number(), answer: z.unknown() }),
  /** The first. `n`: the number of the last event before it; `resumed`: the missed events follow. */
  z.object({ hello: z.object({ n: z.number(), resumed: z.boolean(), numberedBy: z.string() }) }),
  z.object({ n: z.number(), event: z.string(), payload: z.unknown() }),
  /** A sign of life, or a message of a newer version. */
  z.object({}),
])
export type SocketMessage = z.infer<typeof SocketMessage>

/** The listeners to the events of a contract. */
interface Listeners {
  readonly listen: Contract['listen']
  publish(event: string, payload: unknown): void
}

export function createListeners(): Listeners {
  const known = new Map<string, Set<(payload: never) => void>>()
  return {
    listen: (name, onEvent) => {
      const listeners = known.get(name) ?? new Set()
      known.set(name, listeners)
      listeners.add(onEvent)
      return () => listeners.delete(onEvent)
    },
    publish: (event, payload) => {
      for (const listener of known.get(event) ?? []) listener(payload as never)
    },
  }
}
