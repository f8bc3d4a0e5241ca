import type { ClusterNode, Pod, Silence } from '../../../shared/domain/kubernetes.ts'
import type { MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import { type RoleLabelRules, rolesOf } from '../../../shared/domain/roles.ts'
import type { ReadLcmReport } from '../../ports/lcm.ts'
import type { WatchMaintenance } from '../../ports/maintenance-api.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'
import type { SeenCluster, SeenNode } from './derive.ts'

type Watch<T> = (
  listener: {
    readonly onChange: (upserts: readonly T[], removedUids: readonly string[]) => void
    readonly onState: (state: { readonly kind: string }) => void
  },
  signal: AbortSignal,
) => Promise<void>

export interface ObservedWorld {
  readonly world: MaintenanceWorld
  readonly feeds: { readonly nodes: Watch<ClusterNode>; readonly pods: Watch<Pod> }
  readonly watchMaintenance: WatchMaintenance
  readonly readLcmReport: ReadLcmReport
}

/** Why there is no current data: `absent`, the cluster has no node maintenance API. */
export interface WatchFailure extends Silence {
  readonly kind: 'absent' | 'offline' | 'not-permitted'
}

export interface ClusterWatch {
  /** Null if not everything was received yet. */
  readonly seen: () => Omit<SeenCluster, 'lcm'> | null
  readonly nodes: () => readonly ClusterNode[]
  readonly trouble: () => WatchFailure | null
  readonly ended: Promise<void>
}

export function watchCluster(
  { world, feeds, watchMaintenance }: ObservedWorld,
  signal: AbortSignal,
  onChange: () => void,
): ClusterWatch {
  const { roleLabels } = world.cluster
  const nodes = new Map<string, ClusterNode>()
  const pods = new Map<string, { readonly node: string; readonly uid: string }>()
  let objects: MaintenanceObjects | null = null
  let nodesKnown = false
  let podsKnown = false
  let podsRefused = false
  let trouble: WatchFailure | null = null
  const ended = Promise.all([
    feeds.nodes(
      {
        onChange: (upserts, removed) => {
          for (const uid of removed) nodes.delete(uid)
          for (const node of upserts) nodes.set(node.uid, node)
          nodesKnown = true
          onChange()
        },
        onState: () => {},
      },
      signal,
    ),
    feeds.pods(
      {
        onChange: (upserts, removed) => {
          for (const uid of removed) pods.delete(uid)
          for (const pod of upserts) {
            if (pod.nodeName !== null && leavesByDrain(pod)) pods.set(pod.uid, { node: pod.nodeName, uid: pod.uid })
            else pods.delete(pod.uid)
          }
          podsKnown = true
          onChange()
        },
        onState: ({ kind }) => {
          podsRefused = kind === 'not-permitted'
          if (podsRefused) onChange()
        },
      },
      signal,
    ),
    watchMaintenance(
      {
        onObjects: now => {
          objects = now
          onChange()
        },
        onState: state => {
          trouble = 'why' in state ? { kind: state.kind, why: state.why } : null
          onChange()
        },
      },
      signal,
    ),
  ]).then(() => {})
  return {
    ended,
    nodes: () => [...nodes.values()],
    trouble: () => trouble,
    seen: () =>
      objects === null || !nodesKnown || !(podsKnown || podsRefused)
        ? null
        : {
            nodes: [...nodes.values()].map(node => seenNode(node, roleLabels)),
            objects,
            pods: podsRefused ? null : byNode(pods.values()),
          },
  }
}

function seenNode(node: ClusterNode, rules: RoleLabelRules): SeenNode {
  return {
    name: node.name,
    isControl: rolesOf(node.labels, rules).includes('control'),
    unschedulable: node.unschedulable,
    ready: node.readiness === 'ready',
    bootId: node.bootId,
  }
}

/** Whether a drain removes the pod (docs/drain.md 5.2): not DaemonSet or static pods. */
function leavesByDrain(pod: Pod): boolean {
  return pod.controller?.kind !== 'DaemonSet' && !pod.mirror
}

function byNode(
  pods: Iterable<{ readonly node: string; readonly uid: string }>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { node, uid } of pods) {
    const there = found.get(node)
    if (there === undefined) found.set(node, new Set([uid]))
    else there.add(uid)
  }
  return found
}
