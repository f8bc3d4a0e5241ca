import { createContext, type ReactNode, type RefCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import { must } from '../../../shared/domain/must.ts'
import { contains } from '../../geometry/rectangle.ts'
import { createDragController, type DragController, type DragState } from '../../ui/drag/drag-controller.ts'
import type { DragPayload, DropTarget, DropVerdict } from '../../ui/drag/drop-verdict.ts'
import { useCarryingKeys } from '../../ui/drag/use-carrying-keys.ts'
import { carryOut, judgeNow } from './node-actions.ts'

interface DragRoom {
  readonly controller: DragController<DragPayload, DropTarget, DropVerdict>
  /** Makes an element a drop target. */
  readonly zone: (target: DropTarget) => RefCallback<HTMLElement>
}

const Room = createContext<DragRoom | null>(null)
/** What is being dragged over the map and the dock. */
type NodeDrag = DragState<DragPayload, DropTarget, DropVerdict>

/** From the outside in: of overlapping targets the later one counts. */
const ORDER: readonly DropTarget[] = ['map', 'dock', 'queue', 'entering', 'maintenance', 'leaving']

interface Props {
  readonly cluster: string
  readonly children: ReactNode
}

/** Within it, tiles and cards can be dragged between targets, by pointer and by keys. */
export function DragRoom({ cluster, children }: Props): ReactNode {
  const room = useMemo(() => {
    const elements = new Map<DropTarget, HTMLElement>()
    const refs = new Map(
      ORDER.map(target => [
        target,
        (element: HTMLElement | null) => {
          if (element === null) elements.delete(target)
          else elements.set(target, element)
        },
      ]),
    )
    return {
      controller: createDragController<DragPayload, DropTarget, DropVerdict>({
        targetAt: point =>
          ORDER.findLast(target => {
            const area = elements.get(target)?.getBoundingClientRect()
            return area !== undefined && contains(area, point)
          }) ?? null,
        judge: (payload, target) => judgeNow(cluster, payload, target),
        carryOut: verdict => carryOut(cluster, verdict),
        // The keyboard starts at "Take out": nodes are picked up for that.
        keys: {
          path: ['queue', 'entering', 'leaving', 'map'],
          first: payload => (payload.kind === 'nodes' ? 'entering' : 'map'),
        },
      }),
      zone: (target: DropTarget) => must(refs.get(target), 'every target has a place'),
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
export function useDrag<T extends string | number | boolean | null | NodeDrag | DragPayload>(
  read: (state: NodeDrag) => T,
): T {
  const { controller } = useDragRoom()
  return useSyncExternalStore(controller.subscribe, () => read(controller.state()))
}
