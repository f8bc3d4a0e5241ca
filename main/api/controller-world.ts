import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import type { ControllerWorld } from '../ports/world.ts'

/** The world of our application controllers: the world of procedures, the locks, and the nodes from the live view's feed. */
export function controllerWorldOf({ world, locks, watchMaintenance, feeds }: ConnectedWorld): ControllerWorld {
  return {
    ...world,
    locks,
    watchMaintenance,
    watchNodes: async (listener, signal) => {
      const nodes = new Map<string, ClusterNode>()
      await feeds.nodes(
        {
          onChange: (upserts, removedUids) => {
            for (const uid of removedUids) nodes.delete(uid)
            for (const node of upserts) nodes.set(node.uid, node)
            listener.onNodes([...nodes.values()])
          },
          onState: state => {
            if (state.kind !== 'absent') listener.onState(state)
          },
        },
        signal,
      )
    },
  }
}
