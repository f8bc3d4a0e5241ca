import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { AwayInstance } from '../../../../shared/domain/home.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { PlannedStep, RunOptions } from '../../../../shared/domain/plan.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import type { NamedInstance } from '../../../../shared/domain/run-history.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { planStep, type Step } from '../../../runs/engine/step.ts'
import type { MasakariState } from '../../steps/compute/masakari-host.ts'
import { nodeEmptied, nodeServes } from '../../steps/general/node-verdict.ts'
import type { MaintenanceRecommendation } from '../../steps/watcher/watcher-recommendation.ts'

/** What a plan is made from: the cluster, the node (null: the cluster has none of that name) and the operator's choices. */
export interface PlanRequest {
  readonly cluster: Cluster
  readonly name: string
  readonly node: ClusterNode | null
  /** A machine of Sunbeam outside Kubernetes: without a node object, with `roles` from Nova, Juju and Ceph. */
  readonly isOutside?: boolean
  readonly roles: readonly NodeRole[]
  readonly options: RunOptions
  /** Nova's name of the host, and Watcher's recommendation for it; null when Watcher does not empty it. */
  readonly watcher: WatcherAnswer | null
  /** For the way back: instances that ran on the node when it went out of service; null if there is no record. */
  readonly ran: readonly NamedInstance[] | 'noted-in-this-run' | null
  /** The instances to bring back; `noted-in-this-run`: this run empties the node itself. */
  readonly away?: readonly AwayInstance[] | 'noted-in-this-run'
  readonly masakari?: MasakariState
}

/** A plan also carries Watcher's failure, so that it shows which service did not answer. */
export interface WatcherAnswer {
  readonly host: string
  readonly answer: Result<MaintenanceRecommendation>
}

export type StepsOf = (request: PlanRequest) => readonly PlannedStep[]

/** Steps that need only the name of the node, in this order. */
export function plan({ name }: PlanRequest, ...steps: readonly Step<MaintenanceWorld>[]): readonly PlannedStep[] {
  return steps.map(step => planStep(step, { node: name }))
}

export function lookIfEmpty(request: PlanRequest): readonly PlannedStep[] {
  return [planStep(nodeEmptied, verdictInput(request))]
}

export function lookIfServing(request: PlanRequest): readonly PlannedStep[] {
  return [planStep(nodeServes, verdictInput(request))]
}

/** The roles tell which services and disks the verdict expects, so that it notices a missing one. */
export function verdictInput({ cluster, name, roles }: PlanRequest): PlannedStep['input'] {
  return {
    node: name,
    computes: roles.includes('compute') && cluster.cloud !== null,
    stores: roles.includes('storage'),
  }
}

/** Whether a step is only a check, which belongs before any change. */
export function onlyLooks({ verbs }: PlannedStep): boolean {
  return verbs.every(verb => verb === 'check')
}
