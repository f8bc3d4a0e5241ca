import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedListener, KubernetesFeeds } from '../../ports/kubernetes.ts'
import type { WatchMaintenance } from '../../ports/maintenance-api.ts'
import type { KubernetesObject } from './answers.ts'
import { nodeLeaseOf } from './lease-object.ts'
import { createLeaseObserver, type LeaseObserver } from './lease-observer.ts'
import { observedName } from './leases.ts'
import { readListedNode } from './read-node.ts'
import { readPod } from './read-pod.ts'
import { type Collection, LEASES, NODES, PODS } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { watchResource } from './watch.ts'

/** One watch per kind over one session (docs/style.md G29). */
export function createKubernetesFeeds(options: {
  readonly session: KubernetesSession
  readonly leaseNamespace: string
  readonly clock: Clock
  /** Shared by the whole process; without it these feeds keep their own memory. */
  readonly observer?: LeaseObserver
  /** Shared with other readers of the node maintenance API. */
  readonly watchMaintenance: WatchMaintenance
}): KubernetesFeeds {
  const { session, leaseNamespace, clock, observer = createLeaseObserver(clock) } = options

  function feed<T extends object, M>(
    collection: Collection<M>,
    parse: (object: KubernetesObject<M>) => T | null,
    listener: FeedListener<T>,
    signal: AbortSignal,
  ): Promise<void> {
    return watchResource<T | null, M>({
      session,
      collection,
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
    nodes: (listener, signal) => feed({ type: NODES, namespace: null }, readListedNode, listener, signal),
    pods: (listener, signal) => feed({ type: PODS, namespace: null }, readPod, listener, signal),
    leases: (listener, signal) =>
      feed(
        { type: LEASES, namespace: leaseNamespace },
        object => {
          const record = nodeLeaseOf(object)
          if (record === null) return null
          const { uid, node, holder, nooutRun, name } = record
          const { sinceMs, renewed } = observer.see(observedName(session.address, leaseNamespace, name), record)
          return { uid, node, holder, nooutRun, seen: { sinceMs, renewed } }
        },
        listener,
        signal,
      ),
    maintenance: options.watchMaintenance,
  }
}
