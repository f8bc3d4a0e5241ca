import type { WorkloadLockLamp } from '../../shared/domain/cluster-view.ts'
import { minutes } from '../../shared/domain/durations.ts'
import type { Clock } from '../clock/clock.ts'
import type { FeedListener, KubernetesFeeds, NodeWorkloadLock } from '../view/ports.ts'
import { nodeLeaseOf } from './leases.ts'
import { type RawObject, rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import { readNode } from './read-node.ts'
import { readPod } from './read-pod.ts'
import type { KubernetesSession } from './session.ts'
import { watchResource } from './watch.ts'

const LOCKS = '/apis/lcm.mirantis.com/v1alpha1/nodeworkloadlocks'
/** A cluster that has no workload locks may get them. */
const LOOK_AGAIN_MS = minutes(3)

/** One watch a kind over one session (docs/style.md G29). */
export function createKubernetesFeeds(options: {
  readonly session: KubernetesSession
  readonly leaseNamespace: string
  readonly clock: Clock
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
    workloadLocks: async (listener, signal) => {
      while (!signal.aborted) {
        const answer = await session.exchange({ method: 'GET', path: LOCKS, query: { limit: 1 }, signal })
        // Whatever else is wrong, the watch finds out and says it.
        if (!answer.ok || answer.value.status !== 404) return feed(LOCKS, readWorkloadLock, listener, signal)
        listener.onState({ kind: 'absent', why: 'This cluster has no workload locks (lcm.mirantis.com/v1alpha1).' })
        await clock.sleep(LOOK_AGAIN_MS, signal)
      }
    },
  }
}

const LOCK_STATES = ['active', 'inactive', 'failed'] as const satisfies readonly WorkloadLockLamp['state'][]

/** Matched on what the spec names (docs/domain.md A.1); an FQDN stands for its first label when no node has that name. */
function readWorkloadLock(object: RawObject): NodeWorkloadLock {
  const spec = rawObject(object.spec)
  const status = rawObject(object.status)
  return {
    uid: readMetadata(object).uid,
    node: rawText(spec.nodeName),
    lamp: {
      controller: rawText(spec.controllerName),
      state: LOCK_STATES.find(state => state === status.state) ?? 'unknown',
      message: rawText(status.errorMessage),
    },
  }
}
