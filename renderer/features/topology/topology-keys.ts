import { type RefObject, useMemo } from 'react'
import { SIZES } from '../../geometry/map-metrics.ts'
import { type ConsoleCommand, useCommands } from '../../stores/commands.ts'
import { selectNodes } from '../../stores/selection.ts'
import { useTopology } from '../../stores/topology.ts'
import { placeKey } from '../../ui/place-keys.ts'
import { chosenNow } from './chosen-nodes.ts'
import { useDragRoom } from './drag-room.tsx'
import { sizeShown } from './map-size.ts'
import { takeTo } from './node-actions.ts'
import { shownNow } from './node-selectors.ts'
import { say } from './toast-caution.ts'

interface Options {
  readonly cluster: string
  readonly search: RefObject<HTMLInputElement | null>
}

const GROUP = 'Map'

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
        ...placeKey('topology.pick-up'),
        run: () => {
          if (some()) controller.pickUp(chosen())
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
      { ...placeKey('topology.nearer'), run: () => sizeBy(1) },
      { ...placeKey('topology.further'), run: () => sizeBy(-1) },
      {
        id: 'topology.fit',
        title: 'Fit the map to the window',
        group: GROUP,
        keys: null,
        run: () => useTopology.setState({ size: null }),
      },
    ]
  }, [cluster, search, controller])
  useCommands(commands)
}

function sizeBy(steps: 1 | -1): void {
  const size = SIZES.find(each => each === sizeShown() + steps)
  if (size !== undefined) useTopology.setState({ size })
}
