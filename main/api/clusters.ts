import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type ClusterHandlers = Pick<
  Handlers,
  | 'cluster.list'
  | 'cluster.add'
  | 'cluster.remove'
  | 'cluster.exec-plugin'
  | 'cluster.consent'
  | 'cluster.test'
  | 'cluster.connect'
>

/** Requests about the registry of clusters and the sessions with them. */
export function clusterHandlers({ clusters }: ApiServices): ClusterHandlers {
  return {
    'cluster.list': async () => clusters.list(),
    'cluster.add': input => clusters.add(input),
    'cluster.remove': input => clusters.remove(input.name),
    'cluster.exec-plugin': input => clusters.execPlugin(input.name),
    'cluster.consent': input => clusters.consent(input.name, input.fingerprint),
    'cluster.test': input => clusters.test(input.name),
    'cluster.connect': input => clusters.connect(input.name),
  }
}
