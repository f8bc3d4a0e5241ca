import type { ControllerRef, GuardingBudget, Pod, PodDecision, Workload } from '../../../../shared/domain/kubernetes.ts'
import { type Fault, fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { type Finding, namesOf } from '../../../../shared/words/steps/coded.ts'
import { BY_ALLOW_DOWNTIME, blocker, cannotAsk, evidence, orWarning, ready, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { cephDaemonOf } from '../storage/ceph-daemons.ts'
import { drainOptionsOf } from './drain-choices.ts'
import { awayAmong, type NodesAway, readNodesAway } from './other-maintenances.ts'

/** As pods name their controller; a Deployment's pods name its ReplicaSet. */
const KEEPERS = new Set(['apps/v1 ReplicaSet', 'apps/v1 StatefulSet', 'v1 ReplicationController'])

/**
 * No workload loses its last ready replica (docs/domain.md B.1): a drain evicts all pods of a node, so ready replicas elsewhere count, or a budget.
 */
export const replicasRedundancy = checkStep({
  kind: 'replicas-redundancy',
  role: 'general',
  ...stepText('replicas-redundancy'),
  check: orWarning(async (input, ctx: MaintenanceContext) => {
    const node = nodeOf(input)
    const { kubernetes, cluster } = ctx.world
    const [plan, sets, pods] = await Promise.all([
      // The drain's own query: one answer serves both.
      kubernetes.planDrain(node, drainOptionsOf(ctx), { dryRun: true, signal: ctx.signal }),
      kubernetes.listWorkloads(['ReplicaSet'], ctx.signal),
      kubernetes.listPods(null, ctx.signal),
    ])
    if (!plan.ok) return cannotAsk(thing('PodsOnNode', { node }), plan.failure)
    if (!sets.ok) return cannotAsk(thing('ReplicaSets'), sets.failure)
    if (!pods.ok) return cannotAsk(thing('AllPods'), pods.failure)
    const decisions = plan.value.decisions.filter(
      ({ fate, pod }) => fate !== 'keep' && cephDaemonOf(pod, cluster) === null,
    )
    const leaving = decisions.map(({ pod }) => pod)
    const services = replicasOf(node, leaving, pods.value, sets.value)
    if (services.length === 0) return ready(found('NoReplicaLeaves', { node }))
    const hosts = new Set(services.flatMap(({ elsewhere }) => elsewhere.flatMap(({ nodeName }) => nodeName ?? [])))
    const others = await readNodesAway(node, ctx, ({ name }) => hosts.has(name))
    if (!others.ok) return cannotAsk(thing('NodesWithReplicas'), others.failure)
    const { away, unread } = others.value
    const alone = services.filter(service => isServed(service) && staying(service, away).length === 0)
    const down = services.filter(service => !isServed(service) && service.elsewhere.length === 0)
    const guards = new Map(alone.map(service => [service, guardOf(service, decisions)]))
    const warnings = alone.flatMap(service => {
      const guard = guards.get(service)
      return guard == null ? [] : [waitsForReplacement(service, guard)]
    })
    return readyUnless(
      alone
        .filter(service => guards.get(service) === null)
        .map(service => blocker(onlyReplica(node, service, away), BY_ALLOW_DOWNTIME)),
      found(
        down.length > 0
          ? 'NoServiceLosesItsOnlyReplica'
          : warnings.length === 0
            ? 'ReplicasStayElsewhere'
            : 'ReplicasStayByBudgets',
      ),
      {
        evidence: [
          evidence('ready replicas on other nodes that are not in maintenance', ctx.at(), {
            ...Object.fromEntries(services.map(service => [nameOf(service), staying(service, away).length])),
          }),
        ],
        warnings: [...unread, ...warnings, ...down.map(service => isDown(node, service))],
      },
    )
  }),
})

/** A service with pods that leave the node, and its ready replicas elsewhere. */
interface LeavingService {
  readonly owner: ControllerRef
  readonly namespace: string
  readonly leaving: readonly Pod[]
  readonly elsewhere: readonly Pod[]
}

/** ReplicaSets count together as their Deployment. */
function replicasOf(
  node: string,
  leaving: readonly Pod[],
  pods: readonly Pod[],
  sets: readonly Pick<Workload, 'uid' | 'controller'>[],
): readonly LeavingService[] {
  const above = new Map(sets.map(({ uid, controller }) => [uid, controller]))
  const ownerOf = ({ controller }: Pod) => {
    if (controller === null || !KEEPERS.has(`${controller.apiVersion} ${controller.kind}`)) return null
    return above.get(controller.uid) ?? controller
  }
  const ready = pods.filter(pod => pod.ready && pod.nodeName !== node && isServing(pod))
  const services = new Map<string, LeavingService>()
  for (const pod of leaving.filter(isServing)) {
    const owner = ownerOf(pod)
    if (owner === null) continue
    const known = services.get(owner.uid) ?? {
      owner,
      namespace: pod.namespace,
      leaving: [],
      elsewhere: ready.filter(other => ownerOf(other)?.uid === owner.uid),
    }
    services.set(owner.uid, { ...known, leaving: [...known.leaving, pod] })
  }
  return [...services.values()]
}

function isServing({ phase, deletionAt }: Pod): boolean {
  return phase !== 'Succeeded' && phase !== 'Failed' && deletionAt === null
}

/** Without ready replicas the service loses nothing. */
function isServed({ leaving }: LeavingService): boolean {
  return leaving.some(({ ready }) => ready)
}

function isDown(node: string, service: LeavingService): Finding {
  return found('ServiceIsDown', { node, service: nameOf(service) })
}

function staying({ elsewhere }: LeavingService, away: NodesAway): readonly Pod[] {
  return elsewhere.filter(({ nodeName }) => nodeName !== null && !away.has(nodeName))
}

/** A budget that keeps a ready replica although all leave: it covers all of them, one may go now, and its healthy pods are this service's. */
function guardOf(service: LeavingService, decisions: readonly PodDecision[]): GuardingBudget | null {
  const mine = decisions.filter(({ pod }) => service.leaving.includes(pod))
  const readyOnes = service.leaving.filter(({ ready }) => ready).length + service.elsewhere.length
  const guards = ({ desiredHealthy, disruptionsAllowed, currentHealthy }: GuardingBudget) =>
    desiredHealthy > service.elsewhere.length && disruptionsAllowed >= 1 && currentHealthy <= readyOnes
  const [first] = mine
  const budget = first?.budgets.find(guards)
  if (budget === undefined) return null
  const isGuarded = ({ fate, budgets }: PodDecision) =>
    fate === 'evict' && budgets.some(({ name }) => name === budget.name)
  return mine.every(isGuarded) ? budget : null
}

function waitsForReplacement(service: LeavingService, { name: budget, desiredHealthy: kept }: GuardingBudget): Finding {
  return found('DrainWaitsForReplacement', { service: nameOf(service), budget, kept })
}

function nameOf({ owner, namespace }: LeavingService): string {
  return `${owner.kind} ${namespace}/${owner.name}`
}

function onlyReplica(node: string, service: LeavingService, away: NodesAway): Fault {
  const names = service.leaving.map(({ name }) => name).sort()
  const nodes = [...new Set(service.elsewhere.flatMap(({ nodeName }) => nodeName ?? []))].sort()
  return fault('OnlyReplica', {
    node,
    service: nameOf(service),
    pods: namesOf(names),
    gone: awayAmong(away, nodes),
  })
}
