import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { RunOptions } from '../../../../shared/domain/plan.ts'
import type { RanInstance } from '../../../../shared/domain/ran-before.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import type { MaintenanceRecommendation } from '../../steps/watcher/watcher-recommendation.ts'

/** What a plan is made from: the cluster, the node as it is now (null: the cluster has none of that name) and the operator's choices. */
export interface PlanRequest {
  readonly cluster: Cluster
  readonly name: string
  readonly node: ClusterNode | null
  /** Whether it is a machine of Sunbeam outside of Kubernetes, where there is no such node; `roles` are then what Nova, Juju and Ceph know of it. */
  readonly isOutside?: boolean
  readonly roles: readonly NodeRole[]
  readonly options: RunOptions
  /** Nova's name of the host, and what Watcher recommends for it; null when Watcher is not to empty it. */
  readonly watcher: WatcherAnswer | null
  /** On the way back: what ran on the node when it was taken out of service, which this run may yet do; null: nobody noted that. */
  readonly ran: readonly RanInstance[] | 'noted-in-this-run' | null
}

/** What asking Watcher came to: a failure is planned as well, so that the plan says what does not answer. */
export interface WatcherAnswer {
  readonly host: string
  readonly answer: Result<MaintenanceRecommendation>
}
