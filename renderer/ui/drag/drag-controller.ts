import { distance, type Point } from '../../geometry/rectangle.ts'

/** A press becomes a drag after this distance. */
export const DRAG_THRESHOLD_PX = 4

/** What is dragged, where it is, and what a drop would do. */
interface HeldDrag<Payload, Target, Verdict> {
  readonly kind: 'held'
  readonly by: 'pointer' | 'keyboard'
  readonly payload: Payload
  /** Null when the keyboard carries it. */
  readonly point: Point | null
  readonly target: Target | null
  readonly verdict: Verdict | null
}

export type DragState<Payload, Target, Verdict> = { readonly kind: 'idle' } | HeldDrag<Payload, Target, Verdict>

/** What a drag needs from the rest of the screen. */
interface DragSurroundings<Payload, Target, Verdict> {
  /** The target under a point of the screen; null if there is none. */
  readonly targetAt: (point: Point) => Target | null
  readonly judge: (payload: Payload, target: Target) => Verdict
  /** The drop: the only part of a drag that reaches a store (docs/style.md G32). */
  readonly carryOut: (verdict: Verdict) => void
  /** The order in which keys visit the targets, and the first; absent if there is no keyboard. */
  readonly keys?: { readonly path: readonly [Target, ...Target[]]; readonly first: (payload: Payload) => Target }
}

/** A drag of one kind of payload over one kind of target. */
export interface DragController<Payload, Target, Verdict>
  extends ReturnType<typeof createDragController<Payload, Target, Verdict>> {}

/** Over 80 lines: one state and its transitions. A drag from press to drop, by pointer or keyboard. Only the drag knows its position; the component that draws it subscribes. */
export function createDragController<Payload, Target, Verdict>({
  targetAt,
  judge,
  carryOut,
  keys,
}: DragSurroundings<Payload, Target, Verdict>) {
  type State = DragState<Payload, Target, Verdict>
  const listeners = new Set<() => void>()
  let state: State = { kind: 'idle' }
  let pressed: { readonly payload: Payload; readonly at: Point } | null = null

  function become(next: State): void {
    if (next.kind === 'idle' && state.kind === 'idle') return
    state = next
    for (const listener of listeners) listener()
  }

  function hold(by: 'pointer' | 'keyboard', payload: Payload, point: Point | null, target: Target | null): void {
    become({ kind: 'held', by, payload, point, target, verdict: target === null ? null : judge(payload, target) })
  }

  function finish(verdict: Verdict | null): void {
    pressed = null
    become({ kind: 'idle' })
    if (verdict !== null) carryOut(verdict)
  }

  return {
    state: (): State => state,

    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** A pointer went down on something that can be dragged. */
    press(payload: Payload, at: Point): void {
      pressed = { payload, at }
    },

    /** The pointer moved; returns whether something is being dragged. */
    move(point: Point): boolean {
      if (state.kind === 'held' && state.by === 'pointer') {
        hold('pointer', state.payload, point, targetAt(point))
        return true
      }
      if (pressed === null || distance(pressed.at, point) < DRAG_THRESHOLD_PX) return false
      hold('pointer', pressed.payload, point, targetAt(point))
      return true
    },

    /** Begins at once, without the distance: for a finger that rested. */
    lift(payload: Payload, at: Point): void {
      hold('pointer', payload, at, targetAt(at))
    },

    /** The pointer was released; returns whether that ended a drag. */
    release(): boolean {
      if (state.kind !== 'held' || state.by !== 'pointer') {
        pressed = null
        return false
      }
      finish(state.verdict)
      return true
    },

    /** Picks something up with the keyboard. */
    pickUp(payload: Payload): void {
      if (keys !== undefined) hold('keyboard', payload, null, keys.first(payload))
    },

    /** Carries it to the next or previous target. */
    step(by: 1 | -1): void {
      if (keys === undefined || state.kind !== 'held' || state.by !== 'keyboard') return
      const { path } = keys
      const at = state.target === null ? 0 : path.indexOf(state.target)
      hold('keyboard', state.payload, null, path.at((at + by) % path.length) ?? path[0])
    },

    /** Drops what the keyboard carries. */
    drop(): void {
      if (state.kind === 'held') finish(state.verdict)
    },

    /** Cancels the drag; returns whether there was one. */
    cancel(): boolean {
      const was = state.kind === 'held'
      finish(null)
      return was
    },
  }
}
