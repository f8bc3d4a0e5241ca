import { isNodePlan, isWayBack, type Plan } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { nodesOfPlan, updateNodeOf } from '../../../shared/domain/update-nodes.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingOf } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { RunnerVolume } from './ports/runner-place.ts'

export function nodesEmptied(plan: Plan): readonly string[] {
  if (isNodePlan(plan)) return isWayBack(plan.kind) ? [] : [plan.node]
  return nodesOfPlan(plan).map(({ node }) => node)
}

/** Nodes that a started run is emptying or will empty. */
export function nodesToEmpty({ plan, steps }: Pick<RunView, 'plan' | 'steps'>): readonly string[] {
  const isEmptied = (node: string) =>
    steps
      .filter(({ step }) => step.kind === 'drain-node' && (isNodePlan(plan) || updateNodeOf(step) === node))
      .every(
        ({ state }) => state === 'applied' || state === 'verified' || state === 'skipped' || state === 'nothing-to-do',
      )
  return nodesEmptied(plan).filter(node => !isEmptied(node))
}

/**
 * Why a run may not empty these nodes: the runner is on one of them, and its pod would be evicted during the run. `isOwn`: whether the cloud's Kubernetes is
 * the runner's own; null if unknown, so a node with the same name is enough.
 */
export function whyOwnNode(
  nodes: readonly string[],
  { nodeName, pod, isOwn }: { readonly nodeName: string | null; readonly pod: string; readonly isOwn: boolean | null },
): Finding | null {
  if (nodeName === null || isOwn === false || !nodes.includes(nodeName)) return null
  return because('RunnerOnNode', { node: nodeName, pod, isSure: isOwn !== null })
}

/** Steps of plans that stop the OSDs of a node, or check whether they may stop. */
const STOPS_STORAGE: ReadonlySet<string> = new Set(['osds-ok-to-stop', 'stop-osds', 'storage-unchecked'])

/** Whether a plan stops storage: only then the runner's volume is checked. */
export function stopsStorage(plan: Plan): boolean {
  return plan.steps.some(({ kind }) => STOPS_STORAGE.has(kind))
}

/**
 * Why a plan is refused for the runner's own volume: it stops OSDs of the Ceph that has the runner's journal, or the runner cannot rule that out.
 * `isElsewhere`: the installer confirmed that the volume does not depend on these OSDs; this decides if the runner cannot know.
 */
export function whyVolume(
  plan: Plan,
  volume: RunnerVolume,
  cloud: { readonly isOwn: boolean | null; readonly cephNamespace: string; readonly isElsewhere: boolean },
): Finding | null {
  if (!stopsStorage(plan) || volume.kind === 'other' || cloud.isOwn === false) return null
  const unlessElsewhere = (why: Finding) => (cloud.isElsewhere ? null : why)
  const cannotTell = (why: Finding) => unlessElsewhere(because('RunnerVolumeUnclear', { why }))
  if (volume.kind === 'unknown') return cannotTell(findingOf(volume))
  if (cloud.isOwn === null) return cannotTell(because('OwnKubernetesUnknown'))
  const { claim, storageClass, clusterId } = volume
  if (clusterId === '') return cannotTell(because('StorageClassOfNoCeph', { storageClass }))
  // A storage class of Rook names the namespace of its Ceph; any other id is of another Ceph, and only its fsid would show which.
  const { cephNamespace } = cloud
  if (clusterId !== cephNamespace)
    return cannotTell(because('StorageClassOfOtherCeph', { storageClass, clusterId, cephNamespace }))
  return because('RunnerVolumeOnCeph', { claim, storageClass })
}
