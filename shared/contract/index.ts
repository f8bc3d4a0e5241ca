import type { z } from 'zod'
import { attachEvents, attachRequests } from './attach.ts'
import { campaignRequests } from './campaigns.ts'
import { clusterEvents, clusterRequests } from './cluster.ts'
import { consoleEvents, consoleRequests } from './console.ts'
import { demoEvents, demoRequests } from './demo.ts'
import type { Envelope } from './envelope.ts'
import { maintenanceEvents, maintenanceRequests } from './maintenance.ts'
import { nodeRequests } from './node.ts'
import { reportRequests } from './reports.ts'
import { runEvents, runRequests } from './run.ts'
import { signalRequests } from './signals.ts'
import { viewEvents, viewRequests } from './view.ts'
import { windowEvents, windowRequests } from './windows.ts'

export * from './attach.ts'
export * from './campaigns.ts'
export * from './cluster.ts'
export * from './console.ts'
export * from './demo.ts'
export * from './envelope.ts'
export * from './maintenance.ts'
export * from './node.ts'
export * from './reports.ts'
export * from './run.ts'
export * from './signals.ts'
export * from './view.ts'
export * from './windows.ts'

/**
 * `read`: repeated if its answer is lost. `write`: changes this console or a cluster. `journaled`: also refused while the journal cannot be written.
 */
export type RequestEffect = 'read' | 'write' | 'journaled'

/** Every request between a face and main, with its effect and the schemas of input and output (style G8). */
export const requests: typeof clusterRequests &
  typeof nodeRequests &
  typeof runRequests &
  typeof viewRequests &
  typeof consoleRequests &
  typeof maintenanceRequests &
  typeof windowRequests &
  typeof reportRequests &
  typeof signalRequests &
  typeof attachRequests &
  typeof campaignRequests &
  typeof demoRequests = {
  ...clusterRequests,
  ...nodeRequests,
  ...runRequests,
  ...viewRequests,
  ...consoleRequests,
  ...maintenanceRequests,
  ...windowRequests,
  ...reportRequests,
  ...signalRequests,
  ...attachRequests,
  ...campaignRequests,
  ...demoRequests,
} as const satisfies Readonly<
  Record<string, { readonly effect: RequestEffect; readonly input: z.ZodType; readonly output: z.ZodType }>
>

export const events = {
  ...clusterEvents,
  ...runEvents,
  ...viewEvents,
  ...consoleEvents,
  ...maintenanceEvents,
  ...windowEvents,
  ...attachEvents,
  ...demoEvents,
} as const

export type RequestName = keyof typeof requests
export type RequestInput<N extends RequestName> = z.input<(typeof requests)[N]['input']>
export type RequestOutput<N extends RequestName> = z.output<(typeof requests)[N]['output']>
export type EventName = keyof typeof events
export type EventPayloads = { readonly [N in EventName]: z.output<(typeof events)[N]> }
export type EventPayload<N extends EventName> = EventPayloads[N]

/** Sends an event to every face. */
export type Emit = <N extends EventName>(name: N, payload: EventPayload<N>) => void

/** The two functions of a face (style G12); `listen` returns how to stop listening. */
export interface Contract {
  ask<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Envelope<RequestOutput<N>>>
  listen<N extends EventName>(name: N, onEvent: (payload: EventPayload<N>) => void): () => void
}
