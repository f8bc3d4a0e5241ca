import type { Observers } from './observers.ts'
import type { Handlers } from './serve.ts'

/** Requests about updates that anybody drives; that one moved on is sent as an event. */
export function observeHandlers(observers: Observers): Pick<Handlers, 'update.observe'> {
  return { 'update.observe': async ({ cluster }) => observers.observe(cluster) }
}
