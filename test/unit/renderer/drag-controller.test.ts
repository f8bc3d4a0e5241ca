import { describe, expect, test, vi } from 'vitest'
import { createDragController, DRAG_THRESHOLD_PX } from '../../../renderer/ui/drag/drag-controller.ts'
import type { DragPayload, DropTarget, DropVerdict } from '../../../renderer/ui/drag/drop-verdict.ts'

const PAYLOAD: DragPayload = { kind: 'nodes', nodes: ['cmp-01'] }

function setUp() {
  const carryOut = vi.fn<(verdict: DropVerdict) => void>()
  const controller = createDragController<DragPayload, DropTarget, DropVerdict>({
    targetAt: ({ x, y }) => (y < 100 ? null : y < 120 || x > 200 ? 'dock' : x < 100 ? 'queue' : 'entering'),
    judge: (_payload, target): DropVerdict => ({ kind: 'refused', words: `over ${target}` }),
    carryOut,
    keys: {
      path: ['queue', 'entering', 'leaving', 'map'],
      first: payload => (payload.kind === 'nodes' ? 'entering' : 'map'),
    },
  })
  const target = (): DropTarget | null | 'idle' => {
    const state = controller.state()
    return state.kind === 'idle' ? 'idle' : state.target
  }
  return { controller, carryOut, target }
}

describe('a drag by pointer', () => {
  test('begins when the pointer has gone far enough, so that a click stays a click', () => {
    const { controller, target } = setUp()
    controller.press(PAYLOAD, { x: 10, y: 10 })
    expect(controller.move({ x: 10 + DRAG_THRESHOLD_PX - 1, y: 10 })).toBe(false)
    expect(controller.release()).toBe(false)
    expect(controller.move({ x: 90, y: 90 })).toBe(false)
    expect(target()).toBe('idle')
  })

  test('is judged over the innermost target, and carried out where it is let go', () => {
    const { controller, carryOut, target } = setUp()
    controller.press(PAYLOAD, { x: 10, y: 10 })
    controller.move({ x: 110, y: 110 })
    expect(target()).toBe('dock')
    controller.move({ x: 110, y: 130 })
    expect(target()).toBe('entering')
    expect(controller.release()).toBe(true)
    expect(carryOut).toHaveBeenCalledExactlyOnceWith({ kind: 'refused', words: 'over entering' })
    expect(target()).toBe('idle')
  })

  test('let go over nothing does nothing', () => {
    const { controller, carryOut } = setUp()
    controller.press(PAYLOAD, { x: 10, y: 10 })
    controller.move({ x: 50, y: 50 })
    expect(controller.release()).toBe(true)
    expect(carryOut).not.toHaveBeenCalled()
  })

  test('is put back by Escape, and stays put back while the button is still down', () => {
    const { controller, carryOut, target } = setUp()
    controller.press(PAYLOAD, { x: 10, y: 10 })
    controller.move({ x: 110, y: 130 })
    expect(controller.cancel()).toBe(true)
    expect(controller.move({ x: 120, y: 130 })).toBe(false)
    expect(controller.release()).toBe(false)
    expect(target()).toBe('idle')
    expect(carryOut).not.toHaveBeenCalled()
  })

  test('by a finger that rested begins at once', () => {
    const { controller, target } = setUp()
    controller.lift(PAYLOAD, { x: 10, y: 130 })
    expect(target()).toBe('queue')
  })

  test('tells its listeners of every move, and not after they left', () => {
    const { controller } = setUp()
    const received = vi.fn()
    const leave = controller.subscribe(received)
    controller.lift(PAYLOAD, { x: 10, y: 130 })
    controller.move({ x: 11, y: 130 })
    leave()
    controller.cancel()
    expect(received).toHaveBeenCalledTimes(2)
  })
})

describe('a drag by keys', () => {
  test('starts over Entering and goes round the targets either way', () => {
    const { controller, target } = setUp()
    controller.pickUp(PAYLOAD)
    const seen = [target()]
    for (let step = 0; step < 4; step++) {
      controller.step(1)
      seen.push(target())
    }
    expect(seen).toEqual(['entering', 'leaving', 'map', 'queue', 'entering'])
    controller.step(-1)
    expect(target()).toBe('queue')
    controller.step(-1)
    expect(target()).toBe('map')
  })

  test('starts over the map for a node of the dock, and is dropped by Enter', () => {
    const { controller, carryOut, target } = setUp()
    controller.pickUp({ kind: 'docked', column: 'maintenance', node: 'cmp-05' })
    expect(target()).toBe('map')
    controller.drop()
    expect(carryOut).toHaveBeenCalledExactlyOnceWith({ kind: 'refused', words: 'over map' })
  })

  test('does not follow the pointer', () => {
    const { controller, target } = setUp()
    controller.pickUp(PAYLOAD)
    expect(controller.move({ x: 10, y: 130 })).toBe(false)
    expect(controller.release()).toBe(false)
    expect(target()).toBe('entering')
  })
})
