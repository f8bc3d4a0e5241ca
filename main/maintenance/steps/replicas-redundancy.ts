import type { Pod, Workload } from '../../../shared/domain/kubernetes.ts'
import type { Step } from '../../engine/step.ts'
import { BY_ALLOW_DOWNTIME, cannotAsk, evidence, readyUnless } from '../answers.ts'
import { cephDaemonOf } from '../ceph-daemons.ts'
import { drainOptionsOf } from '../drain-choices.ts'
import { nodeOf } from '../node-input.ts'
import type { MaintenanceWorld } from '../ports.ts'

/**
 * No workload loses its only ready replica (Sunbeam's ReplicasRedundancy, domain.md B.1: forced by --allow-downtime, not by --force).
 * Asked for every node that is drained, whatever its role: an only replica is an outage wherever it runs. OSDs and monitors are left to the
 * check of Ceph.
 */
export const replicasRedundancy: Step<MaintenanceWorld> = {
  kind: 'replicas-redundancy',
  role: 'general',
  risk: 'none',
  why: 'Evicting the only ready replica of a service is an outage of that service.',
  title: input => `No service loses its only ready replica with ${nodeOf(input)}`,
  verifyEarly: false,
  withinMs: 60_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const [plan, workloads] = await Promise.all([
      ctx.world.kubernetes.planDrain(node, drainOptionsOf(ctx), { dryRun: false, signal: ctx.signal }),
      ctx.world.kubernetes.listWorkloads(['Deployment', 'ReplicaSet', 'StatefulSet'], ctx.signal),
    ])
    if (!plan.ok) return cannotAsk(`The pods on ${node}`, plan.failure)
    if (!workloads.ok) return cannotAsk('The workloads', workloads.failure)
    const leaving = plan.value.decisions
      .filter(({ fate, pod }) => fate !== 'keep' && cephDaemonOf(pod, ctx.world.cluster) === null)
      .map(({ pod }) => pod)
    const alone = ownersWithoutRedundancy(leaving, workloads.value)
    return readyUnless(
      alone.map(({ owner, pods }) => ({
        code: 'only-replica',
        message: `${owner.kind} ${owner.namespace}/${owner.name} has ${owner.readyReplicas} ready of ${owner.replicas}, and ${pods.join(', ')} of it leaves ${node}.`,
        remedy: 'Scale it up first, or accept its outage with --allow-downtime and the reason.',
        override: BY_ALLOW_DOWNTIME,
      })),
      'Every service keeps a ready replica elsewhere.',
      {
        evidence: [
          evidence('owners of the pods that leave', ctx.at(), {
            withoutRedundancy: alone.map(({ owner }) => `${owner.kind} ${owner.namespace}/${owner.name}`),
          }),
        ],
      },
    )
  },
}

/** The owners of leaving pods that have at most one ready replica; a ReplicaSet counts as the Deployment that owns it. */
export function ownersWithoutRedundancy(
  leaving: readonly Pod[],
  workloads: readonly Workload[],
): readonly { readonly owner: Workload; readonly pods: readonly string[] }[] {
  const byUid = new Map(workloads.map(workload => [workload.uid, workload]))
  const pods = new Map<Workload, string[]>()
  for (const pod of leaving) {
    if (pod.phase === 'Succeeded' || pod.phase === 'Failed' || pod.deletionAt !== null || pod.controller === null)
      continue
    const direct = byUid.get(pod.controller.uid)
    const owner = (direct?.controller && byUid.get(direct.controller.uid)) ?? direct
    if (owner === undefined || owner.readyReplicas > 1) continue
    pods.set(owner, [...(pods.get(owner) ?? []), pod.name])
  }
  return [...pods].map(([owner, names]) => ({ owner, pods: names.sort() }))
}
