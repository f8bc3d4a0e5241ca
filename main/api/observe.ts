import type { Observers } from './observers.ts'
import type { Handlers } from './serve.ts'

/** Requests about updates that anybody drives; an event tells that one moved on. */
export function observeHandlers(observers: Observers): Pick<Handlers, 'update.observe'> {
  return { 'update.observe': async ({ cluster }) => observers.observe(cluster) }
}
