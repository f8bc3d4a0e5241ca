import type { Cluster } from '../../../shared/domain/cluster.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import type { RunOptions } from '../../../shared/domain/plan.ts'
import type { NodeRole } from '../../../shared/domain/roles.ts'

/** What a plan is made from: the cluster, the node as it is now (null: the cluster has none of that name) and the operator's choices. */
export interface PlanRequest {
  readonly cluster: Cluster
  readonly name: string
  readonly node: ClusterNode | null
  readonly roles: readonly NodeRole[]
  readonly options: RunOptions
}
