import type { Observers } from './observers.ts'
import type { Handlers } from './serve.ts'

/** Requests about updates by any driver; an event reports progress. */
export function observeHandlers(observers: Observers): Pick<Handlers, 'update.observe'> {
  return { 'update.observe': async ({ cluster }) => observers.observe(cluster) }
}
