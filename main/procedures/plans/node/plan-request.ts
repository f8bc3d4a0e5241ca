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
  readonly ran: readonly NamedInstance[] | 'noted-in-this-run' | null
  /** Where instances are to be brought home: who is away; `noted-in-this-run`: this run empties the node itself. */
  readonly away?: readonly AwayInstance[] | 'noted-in-this-run'
  /** How Masakari stands to a compute node; absent: it has nothing to do with it. */
  readonly masakari?: MasakariState
}

/** What asking Watcher came to: a failure is planned as well, so that the plan says what does not answer. */
export interface WatcherAnswer {
  readonly host: string
  readonly answer: Result<MaintenanceRecommendation>
}

/** What makes the steps of a plan. */
export type StepsOf = (request: PlanRequest) => readonly PlannedStep[]

/** Steps that are told no more than which node they are about, in this order. */
export function plan({ name }: PlanRequest, ...steps: readonly Step<MaintenanceWorld>[]): readonly PlannedStep[] {
  return steps.map(step => planStep(step, { node: name }))
}

/** The last look at a node that was taken out of service: whether it is empty. */
export function lookIfEmpty(request: PlanRequest): readonly PlannedStep[] {
  return [planStep(nodeEmptied, verdictInput(request))]
}

/** The last look at a node that was brought back: whether it takes work. */
export function lookIfServing(request: PlanRequest): readonly PlannedStep[] {
  return [planStep(nodeServes, verdictInput(request))]
}

/** What a look at a node has to know: what it does, so that a service or a disk that is missed is not taken for none. */
export function verdictInput({ cluster, name, roles }: PlanRequest): PlannedStep['input'] {
  return {
    node: name,
    computes: roles.includes('compute') && cluster.cloud !== null,
    stores: roles.includes('storage'),
  }
}

/** Whether a step is a check alone, which belongs before anything is touched. */
export function onlyLooks({ verbs }: PlannedStep): boolean {
  return verbs.every(verb => verb === 'check')
}
