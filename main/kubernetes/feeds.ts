import type { Clock } from '../clock/clock.ts'
import type { WatchMaintenance } from '../lcm/ports.ts'
import type { FeedListener, KubernetesFeeds } from '../view/ports.ts'
import { nodeLeaseOf } from './leases.ts'
import type { RawObject } from './raw.ts'
import { readNode } from './read-node.ts'
import { readPod } from './read-pod.ts'
import type { KubernetesSession } from './session.ts'
import { watchResource } from './watch.ts'

/** One watch a kind over one session (docs/style.md G29). */
export function createKubernetesFeeds(options: {
  readonly session: KubernetesSession
  readonly leaseNamespace: string
  readonly clock: Clock
  /** Shared with whoever else listens to the objects of the node maintenance API. */
  readonly watchMaintenance: WatchMaintenance
}): KubernetesFeeds {
  const { session, clock } = options
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(options.leaseNamespace)}/leases`

  function feed<T extends object>(
    path: string,
    parse: (object: RawObject) => T | null,
    listener: FeedListener<T>,
    signal: AbortSignal,
  ): Promise<void> {
    return watchResource<T | null>({
      session,
      path,
      parse,
      clock,
      signal,
      onChange: (upserts, removals) =>
        listener.onChange(
          upserts.filter(upsert => upsert !== null),
          removals.map(removal => removal.uid),
        ),
      onState: listener.onState,
    })
  }

  return {
    nodes: (listener, signal) => feed('/api/v1/nodes', readNode, listener, signal),
    pods: (listener, signal) => feed('/api/v1/pods', readPod, listener, signal),
    leases: (listener, signal) => feed(leases, nodeLeaseOf, listener, signal),
    maintenance: options.watchMaintenance,
  }
}
