import { contains, distance, type Point, type Rectangle } from '../../geometry/rectangle.ts'
import type { DragPayload, DropTarget, DropVerdict } from './drop-verdict.ts'

/** A press becomes a drag when the pointer has gone this far. */
export const DRAG_THRESHOLD_PX = 4

/** Where a target is on the screen; of several under the pointer the last one counts. */
export interface DropZone {
  readonly target: DropTarget
  readonly area: Rectangle
}

/** What is being dragged, where it is, and what letting go would do. */
interface HeldDrag {
  readonly kind: 'held'
  readonly by: 'pointer' | 'keyboard'
  readonly payload: DragPayload
  /** Null when it is carried by keys. */
  readonly point: Point | null
  readonly target: DropTarget | null
  readonly verdict: DropVerdict | null
}

export type DragState = { readonly kind: 'idle' } | HeldDrag

/** How a drag touches the rest of the screen. */
interface DragSurroundings {
  /** The targets, as they lie on the screen now. */
  readonly zones: () => readonly DropZone[]
  readonly judge: (payload: DragPayload, target: DropTarget) => DropVerdict
  /** The drop: the only thing of a drag that reaches a store (docs/style.md G32). */
  readonly carryOut: (verdict: DropVerdict) => void
}

const IDLE: DragState = { kind: 'idle' }
/** The way that keys go through the targets. */
const KEY_TARGETS: readonly DropTarget[] = ['queue', 'entering', 'leaving', 'map']

export type DragController = ReturnType<typeof createDragController>

/** A drag from press to drop, by pointer or by keys. Its position is nobody's state but its own; who draws it subscribes. */
export function createDragController({ zones, judge, carryOut }: DragSurroundings) {
  const listeners = new Set<() => void>()
  let state: DragState = IDLE
  let pressed: { readonly payload: DragPayload; readonly at: Point } | null = null

  function become(next: DragState): void {
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  function hold(by: HeldDrag['by'], payload: DragPayload, point: Point | null, target: DropTarget | null): void {
    become({ kind: 'held', by, payload, point, target, verdict: target === null ? null : judge(payload, target) })
  }

  function finish(verdict: DropVerdict | null): void {
    pressed = null
    become(IDLE)
    if (verdict !== null) carryOut(verdict)
  }

  return {
    state: (): DragState => state,

    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** A pointer went down on something that can be dragged. */
    press(payload: DragPayload, at: Point): void {
      pressed = { payload, at }
    },

    /** The pointer moved; answers whether something is being dragged. */
    move(point: Point): boolean {
      if (state.kind === 'held' && state.by === 'pointer') {
        hold('pointer', state.payload, point, targetAt(zones(), point))
        return true
      }
      if (pressed === null || distance(pressed.at, point) < DRAG_THRESHOLD_PX) return false
      hold('pointer', pressed.payload, point, targetAt(zones(), point))
      return true
    },

    /** Begins at once, without a distance to go: for a finger that rested. */
    lift(payload: DragPayload, at: Point): void {
      hold('pointer', payload, at, targetAt(zones(), at))
    },

    /** The pointer was let go; answers whether that ended a drag. */
    release(): boolean {
      if (state.kind !== 'held' || state.by !== 'pointer') {
        pressed = null
        return false
      }
      finish(state.verdict)
      return true
    },

    /** Picks something up with the keyboard, over the dock's Entering column first. */
    pickUp(payload: DragPayload): void {
      hold('keyboard', payload, null, payload.kind === 'nodes' ? 'entering' : 'map')
    },

    /** Carries it to the next target, or the one before. */
    step(by: 1 | -1): void {
      if (state.kind !== 'held' || state.by !== 'keyboard') return
      const at = KEY_TARGETS.indexOf(state.target ?? 'map')
      hold('keyboard', state.payload, null, KEY_TARGETS.at((at + by) % KEY_TARGETS.length) ?? 'map')
    },

    /** Drops what the keyboard carries. */
    drop(): void {
      if (state.kind === 'held') finish(state.verdict)
    },

    /** Puts it back; answers whether there was something to put back. */
    cancel(): boolean {
      const was = state.kind === 'held'
      finish(null)
      return was
    },
  }
}

/** The innermost target under a point: zones are told from the outside in. */
function targetAt(zones: readonly DropZone[], point: Point): DropTarget | null {
  return zones.findLast(zone => contains(zone.area, point))?.target ?? null
}
