import { discoverEviction } from '../../main/adapters/kubernetes/eviction.ts'
import type { KubernetesSession } from '../../main/adapters/kubernetes/session.ts'
import { must } from '../../shared/domain/must.ts'
import { value } from './target.ts'

/** Differences between API servers that the contract covers (docs/drain.md 5.7). */
export interface ServerAbilities {
  /** Where budgets are. */
  readonly policy: 'policy/v1' | 'policy/v1beta1'
  /** A budget can allow all unready pods to leave. */
  readonly unhealthyPods: boolean
  /** An evicted pod is marked as such. */
  readonly marksEvicted: boolean
  /** A refusal says when to try again while a budget is processed. */
  readonly answersWhenProcessed: boolean
  /** A watch can start with the existing objects and mark their end. */
  readonly initialEvents: boolean
}

/** Finds out what a server can do: by a dry run if that shows it, else by its version. */
export async function serverAbilities(session: KubernetesSession): Promise<ServerAbilities> {
  const policy = must(value(await discoverEviction(session)), 'the server has evictions')
  const { gitVersion } = value(await session.version())
  const minor = Number(/^v1\.(\d+)/.exec(gitVersion)?.[1])
  const kept = value(
    await session.request({
      method: 'POST',
      path: `/apis/${policy}/namespaces/default/poddisruptionbudgets`,
      query: { dryRun: 'All' },
      body: {
        apiVersion: policy,
        kind: 'PodDisruptionBudget',
        metadata: { name: 'contract-abilities' },
        spec: { minAvailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: { a: 'b' } } },
      },
    }),
  )
  const query = { watch: true, timeoutSeconds: 1, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
  const watch = await session.stream({ method: 'GET', path: '/api/v1/nodes', query, retry: false })
  if (watch.ok) watch.value.cancel()
  return {
    policy,
    unhealthyPods: JSON.stringify(kept).includes('unhealthyPodEvictionPolicy":"AlwaysAllow'),
    marksEvicted: minor >= 26,
    answersWhenProcessed: minor >= 22,
    initialEvents: watch.ok,
  }
}
