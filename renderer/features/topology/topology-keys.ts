import { type RefObject, useMemo } from 'react'
import { firstZoom, ZOOMS } from '../../geometry/map-metrics.ts'
import { type ConsoleCommand, useCommands } from '../../stores/commands.ts'
import { selectNodes } from '../../stores/selection.ts'
import { useTopology } from '../../stores/topology.ts'
import { placeKey } from '../../ui/place-keys.ts'
import { chosenNow } from './chosen-nodes.ts'
import { useDragRoom } from './drag-room.tsx'
import { queuedOf, takeTo, unqueue } from './node-actions.ts'
import { nodeCountNow, shownNow } from './node-selectors.ts'
import { say } from './toast-caution.ts'

interface Options {
  readonly cluster: string
  readonly search: RefObject<HTMLInputElement | null>
}

const GROUP = 'Topology'

/** Keys and palette commands of this screen. */
export function useTopologyKeys({ cluster, search }: Options): void {
  const { controller } = useDragRoom()
  const commands = useMemo((): readonly ConsoleCommand[] => {
    const chosen = () => chosenNow(cluster)
    const some = () => chosen().length > 0
    return [
      { ...placeKey('topology.search'), run: () => search.current?.focus() },
      {
        ...placeKey('topology.enter'),
        run: () => takeTo(cluster, chosen(), 'entering'),
      },
      {
        ...placeKey('topology.leave'),
        run: () => takeTo(cluster, chosen(), 'leaving'),
      },
      {
        ...placeKey('topology.queue'),
        run: () => {
          const queued = queuedOf(cluster, chosen())
          if (queued.length === 0) takeTo(cluster, chosen(), 'queue')
          else unqueue(cluster, queued)
        },
      },
      {
        ...placeKey('topology.pick-up'),
        run: () => {
          if (some()) controller.pickUp({ kind: 'nodes', nodes: chosen() })
          else say('No node is selected. Select one on the map first.')
        },
      },
      {
        id: 'topology.select-all',
        title: 'Select all shown nodes',
        group: GROUP,
        keys: null,
        run: () => selectNodes(cluster, shownNow(cluster)),
      },
      {
        id: 'topology.select-none',
        title: 'Select no node',
        group: GROUP,
        keys: null,
        available: some,
        run: () => selectNodes(cluster, []),
      },
      { ...placeKey('topology.nearer'), run: () => zoomBy(cluster, 1) },
      {
        ...placeKey('topology.further'),
        run: () => zoomBy(cluster, -1),
      },
      {
        id: 'topology.legend',
        title: 'Show or hide the legend of the map',
        group: GROUP,
        keys: null,
        run: () => useTopology.setState(({ legend }) => ({ legend: !legend })),
      },
      {
        id: 'topology.dock',
        title: 'Fold or unfold the dock',
        group: GROUP,
        keys: null,
        run: () => useTopology.setState(({ dockOpen }) => ({ dockOpen: !dockOpen })),
      },
    ]
  }, [cluster, search, controller])
  useCommands(commands)
}

function zoomBy(cluster: string, steps: 1 | -1): void {
  const now = useTopology.getState().zoom ?? firstZoom(nodeCountNow(cluster))
  const zoom = ZOOMS[ZOOMS.indexOf(now) + steps]
  if (zoom !== undefined) useTopology.setState({ zoom })
}
