import type { CephNotToStop, CephNotWhole } from '../../domain/ceph-safety.ts'
import { notToStopWords, notWholeWords } from '../ceph.ts'
import type { Cause, OfNode, TextsOf } from '../steps/coded.ts'

type OfOsds = OfNode & { readonly osds: readonly number[] }
type PodOnNode = { readonly pod: string; readonly node: string | null }
type Whole = { readonly why: CephNotWhole }

/** Messages of Lockkeeper's controllers for Ceph, StackLight and Tungsten Fabric. */
export const CONTROLLERS_STORAGE_REASONS = {
  ClusterCephNotWhole: ({ why }: Whole) => `Ceph has not recovered: ${notWholeWords(why)}`,
  NoMonToSpare: ({ inQuorum, total }: { readonly inQuorum: number; readonly total: number }) =>
    `${inQuorum} of ${total} Ceph monitors are in quorum, so none may stop`,
  NooutNotKept: ({ cause }: Cause) => `noout could not be set for its OSDs: ${cause}`,
  OsdsOnDeletedNode: ({ osds, node }: OfOsds) =>
    `OSDs ${osds.join(', ')} are still on ${node}. Remove them from Ceph first`,
  OsdsNotToStop: ({ why }: { readonly why: CephNotToStop }) => notToStopWords(why),
  NooutAwaited: ({ osds, node }: OfOsds) => `Waiting for noout on OSDs ${osds.join(', ')} of ${node}`,
  OsdsAwaited: ({ osds, node }: OfOsds) => `Waiting for OSDs ${osds.join(', ')} of ${node} to be up`,
  CephAwaited: ({ why }: Whole) => `Waiting for Ceph to recover: ${notWholeWords(why)}`,
  StackLightReplicaAwaited: ({ node, sets }: OfNode & { readonly sets: readonly string[] }) =>
    `Waiting for a ready replica on a node other than ${node} of StackLight's StatefulSet ${sets.join(', ')}`,
  StackLightBudgetAwaited: ({ budget, pod, node }: OfNode & { readonly budget: string; readonly pod: string }) =>
    `Waiting for budget ${budget} to allow the eviction of StackLight's pod ${pod} from ${node}`,
  StackLightPodsAwaited: ({ unready }: { readonly unready: PodsOnNodes }) =>
    `Waiting for ${unready.total} of StackLight's pods to be ready: ${podsOnNodes(unready)}`,
  VRouterPodsAwaited: ({ unready, all }: { readonly unready: PodsOnNodes; readonly all: number }) =>
    `Waiting for ${unready.total} of ${all} vRouter pods to be ready: ${podsOnNodes(unready)}`,
  NoVRouterPod: ({ node }: OfNode) => `Waiting for a vRouter pod on ${node}, which has none`,
  VRouterPodAwaited: ({ pod, node }: OfNode & { readonly pod: string }) =>
    `Waiting for all containers of vRouter pod ${pod} on ${node} to be ready`,
} satisfies TextsOf<string>

type PodsOnNodes = { readonly items: readonly PodOnNode[]; readonly total: number }

const PODS_SAID = 5

function podsOnNodes({ items, total }: PodsOnNodes): string {
  const shown = items.slice(0, PODS_SAID).map(({ pod, node }) => `${pod} on ${node ?? 'no node'}`)
  return `${shown.join(', ')}${total > PODS_SAID ? '…' : ''}`
}
