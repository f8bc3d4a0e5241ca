import { isNodePlan, isWayBack, type Plan } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { nodesOfPlan, updateNodeOf } from '../../../shared/domain/update-nodes.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingOf } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { RunnerVolume } from './ports/runner-place.ts'

/** Nodes that a plan takes out of service, whose pods have to leave. */
export function nodesEmptied(plan: Plan): readonly string[] {
  if (isNodePlan(plan)) return isWayBack(plan.kind) ? [] : [plan.node]
  return nodesOfPlan(plan).map(({ node }) => node)
}

/** In a running run: nodes that are being emptied or still will be. */
export function nodesToEmpty({ plan, steps }: Pick<RunView, 'plan' | 'steps'>): readonly string[] {
  const isThrough = (node: string) =>
    steps
      .filter(({ step }) => step.kind === 'drain-node' && (isNodePlan(plan) || updateNodeOf(step) === node))
      .every(
        ({ state }) => state === 'applied' || state === 'verified' || state === 'skipped' || state === 'nothing-to-do',
      )
  return nodesEmptied(plan).filter(node => !isThrough(node))
}

/**
 * Why a run may not empty the node that the runner itself is on: its pod would be evicted in the middle. Null: it is not on one of these. `isOwn`: whether the cloud's
 * Kubernetes is the runner's; null: that cannot be told, and a node of its node's name keeps it waiting.
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
 * Why a plan is refused for the runner's own volume: it stops OSDs of the Ceph on which the runner keeps its journal, or whether it does cannot be told;
 * null: it does not. `isElsewhere`: the installer says that the volume is on no Ceph that is stopped, which counts where nothing can be told.
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
  // A storage class of Rook names the namespace of its Ceph; any other word is of a Ceph elsewhere, which only its fsid would tell.
  const { cephNamespace } = cloud
  if (clusterId !== cephNamespace)
    return cannotTell(because('StorageClassOfOtherCeph', { storageClass, clusterId, cephNamespace }))
  return because('RunnerVolumeOnCeph', { claim, storageClass })
}
