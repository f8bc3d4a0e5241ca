import { isNodePlan, isWayBack, type Plan } from '../../shared/domain/plan.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { nodesOfPlan, updateNodeOf } from '../../shared/domain/update-nodes.ts'
import type { RunnerVolume } from '../ports/runner-place.ts'

/** Nodes that a plan takes out of service, whose pods have to leave. */
export function nodesEmptied(plan: Plan): readonly string[] {
  if (isNodePlan(plan)) return isWayBack(plan.kind) ? [] : [plan.node]
  return nodesOfPlan(plan).map(({ node }) => node)
}

/** Of a run under way those that are still to be emptied, or are being. */
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
): string | null {
  if (nodeName === null || isOwn === false || !nodes.includes(nodeName)) return null
  const maybe = isOwn === null ? ', or on one of that name elsewhere: which of both could not be told' : ''
  const move = `Cordon ${nodeName} and delete pod ${pod}, so that it is scheduled elsewhere; or leave that node out.`
  return `The runner itself runs on ${nodeName}${maybe}. It empties no node under its own feet, and waits until it was rescheduled. ${move}`
}

/** Steps of plans that take the OSDs of a node away, or look whether they may go. */
const STOPS_STORAGE: ReadonlySet<string> = new Set(['osds-ok-to-stop', 'stop-osds', 'storage-unchecked'])

/** Whether a plan stops storage at all: only then the runner's volume is asked about. */
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
): string | null {
  if (!stopsStorage(plan) || volume.kind === 'other' || cloud.isOwn === false) return null
  const cannotTell = (why: string) =>
    cloud.isElsewhere
      ? null
      : `Whether the runner's own volume is on the Ceph whose OSDs this run stops could not be told. ${why} The journal would stop with it, so it is refused. Run it from a console; or, where you know that the volume is on other storage, have the runner told so (lockkeeper runner manifests --volume-elsewhere; chart: storage.elsewhere).`
  if (volume.kind === 'unknown') return cannotTell(volume.why)
  if (cloud.isOwn === null) return cannotTell('Whether the cloud is the runner’s own Kubernetes is not known.')
  if (volume.clusterId === '') return cannotTell(`Storage class ${volume.storageClass} names no Ceph.`)
  // A storage class of Rook names the namespace of its Ceph; any other word is of a Ceph elsewhere, which only its fsid would tell.
  if (volume.clusterId !== cloud.cephNamespace) {
    return cannotTell(
      `Storage class ${volume.storageClass} is of the Ceph "${volume.clusterId}", this cloud's is in namespace ${cloud.cephNamespace}.`,
    )
  }
  return `The runner keeps its journal on a volume of the very Ceph whose OSDs this run stops (claim ${volume.claim}, storage class ${volume.storageClass}). Run it from a console, or move the runner's volume to other storage.`
}
