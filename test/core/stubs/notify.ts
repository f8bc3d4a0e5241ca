import type { Handlers } from '../../../main/api/serve.ts'
import type { PrometheusPort } from '../../../main/ports/prometheus.ts'
import type { RequestName } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { failed } from '../../../shared/domain/result.ts'
import { signalsOf } from '../../../shared/domain/signals.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

type NotifyRequest =
  | Extract<RequestName, `${'alertmanager' | 'gates' | 'mail' | 'webhook'}.${string}`>
  | 'window.messages'
  | 'window.notify'

/** A build that sends nothing. A health gate that the settings of a cluster name cannot be asked, so it does not pass. */
export function openSignalPorts(_parts: object) {
  const query: PrometheusPort['query'] = async () =>
    failed(refusal('not-found', because('PartLeftOut', { what: 'health gates' })))
  return { prometheusOf: (cluster: Cluster) => (signalsOf(cluster).health === null ? null : { query }) }
}

export function openNotify(_parts: object) {
  return {
    // The router refuses what has no handler.
    handlers: (_services: object) => ({}) as Pick<Handlers, NotifyRequest>,
    close: async () => {},
  }
}
