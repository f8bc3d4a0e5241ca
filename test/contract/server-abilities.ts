import { discoverEviction } from '../../main/adapters/kubernetes/eviction.ts'
import type { KubernetesSession } from '../../main/adapters/kubernetes/session.ts'
import { must } from '../../shared/domain/must.ts'
import { value } from './target.ts'

/** What API servers differ in, as far as the contract looks at it (docs/drain.md 5.7). */
export interface ServerAbilities {
  /** Where budgets are. */
  readonly policy: 'policy/v1' | 'policy/v1beta1'
  /** A budget may say that pods that are not ready leave whatever it allows. */
  readonly unhealthyPods: boolean
  /** An evicted pod is marked as such. */
  readonly marksEvicted: boolean
  /** A refusal tells when a budget will have been processed. */
  readonly answersWhenProcessed: boolean
  /** A watch may begin with what exists and say where that ends. */
  readonly initialEvents: boolean
}

/** Asks a server what it can: by trying without a trace where that tells, else by its version. */
export async function serverAbilities(session: KubernetesSession): Promise<ServerAbilities> {
  const policy = must(value(await discoverEviction(session)), 'the server has evictions')
  const { gitVersion } = value(await session.version())
  const minor = Number(/^v1\.(\d+)/.exec(gitVersion)?.[1])
  const kept = value(
    await session.ask({
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
