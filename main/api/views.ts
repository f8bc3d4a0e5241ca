import type { Views } from '../clusters/view/views.ts'
import type { Handlers } from './serve.ts'

export function viewHandlers(views: Views): Pick<Handlers, 'view.open'> {
  return { 'view.open': async ({ cluster }) => views.open(cluster) }
}
