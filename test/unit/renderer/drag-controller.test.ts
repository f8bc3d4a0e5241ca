import { describe, expect, test, vi } from 'vitest'
import { createDragController, DRAG_THRESHOLD_PX } from '../../../renderer/ui/drag/drag-controller.ts'
import type { DropVerdict, DropZone } from '../../../renderer/ui/drag/drop-verdict.ts'

const PAYLOAD: readonly string[] = ['cmp-01']

function setUp() {
  const carryOut = vi.fn<(verdict: DropVerdict) => void>()
  const controller = createDragController<readonly string[], DropZone, DropVerdict>({
    targetAt: ({ x, y }) => (y < 100 ? null : y < 120 || x > 200 ? 'leaving' : 'entering'),
    judge: (_payload, target): DropVerdict => ({ kind: 'refused', words: `over ${target}` }),
    carryOut,
    keys: { path: ['entering', 'leaving'], first: ([node]) => (node === 'cmp-out' ? 'leaving' : 'entering') },
  })
  const target = (): DropZone | null | 'idle' => {
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
    expect(target()).toBe('leaving')
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
    expect(target()).toBe('entering')
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
  test('starts over Take out and reaches every zone either way', () => {
    const { controller, target } = setUp()
    controller.pickUp(PAYLOAD)
    const seen = [target()]
    for (const by of [1, 1, -1] as const) {
      controller.step(by)
      seen.push(target())
    }
    expect(seen).toEqual(['entering', 'leaving', 'entering', 'leaving'])
  })

  test('starts over Bring back for a node that is out, and is dropped by Enter', () => {
    const { controller, carryOut, target } = setUp()
    controller.pickUp(['cmp-out'])
    expect(target()).toBe('leaving')
    controller.drop()
    expect(carryOut).toHaveBeenCalledExactlyOnceWith({ kind: 'refused', words: 'over leaving' })
  })

  test('does not follow the pointer', () => {
    const { controller, target } = setUp()
    controller.pickUp(PAYLOAD)
    expect(controller.move({ x: 10, y: 130 })).toBe(false)
    expect(controller.release()).toBe(false)
    expect(target()).toBe('entering')
  })
})
