import { createContext, type ReactNode, type RefCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import { must } from '../../../shared/domain/must.ts'
import { contains } from '../../geometry/rectangle.ts'
import { createDragController, type DragController, type DragState } from '../../ui/drag/drag-controller.ts'
import { DROP_ZONES, type DropVerdict, type DropZone } from '../../ui/drag/drop-verdict.ts'
import { useCarryingKeys } from '../../ui/drag/use-carrying-keys.ts'
import { carryOut, judgeNow } from './node-actions.ts'

interface DragRoom {
  readonly controller: DragController<readonly string[], DropZone, DropVerdict>
  /** Makes an element a drop zone. */
  readonly zone: (target: DropZone) => RefCallback<HTMLElement>
  /** The place of a zone on the screen; null while it is not drawn. */
  readonly placeOf: (target: DropZone) => DOMRect | null
}

const Room = createContext<DragRoom | null>(null)
/** The dragged nodes. */
type NodeDrag = DragState<readonly string[], DropZone, DropVerdict>

interface Props {
  readonly cluster: string
  readonly children: ReactNode
}

/** Within it, nodes can be dragged to the zones, by pointer and by keys. */
export function DragRoom({ cluster, children }: Props): ReactNode {
  const room = useMemo(() => {
    const elements = new Map<DropZone, HTMLElement>()
    const refs = new Map(
      DROP_ZONES.map(target => [
        target,
        (element: HTMLElement | null) => {
          if (element === null) elements.delete(target)
          else elements.set(target, element)
        },
      ]),
    )
    return {
      controller: createDragController<readonly string[], DropZone, DropVerdict>({
        targetAt: point =>
          DROP_ZONES.find(target => {
            const area = elements.get(target)?.getBoundingClientRect()
            return area !== undefined && contains(area, point)
          }) ?? null,
        judge: (nodes, target) => judgeNow(cluster, nodes, target),
        carryOut: verdict => carryOut(cluster, verdict),
        // The keyboard starts where the nodes can be dropped.
        keys: {
          path: DROP_ZONES,
          first: nodes => (judgeNow(cluster, nodes, 'entering').kind === 'plan' ? 'entering' : 'leaving'),
        },
      }),
      placeOf: (target: DropZone) => elements.get(target)?.getBoundingClientRect() ?? null,
      zone: (target: DropZone) => must(refs.get(target), 'every target has a place'),
    }
  }, [cluster])
  useCarryingKeys(room.controller)
  return <Room value={room}>{children}</Room>
}

/** The drag room of the screen, with its controller. */
export function useDragRoom(): DragRoom {
  return must(useContext(Room), 'the topology is drawn within a DragRoom')
}

/** A value of the drag; draws again only when it changes. */
export function useDrag<T extends string | number | boolean | null | readonly string[] | DropVerdict>(
  read: (state: NodeDrag) => T,
): T {
  const { controller } = useDragRoom()
  return useSyncExternalStore(controller.subscribe, () => read(controller.state()))
}
