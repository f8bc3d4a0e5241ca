import {
  createContext,
  type ReactNode,
  type RefCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { must } from '../../../shared/domain/must.ts'
import {
  createDragController,
  type DragController,
  type DragState,
  type DropZone,
} from '../../ui/drag/drag-controller.ts'
import type { DropTarget } from '../../ui/drag/drop-verdict.ts'
import { carryOut, judgeNow } from './node-actions.ts'

interface DragRoom {
  readonly controller: DragController
  /** Makes an element a place where things can be dropped. */
  readonly zone: (target: DropTarget) => RefCallback<HTMLElement>
}

const Room = createContext<DragRoom | null>(null)
/** From the outside in: of two that lie over each other the later one counts. */
const ORDER: readonly DropTarget[] = ['map', 'dock', 'queue', 'entering', 'maintenance', 'leaving']

interface Props {
  readonly cluster: string
  readonly children: ReactNode
}

/** Within it, tiles and cards can be dragged from one target to another, by pointer and by keys. */
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
      controller: createDragController({
        zones: () => ORDER.flatMap(target => zoneOf(target, elements.get(target))),
        judge: (payload, target) => judgeNow(cluster, payload, target),
        carryOut: verdict => carryOut(cluster, verdict),
      }),
      zone: (target: DropTarget) => must(refs.get(target), 'every target has a place'),
    }
  }, [cluster])
  useCarryingKeys(room.controller)
  return <Room value={room}>{children}</Room>
}

function zoneOf(target: DropTarget, element: HTMLElement | undefined): readonly DropZone[] {
  return element === undefined ? [] : [{ target, area: element.getBoundingClientRect() }]
}

/** The room around; what is dragged in it is dragged by its controller. */
export function useDragRoom(): DragRoom {
  return must(useContext(Room), 'the topology is drawn within a DragRoom')
}

/** Something read from the drag; drawn anew only when that changes. */
export function useDrag<T extends string | number | boolean | null | DragState>(read: (state: DragState) => T): T {
  const { controller } = useDragRoom()
  return useSyncExternalStore(controller.subscribe, () => read(controller.state()))
}

/** While something is held, Escape puts it back; what is carried by keys goes on by arrows and is dropped by Enter. */
function useCarryingKeys(controller: DragController): void {
  const onKey = useMemo(
    () => (event: KeyboardEvent) => {
      const state = controller.state()
      if (state.kind === 'idle') return
      if (event.key === 'Tab' && state.by === 'keyboard') controller.cancel()
      const act = actionOf(event.key, state.by, controller)
      // While something is carried by keys no other key does anything to it behind its back.
      if (act !== null || state.by === 'keyboard') event.stopImmediatePropagation()
      if (act === null) return
      event.preventDefault()
      act()
    },
    [controller],
  )
  useEffect(() => {
    window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      controller.cancel()
    }
  }, [controller, onKey])
}

function actionOf(key: string, by: 'pointer' | 'keyboard', controller: DragController): (() => void) | null {
  if (key === 'Escape') return () => void controller.cancel()
  if (by === 'pointer') return null
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return () => controller.step(1)
    case 'ArrowLeft':
    case 'ArrowUp':
      return () => controller.step(-1)
    case 'Enter':
    case ' ':
      return () => controller.drop()
    default:
      return null
  }
}
