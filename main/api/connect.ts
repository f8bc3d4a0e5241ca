import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type ConnectHandlers = Pick<
  Handlers,
  'cluster.list' | 'cluster.exec-plugin' | 'cluster.consent' | 'cluster.endpoints' | 'cluster.connect'
>

/** Requests that reach a registered cluster and change none of its settings. */
export function connectHandlers({ clusters }: Pick<ApiServices, 'clusters'>): ConnectHandlers {
  return {
    'cluster.list': async () => clusters.list(),
    'cluster.exec-plugin': input => clusters.execPlugin(input.name),
    'cluster.consent': input => clusters.consent(input.name, input.fingerprint),
    'cluster.endpoints': input => clusters.endpoints(input.name),
    'cluster.connect': input => clusters.connect(input.name),
  }
}
