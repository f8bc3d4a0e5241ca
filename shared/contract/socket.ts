import { z } from 'zod'
import type { Contract, RequestEffect } from './index.ts'

/** Programs have another protocol (program.ts). */
export const PAGE_PROTOCOL = 'lockkeeper.v1'

export const CLOSE_CODES = { stopped: 4000, tooSlow: 4001, malformed: 4002, tooMuch: 4003, ended: 4004 } as const

/** A console sends a message at least this often, because pages do not see pings. */
export const BEAT_MS = 5000
/** A console silent for this long is lost, even if its connection is open. */
export const SILENT_MS = 3 * BEAT_MS

const REQUEST_EFFECTS = ['read', 'write', 'journaled'] as const satisfies readonly RequestEffect[]

export const SocketMessage = z.union([
  z.object({ id: z.number(), answer: z.unknown() }),
  /**
   * The first message. `n`: the last event before it; `resumed`: the missed events follow. `effects`: that of each request, by its name, so that a page
   * needs no schemas; absent from earlier versions.
   */
  z.object({
    hello: z.object({
      n: z.number(),
      resumed: z.boolean(),
      numberedBy: z.string(),
      effects: z.record(z.string(), z.enum(REQUEST_EFFECTS)).optional(),
    }),
  }),
  z.object({ n: z.number(), event: z.string(), payload: z.unknown() }),
  /** A sign of life, or a message of a newer version. */
  z.object({}),
])
export type SocketMessage = z.infer<typeof SocketMessage>

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
