import { ok } from '../../shared/domain/result.ts'
import type { Views } from '../clusters/view/views.ts'
import type { Handlers } from './serve.ts'

export function viewHandlers(views: Views): Pick<Handlers, 'view.open' | 'view.instances' | 'view.shown'> {
  return {
    'view.open': async ({ cluster }) => views.open(cluster),
    'view.instances': async ({ cluster, more }) => views.instances(cluster, more),
    'view.shown': async ({ clusters }) => {
      for (const cluster of clusters) views.shown(cluster)
      return ok(null)
    },
  }
}
