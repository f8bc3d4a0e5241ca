import type { Cluster, ClusterFlavour } from '../../../shared/domain/cluster.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { DEFAULT_RUN_OPTIONS, type NodeRunKind, type Plan, type RunOptions } from '../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { strategyOf } from '../../../shared/domain/role-maintenance.ts'
import { rolesOf } from '../../../shared/domain/roles.ts'
import type { MaintenanceWorld } from '../ports.ts'
import { enterMosk } from './enter-mosk.ts'
import { enterPlain } from './enter-plain.ts'
import { leaveMosk } from './leave-mosk.ts'
import { leavePlain } from './leave-plain.ts'
import type { PlanRequest } from './plan-request.ts'

/** The procedures by flavour; null: this version has none. */
const PLANS: Readonly<
  Record<ClusterFlavour, Readonly<Record<NodeRunKind, (request: PlanRequest) => Plan['steps']>> | null>
> = {
  plain: { enter: enterPlain, leave: leavePlain },
  mosk: { enter: enterMosk, leave: leaveMosk },
  sunbeam: null,
}

/** Makes the plan of a node's maintenance by flavour and roles. Reads the node, touches nothing. */
export async function makePlan(
  request: {
    readonly id: string
    readonly kind: NodeRunKind
    readonly node: string
    readonly madeAt: string
    readonly options: RunOptions
  },
  world: MaintenanceWorld,
  signal?: AbortSignal,
): Promise<Result<Plan>> {
  const { cluster } = world
  const plans = PLANS[cluster.flavour]
  if (plans === null) {
    return failed(
      failure(
        'bad-input',
        `Cluster ${cluster.name} has flavour ${cluster.flavour}, whose procedures this version does not have. It maintains clouds of flavour plain and mosk.`,
        {
          target: `cluster/${cluster.name}`,
        },
      ),
    )
  }
  const read = await world.kubernetes.getNode(request.node, signal)
  if (!read.ok && read.failure.code !== 'not-found') return read
  const node = read.ok ? read.value : null
  const steps = plans[request.kind]({
    cluster,
    name: request.node,
    node,
    roles: node === null ? [] : rolesOf(node.labels, cluster.roleLabels),
    options: request.options,
  })
  return ok({ ...request, cluster: cluster.name, flavour: cluster.flavour, update: null, blocks: [], steps })
}

/** The operator's choices completed by the cluster's limits and ways. */
export function completeOptions(
  choices: { readonly [K in keyof RunOptions]?: RunOptions[K] | undefined },
  cluster: Cluster,
): RunOptions {
  const said = Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined))
  return {
    ...DEFAULT_RUN_OPTIONS,
    concurrency: cluster.limits.migrationsPerSource,
    drainTimeoutMs: cluster.limits.drainTimeoutMs,
    ...said,
    strategy: choices.strategy ?? strategyOf(cluster),
  }
}
